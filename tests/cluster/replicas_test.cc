// The slow replica of an ordinary pool: one drive of the lab is slowed, or none.

#include "cluster/drive_setting.h"
#include "cluster/runs.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/grave.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class ReplicasOfAPool : public Runs {
 protected:
  Finished replicas(const std::string& pool, std::vector<std::string> more) const {
    std::vector<std::string> all = {"replicas", "--pool", pool,    "--pattern", pattern,
                                    "--warmup", "1",      "--ops", "600",       "--no-progress"};
    all.insert(all.end(), more.begin(), more.end());
    return test::run(launch(std::move(all)));
  }

  static constexpr const char* pattern = "randwrite4k,object-size=4k,size=2M,qd=16";
};

// The lab's OSDs are of several kinds on one machine that does much else, so they do differ; but by
// nothing like a drive that is slow.
TEST_F(ReplicasOfAPool, NoSlowOsd_NoneIsNamed) {
  const Finished done = replicas("ssd", {"--matters", "150", "--json", "--fail-if", "slow"});
  ASSERT_EQ(done.status, 0) << done.err << done.out;
  const json said = json::parse(done.out);
  EXPECT_EQ(said["slow"], json::array()) << done.out;
  EXPECT_THAT(said["text"][0].get<std::string>(), HasSubstr("No slow OSD found"));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(ReplicasOfAPool, TheOsdWithTheSlowedDriveIsNamed) {
  if (!on_lab()) GTEST_SKIP() << "only the lab may be disturbed";
  const DriveSetting slowed("0", "iops=30");
  ASSERT_TRUE(slowed.in_force());
  const std::string file = m_state.path() / "run.json";
  const Finished done =
      replicas("ssd", {"--json", "--fail-if", "slow", "--save", file, "--push-through"});
  ASSERT_EQ(done.status, verdict) << done.err << done.out;
  const json said = json::parse(done.out);
  EXPECT_EQ(said["slow"], json::array({0})) << done.out;
  const json& osd = said["osds"][0];
  EXPECT_EQ(osd["ids"], json::array({0}));
  EXPECT_GT(osd["effect"]["low"].get<double>(), 1.2);
  EXPECT_THAT(said["text"][0].get<std::string>(), HasSubstr("osd.0 is slow"));
  // Every write of the run was looked at.
  const json record = json::parse(read_file(file));
  EXPECT_EQ(said["writes"], record["totals"]["write"]["ops"]) << wrong_figure;
}

// Four OSDs, and four shards of each object.
TEST_F(ReplicasOfAPool, AllPgsOnTheSameOsds_IsRefusedBeforeAnythingIsWritten) {
  const Finished done = replicas("ec-k2m2", {});
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("always share the same acting sets"));
  EXPECT_THAT(done.err, HasSubstr("--each"));
  EXPECT_EQ(names_in("ec-k2m2"), "");
}

}  // namespace
}  // namespace radosload::test
