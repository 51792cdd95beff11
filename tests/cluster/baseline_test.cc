// A baseline of a real pool: measured again it is not slower; with a slowed drive it is.
#include <string>
#include <vector>

#include "cluster/drive_setting.h"
#include "cluster/graded_runs.h"
#include "support/exit_status.h"
#include "support/pool.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Baselines : public GradedRuns {
 protected:
  Finished call(std::vector<std::string> words) const {
    return test::run(launch(std::move(words)));
  }
};

// The machine that tests run on is busy: a run may come to a tenth of the others, and is kept all
// the same, because what is tested is the way from the pool to the verdict. Hence a wide threshold,
// and four runs: three are judged by an interval that one such run makes too wide for any verdict.
TEST_F(Baselines, SlowedDrive_IsFoundByTheCheckAndASecondMeasurementIsNot) {
  std::vector<std::string> keep = {"baseline", "keep", "before", "--force", "--threshold", "50"};
  for (int i = 0; i < 4; ++i) {
    const Finished done =
        run("ssd", "randwrite4k,qd=4,size=4M,object-size=64k", {"--ops", "300", "--json"});
    ASSERT_EQ(done.status, 0) << done.err;
    keep.push_back(json::parse(done.out)["run_id"]);
  }
  const Finished kept = call(keep);
  ASSERT_EQ(kept.status, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("pool ssd"));
  EXPECT_THAT(kept.out, HasSubstr(", Ceph 1"));
  const Finished same = call({"baseline", "check", "before", "--json"});
  EXPECT_EQ(same.status, 0) << same.out << same.err;
  const json said = json::parse(same.out);
  EXPECT_NE(said["result"], "slower");
  EXPECT_EQ(said["changes"], json::array());
  EXPECT_EQ(names_in("ssd"), "");
  const DriveSetting drives("0-3", "iops=80");
  if (!drives.in_force()) GTEST_SKIP() << "drives are not emulated here";
  const Finished slow = call({"baseline", "check", "before"});
  EXPECT_EQ(slow.status, 5) << slow.out << slow.err;
  EXPECT_THAT(slow.out, HasSubstr("result    slower (slower: write iops"));
}

TEST_F(Baselines, ChangedPool_IsListedBeforeItIsMeasured) {
  const TestPool pool("changed");
  std::vector<std::string> keep = {"baseline", "keep", "before", "--force"};
  for (int i = 0; i < 2; ++i) {
    const Finished done = run(pool.name(), "randread4k,qd=4,size=1M,object-size=64k", {"--json"});
    ASSERT_EQ(done.status, 0) << done.err;
    keep.push_back(json::parse(done.out)["run_id"]);
  }
  ASSERT_EQ(call(keep).status, 0);
  const Finished shown = ceph({"osd", "pool", "get", pool.name(), "min_size", "-f", "json"});
  const int before = json::parse(shown.out)["min_size"];
  const std::string now = std::to_string(before == 1 ? 2 : 1);
  must({"osd", "pool", "set", pool.name(), "min_size", now});
  // Its PGs may be peering anew now; the runs of the check wait for them.
  const Finished checked = call({"baseline", "check", "before", "--threshold", "1000"});
  EXPECT_THAT(checked.out, HasSubstr(fmt::format("changed   min_size of pool {}: {}, now {}",
                                                 pool.name(), before, now)))
      << checked.err;
}

}  // namespace
}  // namespace radosload::test
