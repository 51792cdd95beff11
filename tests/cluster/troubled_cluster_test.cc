// Runs on a cluster that gets into trouble, or is in it already.
#include <csignal>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/runs.h"
#include "support/pool.h"
#include "support/settled.h"

namespace radosload::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TroubledCluster : public Runs {};

// A full-ratio below what the OSDs hold: HEALTH_ERR within seconds, and over as quickly.
class FullOsds {
 public:
  FullOsds() { EXPECT_EQ(ceph({"osd", "set-full-ratio", "0.00001"}).status, 0); }
  ~FullOsds() {
    EXPECT_EQ(ceph({"osd", "set-full-ratio", "0.95"}).status, 0);
    EXPECT_TRUE(await_fresh_statistics());
    EXPECT_TRUE(wait_for_answer({"health"}, "HEALTH_ERR", false));
    EXPECT_TRUE(wait_for_answer({"osd", "pool", "ls", "detail"}, "full", false));
    EXPECT_TRUE(wait_for_answer({"df", "--format", "json"}, "\"max_avail\":0,", false));
  }
  FullOsds(const FullOsds&) = delete;
  FullOsds& operator=(const FullOsds&) = delete;
  FullOsds(FullOsds&&) = delete;
  FullOsds& operator=(FullOsds&&) = delete;
};

TEST_F(TroubledCluster, HealthTurnsToError_EndsTheRun) {
  if (!on_lab()) GTEST_SKIP() << "only the lab may be brought into trouble";
  Process process(launch(words("ssd", "randread4k,size=8M", until_ended({"--rate", light_load}))));
  ASSERT_TRUE(await_second(process, 2));
  Finished done;
  {
    const FullOsds trouble;
    done = process.wait();
  }
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.err, HasSubstr("turned to HEALTH_ERR"));
  EXPECT_THAT(done.out, AllOf(HasSubstr("the run stopped: "), HasSubstr("--push-through")));
  EXPECT_FALSE(done.timed_out) << "it must not continue for its whole time";
  EXPECT_EQ(names_in("ssd"), "");
}

// Operations are slow after a second, not after thirty.
class EarlyComplaints {
 public:
  EarlyComplaints() {
    EXPECT_EQ(ceph({"config", "set", "osd", "osd_op_complaint_time", "1"}).status, 0);
  }
  ~EarlyComplaints() {
    EXPECT_EQ(ceph({"config", "rm", "osd", "osd_op_complaint_time"}).status, 0);
    EXPECT_TRUE(wait_for_answer({"health"}, "SLOW_OPS", false));
  }
  EarlyComplaints(const EarlyComplaints&) = delete;
  EarlyComplaints& operator=(const EarlyComplaints&) = delete;
  EarlyComplaints(EarlyComplaints&&) = delete;
  EarlyComplaints& operator=(EarlyComplaints&&) = delete;
};

TEST_F(TroubledCluster, NewSlowOperationsEndTheRun) {
  if (!on_lab()) GTEST_SKIP() << "only the lab may be brought into trouble";
  const EarlyComplaints early;
  Process process(launch(
      words("ssd", "randwrite4k,size=16M,object-size=64k", until_ended({"--rate", light_load}))));
  ASSERT_TRUE(await_second(process, 1));
  ASSERT_EQ(lab({"osd", "pause", "1"}).status, 0);
  const auto said = process.wait_for_output("slow operations");
  EXPECT_EQ(lab({"osd", "resume", "1"}).status, 0);
  const Finished done = process.wait();
  EXPECT_TRUE(said) << done.err;
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.out, HasSubstr("the run stopped: "));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(TroubledCluster, PushThrough_ContinuesAndReportsTheTrouble) {
  if (!on_lab()) GTEST_SKIP() << "only the lab may be brought into trouble";
  Process process(launch(
      words("ssd", "randread4k,size=8M", until_ended({"--rate", light_load, "--push-through"}))));
  ASSERT_TRUE(await_second(process, 2));
  Finished done;
  {
    const FullOsds trouble;
    EXPECT_TRUE(process.wait_for_output("turned to HEALTH_ERR"));
    EXPECT_TRUE(await_more_seconds(process, 3));
    EXPECT_TRUE(await_more_operations(process, 100));
    process.signal(SIGINT);
    done = process.wait();
  }
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("turned to HEALTH_ERR"), HasSubstr("continued")));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(TroubledCluster, InHealthErrorARunDoesNotStart) {
  if (!on_lab()) GTEST_SKIP() << "only the lab may be brought into trouble";
  const FullOsds trouble;
  EXPECT_TRUE(wait_for_answer({"health"}, "HEALTH_ERR"));
  const Finished done = run("ssd", "randread4k,size=8M");
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("full"));
}

TEST_F(TroubledCluster, APoolThatReachesItsQuotaEndsTheRun) {
  const TestPool pool("filling");
  // A run that would not fit is refused, so the quota comes while it runs.
  Process process(launch(
      words(pool.name(), "create,objects=10000", until_ended({"--rate", "40", "--drain", "2s"}))));
  ASSERT_TRUE(await_second(process, 2));
  ASSERT_EQ(ceph({"osd", "pool", "set-quota", pool.name(), "max_objects", "100"}).status, 0);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, flawed) << done.err << done.out;
  EXPECT_THAT(done.out, AllOf(HasSubstr("the run stopped: "), HasSubstr("is full")));
  EXPECT_FALSE(done.timed_out);
  EXPECT_EQ(names_in(pool.name()), "") << "what is full can still be cleaned up";
}

// One copy of everything, and the OSD that has it is gone.
TEST_F(TroubledCluster, PlacementGroupsWithoutAnOsdAreRefusedByName) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be stopped";
  ASSERT_EQ(lab({"osd", "stop", "0"}).status, 0);
  // The mgr, which tells of PGs, may not know it yet, or never get to know it.
  EXPECT_TRUE(wait_for_answer({"osd", "tree", "down"}, "osd.0"));
  const Finished done = run("hdd1", "randread4k,size=8M");
  const Finished dry = run("hdd1", "randread4k,size=8M", {"--dry-run"});
  EXPECT_EQ(lab({"osd", "start", "0"}).status, 0);
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, AllOf(HasSubstr("PGs of pool hdd1 take no operations"),
                              HasSubstr("--allow-unhealthy")));
  EXPECT_EQ(dry.status, refused) << dry.err;
  // Back again, the next run waits for it instead of being refused.
  EXPECT_EQ(run("hdd1", "randread4k,size=8M").status, 0);
  EXPECT_EQ(names_in("hdd1"), "");
  await_clean();
}

}  // namespace
}  // namespace radosload::test
