// `radosload compare --against-drives`: from saved runs to the share. The arithmetic is tested in
// tests/unit/report_drive_share_test.cc.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class DriveShareCli : public ::testing::Test {
 protected:
  Finished run(std::vector<std::string> words) const {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }
  // The ID of a run whose operations take so long, four at a time.
  std::string measured(const std::string& pattern, const std::string& latency,
                       const std::string& drive) const {
    const Finished done = run({"--target", "sim", "--sim", "latency=const:" + latency, "--pattern",
                               pattern + ",qd=4", "--time", "1", "--warmup", "0", "--label",
                               "drive=" + drive, "--no-progress", "--json"});
    EXPECT_EQ(done.status, 0) << done.err;
    return json::parse(done.out)["run_id"];
  }

  TemporaryFolder m_state;
};

TEST_F(DriveShareCli, RunsOfDrives_GiveTheShareOfTheirSum) {
  const std::string one = measured("randread4k", "10ms", "sda");
  const std::string two = measured("randread4k", "10ms", "sdb");
  const std::string pool = measured("randread4k", "20ms", "none");
  const Finished done = run({"compare", pool, "--against-drives", one, two, "--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json share = json::parse(done.out);
  EXPECT_EQ(share["drives"], 2);
  EXPECT_NEAR(share["rows"][0]["share"].get<double>(), 0.25, 0.01);
  const Finished scaled =
      run({"compare", pool, "--against-drives", one, "--drives", "4", "--json"});
  EXPECT_NEAR(json::parse(scaled.out)["rows"][0]["share"].get<double>(), 0.125, 0.01);
  const Finished text = run({"compare", pool, "--against-drives", one, two});
  EXPECT_THAT(text.out, HasSubstr("drives    2 drives"));
  EXPECT_THAT(text.out, HasSubstr("read: each read is served by one drive"));
}

TEST_F(DriveShareCli, WrongWords_AreUsageErrors) {
  const std::string run_id = measured("randread4k", "10ms", "sda");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{run_id, run_id, "--against-drives", run_id}, "one run of a pool"},
      {{run_id, run_id, "--drives", "4"}, "--drives needs --against-drives"},
      {{run_id, "--against-drives", run_id, "--force"}, "gives no verdict"},
      {{run_id, "--against-drives", run_id, "--format", "markdown"}, "--format text or json"},
      {{run_id, "--against-drives", measured("randrw4k", "10ms", "sdb")}, "reads alone"}};
  for (const auto& [words, reason] : cases) {
    std::vector<std::string> all = {"compare"};
    all.insert(all.end(), words.begin(), words.end());
    const Finished done = run(all);
    EXPECT_EQ(done.status, usage) << done.out;
    EXPECT_THAT(done.err, HasSubstr(reason));
  }
}

}  // namespace
}  // namespace radosload::test
