// What was watched, and what a run is graded by it.
#include <cerrno>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

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

// A cluster of one pool, whose answers a test changes while it is asked.
struct Script {
  std::mutex mutex;
  int epoch = 10;
  int nonce = 77;
  std::string state = "active+clean";
  int mgr_errno = 0;
  int mon_errno = 0;
  std::map<std::string, int> asked;

  void set(auto change) {
    const std::lock_guard lock(mutex);
    change(*this);
  }
};

class ScriptedCluster final : public AdminCommands {
 public:
  explicit ScriptedCluster(std::shared_ptr<Script> script) : m_script(std::move(script)) {}

  Result<std::string> mon(const std::string& command) override {
    const std::lock_guard lock(m_script->mutex);
    if (m_script->mon_errno != 0) return denied(m_script->mon_errno);
    if (command.find("osd dump") != std::string::npos) {
      ++m_script->asked["osd dump"];
      return fmt::format(
          R"({{"osds":[{{"osd":3,"up":1,"up_from":5,"public_addrs":{{"addrvec":[{{"nonce":{}}}]}}}}],)"
          R"("pools":[{{"pool":2,"pool_name":"hdd","pg_num":32,"pg_num_target":32}}]}})",
          m_script->nonce);
    }
    ++m_script->asked["status"];
    return fmt::format(R"({{"quorum_names":["a"],"election_epoch":3,"osdmap":{{"epoch":{}}},)"
                       R"("pgmap":{{"pgs_by_state":[{{"state_name":"{}","count":1}}]}}}})",
                       m_script->epoch, m_script->state);
  }
  Result<std::string> mgr(const std::string& command) override {
    const std::lock_guard lock(m_script->mutex);
    if (m_script->mgr_errno != 0) return denied(m_script->mgr_errno);
    if (command.find("pg ls") != std::string::npos) {
      ++m_script->asked["pg ls"];
      return fmt::format(
          R"({{"pg_stats":[{{"pgid":"2.1f","state":"{}","acting":[3],"acting_primary":3}}]}})",
          m_script->state);
    }
    ++m_script->asked["balancer"];
    return std::string(R"({"active":false,"plans":[]})");
  }
  Result<std::string> osd(int, const std::string&) override { return denied(EACCES); }

 private:
  static Result<std::string> denied(int code) {
    return fail({.attempt = "ask", .reason = "no", .errnum = code, .exit = Exit::no_cluster});
  }

  std::shared_ptr<Script> m_script;
};

struct AWatch {
  observe::Measured measured;
  std::shared_ptr<Script> script = std::make_shared<Script>();
  ClusterWatch watch{std::make_shared<OneAtATime>(std::make_unique<ScriptedCluster>(script)),
                     measured};
  std::vector<std::string> told;

  explicit AWatch(observe::Measured uses = {.pool = 2, .pgs = {0x1f}, .osds = {3}})
      : measured(std::move(uses)) {
    watch.begin();
  }
  int asked(const std::string& what) {
    const std::lock_guard lock(script->mutex);
    return script->asked[what];
  }
  // Looks as a ticker does; virtual time passes once the answers are there.
  void pass(int from, int to) {
    for (int at = from; at <= to; ++at) {
      for (auto& text : watch.poll(seconds(at))) told.push_back(std::move(text));
      while (watch.waiting()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

TEST(ClusterWatch, AQuietRunIsCleanAndNoPgWasListed) {
  AWatch run;
  run.watch.open(seconds(0));
  run.pass(0, 30);
  const auto grade = run.watch.finish(seconds(30));
  EXPECT_EQ(grade.value, GradeValue::clean);
  EXPECT_THAT(grade.reasons, IsEmpty());
  EXPECT_THAT(run.told, IsEmpty());
  EXPECT_EQ(run.asked("pg ls"), 0);
  EXPECT_EQ(run.asked("osd dump"), 1) << "the map is the same all the time";
  EXPECT_GE(run.asked("status"), 12);
}

TEST(ClusterWatch, Scrub_ContaminatesAndIsReportedWhenSeen) {
  AWatch run;
  run.watch.open(seconds(0));
  run.pass(0, 5);
  run.script->set([](Script& script) { script.state = "active+clean+scrubbing+deep"; });
  run.pass(6, 16);
  run.script->set([](Script& script) { script.state = "active+clean"; });
  run.pass(17, 25);
  const auto grade = run.watch.finish(seconds(25));
  EXPECT_EQ(grade.value, GradeValue::contaminated);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("PG 2.1f was deep-scrubbed (osd.3), ")));
  EXPECT_THAT(run.told, ElementsAre("PG 2.1f was deep-scrubbed (osd.3)"));
}

TEST(ClusterWatch, DisturbanceOfTheWarmUp_DoesNotCount) {
  AWatch run;
  run.script->set([](Script& script) { script.state = "active+clean+scrubbing"; });
  run.pass(0, 8);
  run.script->set([](Script& script) { script.state = "active+clean"; });
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
  run.script->set([](Script& script) {
    ++script.epoch;
    ++script.nonce;
  });
  const auto grade = run.watch.finish(seconds(4));
  EXPECT_EQ(grade.value, GradeValue::contaminated);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("osd.3 was restarted")));
}

TEST(ClusterWatch, FilesWhoseMapChanged_AreNotGraded) {
  const observe::Measured files = {.pool = 2, .osds = {3}, .whole_pools = {2, 5}};
  AWatch still(files);
  still.script->set([](Script& script) { ++script.epoch; });
  still.pass(0, 3);
  still.watch.open(seconds(3));  // the change was in the warm-up
  still.pass(4, 8);
  EXPECT_EQ(still.watch.finish(seconds(8)).value, GradeValue::clean);
  AWatch moving(files);
  moving.watch.open(seconds(0));
  moving.script->set([](Script& script) { ++script.epoch; });
  moving.pass(1, 5);
  const auto grade = moving.watch.finish(seconds(5));
  EXPECT_EQ(grade.value, GradeValue::unwatched);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("the osdmap changed")));
}

TEST(ClusterWatch, WithoutRightsOnTheMgrARunIsNotGraded) {
  AWatch denied;
  denied.script->set([](Script& script) { script.mgr_errno = EACCES; });
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
  run.script->set([](Script& script) { script.mgr_errno = ETIMEDOUT; });
  run.pass(21, 35);
  run.script->set([](Script& script) { script.mgr_errno = 0; });
  run.pass(36, 50);
  const auto grade = run.watch.finish(seconds(50));
  EXPECT_EQ(grade.value, GradeValue::unwatched);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("what the mgr shows was not watched for ")));
}

TEST(ClusterWatch, MgrWithoutABalancer_CountsAsSeen) {
  AWatch run;
  run.script->set([](Script& script) { script.mgr_errno = ENOTSUP; });
  run.watch.open(seconds(0));
  run.pass(0, 12);
  EXPECT_EQ(run.watch.finish(seconds(12)).value, GradeValue::clean);
}

TEST(ClusterWatch, MonsGoneAtTheEnd_RunIsNotGraded) {
  AWatch run;
  run.watch.open(seconds(0));
  run.pass(0, 8);
  run.script->set([](Script& script) { script.mon_errno = ETIMEDOUT; });
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
