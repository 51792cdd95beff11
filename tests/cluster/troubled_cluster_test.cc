// Runs on a cluster that gets into trouble, or is in it already.
#include <thread>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/hard_times.h"
#include "support/pool.h"

namespace radosload::test {
namespace {

using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;

class TroubledCluster : public HardTimes {};

// A full-ratio below what the OSDs hold: HEALTH_ERR within seconds, and over as quickly.
class FullOsds {
 public:
  FullOsds() { EXPECT_EQ(ceph({"osd", "set-full-ratio", "0.00001"}).status, 0); }
  ~FullOsds() {
    EXPECT_EQ(ceph({"osd", "set-full-ratio", "0.95"}).status, 0);
    wait_until("HEALTH_ERR", false);
  }
  FullOsds(const FullOsds&) = delete;
  FullOsds& operator=(const FullOsds&) = delete;
  FullOsds(FullOsds&&) = delete;
  FullOsds& operator=(FullOsds&&) = delete;

  static void wait_until(const std::string& status, bool there) {
    for (int i = 0; i < 60; ++i) {
      if ((ceph({"health"}).out.find(status) != std::string::npos) == there) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    ADD_FAILURE() << status << (there ? " did not come" : " did not go");
  }
};

TEST_F(TroubledCluster, ARunEndsItselfWhenHealthTurnsToError) {
  if (!on_lab()) GTEST_SKIP() << "only the lab may be brought into trouble";
  Process process(launch(words("ssd", "randread4k,size=8M", {"--time", "100"})));
  ASSERT_TRUE(process.wait_for_output("    2 ", seconds(40)));
  Finished done;
  {
    const FullOsds trouble;
    done = process.wait();
  }
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.err, HasSubstr("turned to HEALTH_ERR"));
  EXPECT_THAT(done.out, AllOf(HasSubstr("the run ended itself"), HasSubstr("--push-through")));
  EXPECT_LT(done.seconds, 60) << "it must not go on for its whole time";
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(TroubledCluster, PushedThroughItMeasuresToItsEndAndSaysWhatItSaw) {
  if (!on_lab()) GTEST_SKIP() << "only the lab may be brought into trouble";
  Process process(launch(words("ssd", "randread4k,size=8M", {"--time", "15", "--push-through"})));
  ASSERT_TRUE(process.wait_for_output("    2 ", seconds(40)));
  Finished done;
  {
    const FullOsds trouble;
    done = process.wait();
  }
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("turned to HEALTH_ERR"), HasSubstr("the run went on")));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(TroubledCluster, InHealthErrorARunDoesNotStart) {
  if (!on_lab()) GTEST_SKIP() << "only the lab may be brought into trouble";
  const FullOsds trouble;
  FullOsds::wait_until("HEALTH_ERR", true);
  const Finished done = run("ssd", "randread4k,size=8M", {"--time", "1"});
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("full"));
}

TEST_F(TroubledCluster, APoolThatReachesItsQuotaEndsTheRun) {
  const TestPool pool("filling");
  ASSERT_EQ(ceph({"osd", "pool", "set-quota", pool.name(), "max_objects", "200"}).status, 0);
  // New objects a few at a time: a pool's quota is looked at every few seconds.
  const Finished done = run(pool.name(), "create,size=32M,object-size=4k",
                            {"--time", "100", "--rate", "40", "--drain", "2s"});
  EXPECT_EQ(done.status, flawed) << done.err << done.out;
  EXPECT_THAT(done.out, AllOf(HasSubstr("the run ended itself"), HasSubstr("is full")));
  EXPECT_LT(done.seconds, 80);
  EXPECT_EQ(names_in(pool.name()), "") << "what is full can still be cleaned up";
}

// One copy of everything, and the OSD that has it is gone.
TEST_F(TroubledCluster, PlacementGroupsWithoutAnOsdAreRefusedByName) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be stopped";
  ASSERT_EQ(lab({"osd", "stop", "0"}).status, 0);
  FullOsds::wait_until("PG_AVAILABILITY", true);
  const Finished done = run("hdd1", "randread4k,size=8M", {"--time", "1"});
  const Finished dry = run("hdd1", "randread4k,size=8M", {"--dry-run"});
  EXPECT_EQ(lab({"osd", "start", "0"}).status, 0);
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, AllOf(HasSubstr("PGs of pool hdd1 take no operations"),
                              HasSubstr("--allow-unhealthy")));
  EXPECT_EQ(dry.status, refused) << dry.err;
  // Back again, the next run waits for it instead of being refused.
  EXPECT_EQ(run("hdd1", "randread4k,size=8M", {"--time", "1"}).status, 0);
  EXPECT_EQ(names_in("hdd1"), "");
}

}  // namespace
}  // namespace radosload::test
