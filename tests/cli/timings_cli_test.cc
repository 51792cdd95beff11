// Saved timings in `list` and `report`, without a cluster: documents that one gave are put into the
// store.
#include <filesystem>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/documents.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/places.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class TimingsCli : public testing::Test {
 protected:
  Finished run(std::vector<std::string> words) {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_folder.path().string()}});
  }
  std::filesystem::path store() const { return m_folder.path() / "radosload" / "times"; }
  std::string keep(const std::string& timer, const std::string& id) const {
    std::filesystem::create_directories(store());
    json document =
        json::parse(read_file(in_source("tests/fixtures/documents/time-" + timer + ".json")));
    document["id"] = id;
    std::string text = document.dump(2) + "\n";
    write_file(store() / (id + ".json"), text);
    return text;
  }
  Finished measure() {
    return run({"--target", "sim", "--pattern", "randread4k", "--warmup", "0", "--time", "1",
                "--no-progress", "--label", "rack=3"});
  }

  TemporaryFolder m_folder;
};

TEST_F(TimingsCli, List_ShowsTimingsAsTheirOwnKind) {
  ASSERT_EQ(measure().status, 0);
  keep("compact", "t20261124-170416123-9f3a");
  EXPECT_THAT(run({"list"}).out,
              AllOf(HasSubstr("t20261124-170416123-9f3a"), HasSubstr("time compact"),
                    HasSubstr("complete, 1 measurement")));
  const Finished listed = run({"list", "--json"});
  expect_follows_schema(listed.out);
  const json entries = json::parse(listed.out)["entries"];
  ASSERT_EQ(entries.size(), 2U);
  const json& timing = entries[0]["type"] == "timing" ? entries[0] : entries[1];
  EXPECT_EQ(timing["type"], "timing");
  EXPECT_EQ(timing["pattern"], "time compact");
  EXPECT_EQ(timing["steps_done"], 1);
  EXPECT_THAT(run({"list", "--format", "csv"}).out,
              HasSubstr("t20261124-170416123-9f3a,timing,2026-11-24T17:04:16Z,,time compact,0.15"));
  EXPECT_THAT(run({"list", "--label", "rack=3"}).out, Not(HasSubstr("time compact")));
}

TEST_F(TimingsCli, ReportPrintsThemAgainInEveryFormat) {
  ASSERT_EQ(measure().status, 0);
  const std::string text = keep("bench", "t20261124-170416123-9f3a");
  const Finished same = run({"report", "t2026", "--json"});
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_EQ(same.out, text);
  const Finished shown = run({"report", "t20261124-170416123-9f3a"});
  EXPECT_THAT(shown.out, AllOf(StartsWith("time bench"), HasSubstr("IOPS"), HasSubstr("saved")));
  EXPECT_THAT(run({"report", "t2026", "--format", "csv"}).out, StartsWith("id,timer,"));
  const std::string path = (store() / "t20261124-170416123-9f3a.json").string();
  EXPECT_EQ(run({"report", path, "--json"}).out, text);
  const Finished wrong = run({"report", "t2026", "--format", "fio-json"});
  EXPECT_EQ(wrong.status, usage);
  EXPECT_THAT(wrong.err, HasSubstr("text, json or csv"));
}

TEST_F(TimingsCli, CommandsForRuns_IgnoreTimings) {
  ASSERT_EQ(measure().status, 0);
  keep("compact", "t20991124-170416123-9f3a");  // newer than any run
  EXPECT_THAT(run({"report", "last"}).out, HasSubstr("randread4k"));
  EXPECT_EQ(run({"compare", "last", "last"}).status, 0);
  const Finished compared = run({"compare", "last", "t2099"});
  EXPECT_EQ(compared.status, usage);
  EXPECT_THAT(compared.err, HasSubstr("it is a timing"));
}

TEST_F(TimingsCli, DamagedDocument_IsAWarningAndTheOthersAreListed) {
  const std::string text = keep("compact", "t20261124-170416123-9f3a");
  write_file(store() / "t20261125-000000000-0000.json", text.substr(0, text.size() / 2));
  const Finished listed = run({"list"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_THAT(listed.err, HasSubstr("t20261125-000000000-0000.json"));
  EXPECT_THAT(listed.out, HasSubstr("t20261124-170416123-9f3a"));
  EXPECT_NE(run({"report", "t20261125"}).status, 0);
}

}  // namespace
}  // namespace radosload::test
