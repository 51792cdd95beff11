// What was watched, and what a run is graded by it.
#include <cerrno>
#include <memory>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/simulated_cluster.h"
#include "watch/cluster_watch.h"
#include "watch/one_at_a_time.h"

#include <fmt/format.h>

namespace radosload::watch {
namespace {

using record::GradeValue;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Coverage, LooksWithin10sOfEachOtherLeaveNoGap) {
  Coverage mgr("the mgr");
  for (const int at : {0, 9, 19, 25, 31}) mgr.seen(seconds(at));
  EXPECT_THAT(mgr.gaps(seconds(2), seconds(30)), IsEmpty());
}

TEST(Coverage, LongerGap_IsReportedWithTimeAndReason) {
  Coverage mgr("the mgr");
  for (const int at : {0, 8, 16, 24}) mgr.seen(seconds(at));
  mgr.unseen(seconds(28), "no answer within 5 s");
  mgr.unseen(seconds(32), "an earlier command is still unanswered");
  mgr.seen(seconds(38));
  EXPECT_THAT(mgr.gaps(seconds(2), seconds(38)),
              ElementsAre("the mgr was not watched for 14 s at 22 s (no answer within 5 s)"));
  EXPECT_THAT(mgr.gaps(seconds(30), seconds(38)), IsEmpty()) << "8 s of it are in the run";
}

TEST(Coverage, WithoutALastLookTheEndWasNotWatched) {
  Coverage mgr("the mgr");
  mgr.seen(seconds(0));
  mgr.seen(seconds(6));
  mgr.unseen(seconds(10), "no answer within 5 s");
  EXPECT_THAT(mgr.gaps(seconds(0), seconds(10)),
              ElementsAre("the mgr was not watched for 4 s at 6 s (no answer within 5 s)"));
}

TEST(Coverage, NeverSeenIsNotWatchedAtAll) {
  Coverage mgr("the mgr");
  mgr.unseen(seconds(0), "Permission denied");
  EXPECT_THAT(mgr.gaps(seconds(0), seconds(10)),
              ElementsAre("the mgr was not watched (Permission denied)"));
}

// Of PG 2.1f, which osd.3 holds alone.
struct AWatch {
  test::SimulatedCluster cluster{{.osds = 4, .replicas = 1, .pgs = 32}};
  ClusterWatch watch;
  std::vector<std::string> told;

  explicit AWatch(observe::Measured uses = {.pool = 2, .pgs = {0x1f}, .osds = {3}})
      : watch(std::make_shared<OneAtATime>(cluster.connect()), std::move(uses)) {
    watch.begin();
  }
  void pg_is(const std::string& state) { cluster.pg_is(2, 0x1f, state); }
  // Looks as a ticker does; virtual time passes once the answers are there.
  void pass(int from, int to) {
    for (int at = from; at <= to; ++at) {
      for (auto& text : watch.poll(seconds(at))) told.push_back(std::move(text));
      while (watch.waiting()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

TEST(ClusterWatch, AQuietRunIsCleanAndPgsAreListedAtItsEndsOnly) {
  AWatch run;
  run.watch.open(seconds(0));
  run.pass(0, 30);
  const auto grade = run.watch.finish(seconds(30));
  EXPECT_EQ(grade.value, GradeValue::clean);
  EXPECT_THAT(grade.reasons, IsEmpty());
  EXPECT_THAT(run.told, IsEmpty());
  EXPECT_EQ(run.cluster.asked("pg ls"), 2);
  EXPECT_EQ(run.cluster.asked("osd dump"), 1) << "the map is the same all the time";
  EXPECT_GE(run.cluster.asked("status"), 12);
}

TEST(ClusterWatch, Scrub_ContaminatesAndIsReportedWhenSeen) {
  AWatch run;
  run.watch.open(seconds(0));
  run.pass(0, 5);
  run.pg_is("active+clean+scrubbing+deep");
  run.pass(6, 16);
  run.pg_is("");
  run.pass(17, 25);
  const auto grade = run.watch.finish(seconds(25));
  EXPECT_EQ(grade.value, GradeValue::contaminated);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("PG 2.1f was deep-scrubbed (osd.3), ")));
  EXPECT_THAT(run.told, ElementsAre("PG 2.1f was deep-scrubbed (osd.3)"));
}

TEST(ClusterWatch, DisturbanceOfTheWarmUp_DoesNotCount) {
  AWatch run;
  run.pg_is("active+clean+scrubbing");
  run.pass(0, 8);
  run.pg_is("");
  run.pass(9, 20);
  EXPECT_THAT(run.told, SizeIs(1));
  run.watch.open(seconds(20));
  run.pass(21, 25);
  EXPECT_EQ(run.watch.finish(seconds(25)).value, GradeValue::clean);
}

TEST(ClusterWatch, ARestartThatTheLastLookShowsCounts) {
  AWatch run;
  run.watch.open(seconds(0));
  run.pass(0, 3);
  run.cluster.osd_restarts(3);
  const auto grade = run.watch.finish(seconds(4));
  EXPECT_EQ(grade.value, GradeValue::contaminated);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("osd.3 was restarted")));
}

TEST(ClusterWatch, FilesWhoseMapChanged_AreNotGraded) {
  const observe::Measured files = {.pool = 2, .osds = {3}, .whole_pools = {2, 5}};
  AWatch still(files);
  still.cluster.map_changes();
  still.pass(0, 3);
  still.watch.open(seconds(3));  // the change was in the warm-up
  still.pass(4, 8);
  EXPECT_EQ(still.watch.finish(seconds(8)).value, GradeValue::clean);
  AWatch moving(files);
  moving.watch.open(seconds(0));
  moving.cluster.map_changes();
  moving.pass(1, 5);
  const auto grade = moving.watch.finish(seconds(5));
  EXPECT_EQ(grade.value, GradeValue::unwatched);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("the osdmap changed")));
}

TEST(ClusterWatch, WithoutRightsOnTheMgrARunIsNotGraded) {
  AWatch denied;
  denied.cluster.mgr_answers_with(EACCES);
  denied.watch.open(seconds(0));
  denied.pass(0, 5);
  const auto grade = denied.watch.finish(seconds(5));
  EXPECT_EQ(grade.value, GradeValue::unwatched);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("what the mgr shows was not watched")));
}

TEST(ClusterWatch, MgrMissingFor14s_RunIsNotGraded) {
  AWatch run;
  run.watch.open(seconds(0));
  run.pass(0, 20);
  run.cluster.mgr_answers_with(ETIMEDOUT);
  run.pass(21, 35);
  run.cluster.mgr_answers_with(0);
  run.pass(36, 50);
  const auto grade = run.watch.finish(seconds(50));
  EXPECT_EQ(grade.value, GradeValue::unwatched);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("what the mgr shows was not watched for ")));
}

TEST(ClusterWatch, MgrWithoutABalancer_CountsAsSeen) {
  AWatch run;
  run.cluster.mgr_answers_with(ENOTSUP);
  run.watch.open(seconds(0));
  run.pass(0, 12);
  EXPECT_EQ(run.watch.finish(seconds(12)).value, GradeValue::clean);
}

TEST(ClusterWatch, MonsGoneAtTheEnd_RunIsNotGraded) {
  AWatch run;
  run.watch.open(seconds(0));
  run.pass(0, 8);
  run.cluster.mons_answer_with(ETIMEDOUT);
  const auto grade = run.watch.finish(seconds(9));
  EXPECT_EQ(grade.value, GradeValue::unwatched);
  EXPECT_THAT(grade.reasons, Contains(HasSubstr("what the mons show was not watched")));
}

TEST(ClusterWatch, PartsNotWatchedElsewhere_MakeTheGradeUnwatched) {
  AWatch run;
  run.watch.open(seconds(0));
  run.pass(0, 3);
  const auto grade = run.watch.finish(seconds(4), {"3 PGs were not checked"});
  EXPECT_EQ(grade.value, GradeValue::unwatched);
  EXPECT_THAT(grade.reasons, ElementsAre("3 PGs were not checked"));
}

TEST(GradeOfDisturbances, TheWorstIsFirstAndManyOfAKindAreCounted) {
  using observe::Harm;
  std::vector<observe::Disturbance> found;
  for (int pg = 0; pg < 5; ++pg) {
    found.push_back(
        {.harm = Harm::contaminated, .kind = "scrub", .what = fmt::format("PG {}", pg)});
  }
  found.push_back({.harm = Harm::void_run,
                   .kind = "restart",
                   .what = "osd.3 was restarted",
                   .from = seconds(14),
                   .to = seconds(19)});
  const auto grade = grade_of(found, {"the mgr was not watched"}, seconds(2));
  EXPECT_EQ(grade.value, GradeValue::void_run);
  EXPECT_THAT(grade.reasons,
              ElementsAre("osd.3 was restarted, 12 to 17 s", "PG 0, at 0 s", "PG 1, at 0 s",
                          "PG 2, at 0 s", "2 more of the kind scrub", "the mgr was not watched"));
}

TEST(GradeOfDisturbances, OnlyNotedDisturbances_RunIsClean) {
  const auto grade = grade_of({{.kind = "OSD_NEARFULL", .what = "1 nearfull osd(s)"}}, {}, Time(0));
  EXPECT_EQ(grade.value, GradeValue::clean);
  EXPECT_THAT(grade.reasons, ElementsAre("1 nearfull osd(s), at 0 s"));
}

}  // namespace
}  // namespace radosload::watch
