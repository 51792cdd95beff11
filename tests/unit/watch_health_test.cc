// What a pass does about the health of its cluster, and who asks for it.
#include <cerrno>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "engine/sim_loop.h"
#include "prepare/inactive_pgs.h"
#include "run/measure.h"
#include "support/sim_run.h"
#include "support/simulated_cluster.h"
#include "target/sim_target.h"
#include "watch/health_guard.h"

namespace radosload::watch {
namespace {

using observe::HealthWatch;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Notes final : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string& text) override { lines.push_back(text); }
  std::vector<std::string> lines;
};

struct Watched {
  run::PassEnd end;
  std::vector<record::Event> events;
  std::vector<std::string> notes;
};

// Half a minute of virtual load, with a cluster that raises an alarm after ten seconds of it.
Watched run_with_alarm(bool push_through) {
  base::Interrupts interrupts;
  Notes notes;
  Watched watched;
  engine::SimLoop loop;
  target::SimTarget target(*target::parse_sim("latency=const:1ms"), 1, {&loop});
  run::Pass pass{.plan = test::plan_for("randread4k,qd=4", seconds(30)), .name = "measure"};
  pass.on_event = [&](record::Event event) { watched.events.push_back(std::move(event)); };
  pass.ends = run::end_conditions(push_through);
  pass.health = [told = false](Time now, Time) mutable {
    HealthWatch::Finding finding;
    if (now < seconds(10)) return finding;
    if (!std::exchange(told, true)) finding.changes = {"OSD_FULL: 1 full osd(s)"};
    finding.alarm = "1 full osd(s)";
    return finding;
  };
  const run::Stage stage{.control = &loop, .lanes = {&loop}};
  auto end = run::run_pass(std::move(pass), target, stage, interrupts, notes);
  if (!end) throw std::runtime_error(end.error().message());
  watched.end = *std::move(end);
  watched.notes = std::move(notes.lines);
  return watched;
}

std::vector<std::string> health_events(const Watched& watched) {
  std::vector<std::string> texts;
  for (const auto& event : watched.events) {
    if (event.kind == "health" || event.kind == "alarm") texts.push_back(event.text);
  }
  return texts;
}

std::string alarm_of(const Watched& watched) {
  for (const run::Ending& met : watched.end.met) {
    if (met.by == record::EndedBy::health) return met.reason;
  }
  return "";
}

TEST(PassHealth, Alarm_EndsThePassAndIsReportedOnce) {
  const Watched watched = run_with_alarm(false);
  EXPECT_EQ(watched.end.end.ended_by, record::EndedBy::health);
  EXPECT_LT(watched.end.end.measured, seconds(12));
  EXPECT_EQ(alarm_of(watched), "1 full osd(s)");
  EXPECT_THAT(health_events(watched), ElementsAre("OSD_FULL: 1 full osd(s)", "1 full osd(s)"));
  EXPECT_THAT(watched.notes, Contains("1 full osd(s); ending the run").Times(1));
}

TEST(PassHealth, PushThrough_ThePassContinuesAndRecordsTheAlarm) {
  const Watched watched = run_with_alarm(true);
  EXPECT_EQ(watched.end.end.ended_by, record::EndedBy::time);
  EXPECT_EQ(watched.end.end.measured, seconds(30));
  EXPECT_EQ(alarm_of(watched), "1 full osd(s)");
  EXPECT_THAT(watched.notes, Contains("1 full osd(s); the run continues").Times(1));
}

// What a check reports that is made at that time.
HealthWatch::Finding checked_at(HealthGuard& guard, Time now) {
  guard.poll(now);
  while (guard.waiting()) std::this_thread::yield();
  return guard.poll(now);
}

TEST(HealthGuard, ReportsChangesAndRaisesTheAlarm) {
  test::SimulatedCluster cluster;
  HealthGuard guard(cluster.connect(), HealthWatch({}, "hdd"));
  EXPECT_THAT(checked_at(guard, seconds(0)).changes, IsEmpty());
  cluster.health_says("OSD_FULL", "1 full osd(s)", "HEALTH_ERR");
  const auto finding = checked_at(guard, seconds(2));
  EXPECT_THAT(finding.changes, ElementsAre(HasSubstr("1 full osd(s)")));
  EXPECT_TRUE(finding.alarm);
}

TEST(HealthGuard, UnansweredCheck_IsReportedOnceAndIsNoAlarm) {
  test::SimulatedCluster cluster;
  HealthGuard guard(cluster.connect(), HealthWatch({}, "hdd"));
  cluster.mons_answer_with(ETIMEDOUT);
  const auto lost = checked_at(guard, seconds(0));
  EXPECT_THAT(lost.changes, ElementsAre(HasSubstr("unknown for now")));
  EXPECT_FALSE(lost.alarm);
  EXPECT_THAT(checked_at(guard, seconds(2)).changes, IsEmpty());
  cluster.mons_answer_with(0);
  EXPECT_THAT(checked_at(guard, seconds(4)).changes, ElementsAre(HasSubstr("known again")));
}

TEST(HealthGuard, APassWithAClockOfItsOwnIsWatchedFromItsStart) {
  test::SimulatedCluster cluster;
  HealthGuard guard(cluster.connect(), HealthWatch({}, "hdd"));
  checked_at(guard, seconds(1000));
  cluster.health_says("OSD_FULL", "1 full osd(s)", "HEALTH_ERR");
  EXPECT_TRUE(checked_at(guard, seconds(0)).alarm);
}

placement::SpaceView space_of(const std::string& pgs) {
  placement::SpaceView space;
  space.pool.id = 2;
  space.pool.name = "hdd";
  space.pgs = *placement::PgMap::parse_pgs_brief(pgs, 2);
  return space;
}

TEST(InactivePgs, AreNamedWithTheOsdsTheyWaitFor) {
  const auto space = space_of(R"([
      {"pgid": "2.0", "state": "active+clean", "acting": [1], "acting_primary": 1},
      {"pgid": "2.1", "state": "stale+undersized+peered", "acting": [0], "acting_primary": 0},
      {"pgid": "2.1f", "state": "unknown", "acting": [], "acting_primary": -1},
      {"pgid": "3.4", "state": "down", "acting": [], "acting_primary": -1}])");
  EXPECT_THAT(
      *prepare::inactive_pgs(space),
      AllOf(HasSubstr("2 of 3 PGs of pool hdd"), HasSubstr("2.1 waits on osd.0, 2.1f has no OSD")));
}

TEST(InactivePgs, DownOsd_ItsPgsAreInactiveEvenIfTheMgrIsOutOfDate) {
  auto space = space_of(R"([
      {"pgid": "2.0", "state": "active+clean", "acting": [1,0], "acting_primary": 1},
      {"pgid": "2.1", "state": "active+clean", "acting": [0], "acting_primary": 0}])");
  EXPECT_FALSE(prepare::inactive_pgs(space));
  space.down = {0};
  EXPECT_THAT(*prepare::inactive_pgs(space),
              AllOf(HasSubstr("1 of 2 PGs of pool hdd"), HasSubstr("2.1 waits on osd.0")));
}

TEST(InactivePgs, ActiveAndUnseenPgs_AreNotNamed) {
  EXPECT_FALSE(prepare::inactive_pgs(space_of(
      R"([{"pgid": "2.0", "state": "active+undersized", "acting": [1], "acting_primary": 1}])")));
  EXPECT_FALSE(prepare::inactive_pgs(space_of("[]")));
}

}  // namespace
}  // namespace radosload::watch
