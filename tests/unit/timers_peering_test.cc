#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/owner.h"
#include "timers/ok_to_stop.h"
#include "timers_support.h"

namespace radosload::timers {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::json;
using testing::life;
using ::testing::Not;
using testing::pg;
using ::testing::SizeIs;
using testing::stamp;
using testing::TimedCluster;
using testing::TimedWorld;

// Down from 2 s on, up from 10 s on, its PGs active at 13 s (told at 15 s) and clean at 20 s.
struct RestartingWorld : TimedWorld {
  double down = 2;
  double up = 10;
  double active = 13;
  double told = 15;
  double clean = 20;

  RestartingWorld() {
    job_takes = seconds(6);
    cluster.life_now = [this] {
      const double now = cluster.after();
      if (now < down) return life(true, 10);
      return now < up ? life(false, 10) : life(true, 12);
    };
    cluster.pgs_now = [this] { return json::array({pg_now("1.0"), pg_now("1.1")}); };
  }
  json pg_now(const std::string& id) const {
    const double now = cluster.after();
    if (now < told) return pg(id, "active+clean", 10);  // of before
    json one = pg(id, now < clean ? "active+undersized" : "active+clean", 12);
    one["last_became_active"] = stamp(active);
    one["last_change"] = stamp(now < clean ? active : clean - 1.5);
    return one;
  }
  Row time(Time limit = minutes(10)) {
    return time_peering(world(), 3, {.restart = "restart {osd} {osd}", .limit = limit});
  }
};

TEST(TimedPeering, EveryPhaseIsStampedAndNooutIsSetBeforeAndUnsetAfter) {
  RestartingWorld world;
  const Row row = world.time();
  EXPECT_EQ(row.failure, "");
  ASSERT_TRUE(row.peering);
  EXPECT_EQ(row.peering->down, Time(seconds(2)));
  EXPECT_EQ(row.peering->up, Time(seconds(10)));
  EXPECT_EQ(row.peering->active, Time(seconds(13)));
  EXPECT_TRUE(row.peering->by_stamps);
  EXPECT_EQ(row.peering->clean, Time(milliseconds(18500)));
  EXPECT_THAT(world.jobs, ElementsAre("restart 3 3"));
  EXPECT_THAT(world.cluster.told,
              ElementsAre("config-key set", "osd set-group", "osd unset-group", "config-key rm"));
  EXPECT_FALSE(world.cluster.noout);
  EXPECT_THAT(world.cluster.keys, IsEmpty());
}

// The map still says "up" for a while after the order, and the mgr's statistics still say "clean".
TEST(TimedPeering, StaleUpAndStaleStatistics_DoNotEndTheTiming) {
  RestartingWorld world;
  world.down = 30;
  world.up = 40;
  world.active = 44;
  world.told = 60;
  world.clean = 60;
  const Row row = world.time();
  EXPECT_EQ(row.peering->down, Time(seconds(30)));
  EXPECT_EQ(row.peering->up, Time(seconds(40)));
  EXPECT_EQ(row.peering->active, Time(seconds(44)));
  EXPECT_EQ(row.peering->clean, Time(milliseconds(58500)));
}

TEST(TimedPeering, UpAgainBeforeItWasSeenDown_HasNoDownAndIsTimed) {
  RestartingWorld world;
  world.down = world.up = 4;
  const Row row = world.time();
  EXPECT_EQ(row.failure, "");
  EXPECT_FALSE(row.peering->down);
  EXPECT_EQ(row.peering->up, Time(seconds(4)));
}

TEST(TimedPeering, OneInactivePg_TimingContinues) {
  RestartingWorld world;
  world.cluster.pgs_now = [&] {
    json second = world.pg_now("1.1");
    if (world.cluster.after() >= world.told && world.cluster.after() < 100) {
      second["state"] = "peering";
    }
    if (world.cluster.after() >= 100) second["last_became_active"] = stamp(99.5);
    return json::array({world.pg_now("1.0"), second});
  };
  const Row row = world.time();
  EXPECT_EQ(row.peering->active, Time(milliseconds(99500)));
}

TEST(TimedPeering, OsdNeverReturns_ResultsAreKeptAndTheFlagIsUnset) {
  RestartingWorld world;
  world.up = 1e9;
  const Row row = world.time(minutes(1));
  EXPECT_THAT(row.failure, HasSubstr("did not return within 60 s"));
  EXPECT_EQ(row.peering->down, Time(seconds(2)));
  EXPECT_FALSE(row.peering->up);
  EXPECT_FALSE(world.cluster.noout);
  EXPECT_THAT(world.cluster.keys, IsEmpty());
}

TEST(TimedPeering, RestartCommandFails_ReasonIsReportedAndTheFlagIsUnset) {
  RestartingWorld world;
  world.job_answer = fail({.attempt = "run the restart command", .reason = "exit status 7"});
  const Row row = world.time();
  EXPECT_THAT(row.failure, HasSubstr("exit status 7"));
  EXPECT_EQ(row.elapsed, seconds(6));
  EXPECT_TRUE(row.peering->down);
  EXPECT_FALSE(world.cluster.noout);
}

TEST(TimedPeering, InterruptedAtAnyTime_TheFlagIsUnset) {
  for (int at = 0; at < 22; ++at) {
    RestartingWorld world;
    world.interrupted_at = seconds(at);
    const Row row = world.time();
    EXPECT_EQ(row.failure.empty(), at >= 20) << at << row.failure;
    EXPECT_FALSE(world.cluster.noout) << at;
    EXPECT_THAT(world.cluster.keys, IsEmpty()) << at;
  }
}

TEST(TimedPeering, AFlagThatWasThereBeforeStays) {
  RestartingWorld world;
  world.cluster.noout = true;
  const Row row = world.time();
  EXPECT_EQ(row.failure, "");
  EXPECT_TRUE(row.peering->noout_was_there);
  EXPECT_TRUE(world.cluster.noout);
  EXPECT_THAT(world.cluster.told, IsEmpty());
}

TEST(TimedPeering, TheFlagCannotBeNoted_NothingIsStopped) {
  RestartingWorld world;
  world.cluster.errors["config-key set"] = EACCES;
  const Row row = world.time();
  EXPECT_THAT(row.failure, HasSubstr("config-key"));
  EXPECT_FALSE(row.peering);
  EXPECT_THAT(world.jobs, IsEmpty());
  EXPECT_THAT(world.cluster.told, IsEmpty());
}

TEST(TimedPeering, TheFlagCannotBeUnset_TheRowNamesTheCommandThatRemovesIt) {
  RestartingWorld world;
  world.cluster.errors["osd unset-group"] = EACCES;
  const Row row = world.time();
  EXPECT_TRUE(row.peering->clean);
  EXPECT_THAT(row.failure, HasSubstr("radosload cleanup --flags"));
  EXPECT_THAT(world.cluster.keys, SizeIs(1)) << "the note finds the flag later";
}

TEST(TimedPeering, MarkDown_IsOrderedFromTheMons) {
  RestartingWorld world;
  const Row row = time_peering(world.world(), 3, {});
  EXPECT_EQ(row.failure, "");
  EXPECT_THAT(world.jobs, IsEmpty());
  EXPECT_THAT(world.cluster.told, ::testing::Contains("osd down"));
}

TEST(TimedPeering, NotOkToStop_IsARefusalAndNoOsdAfterItIsStopped) {
  RestartingWorld world;
  world.cluster.errors["osd ok-to-stop"] = EBUSY;
  const auto allowed = ok_to_stop(world.cluster, 3);
  ASSERT_FALSE(allowed);
  EXPECT_EQ(allowed.error().exit, Exit::refused);
  const Session session = run_turns(world.world(), {.timer = Timer::peering, .restart = "r {osd}"},
                                    {{.osd = 3}, {.osd = 4}});
  EXPECT_THAT(session.rows, SizeIs(1));
  EXPECT_FALSE(session.complete());
  EXPECT_THAT(world.jobs, IsEmpty());
}

// The PGs of osd.3: pool 1 has size 1, pool 2 has size 3, and in pool 3 a shard is missing.
TEST(OkToStop, PgsOfPoolsThatMayBeOfflineAreNoReason) {
  TimedCluster cluster;
  cluster.errors["osd ok-to-stop"] = EBUSY;
  const auto pool = [](int id, const char* name, int min_size) {
    return json{{"pool", id}, {"pool_name", name}, {"min_size", min_size}, {"size", 3}};
  };
  cluster.map["pools"] = {pool(1, "single", 1), pool(2, "safe", 2), pool(3, "shards", 2)};
  const auto pg_on = [](const char* id, const json& acting) {
    json one = pg(id, "active");
    one["acting"] = acting;
    return one;
  };
  const json single = pg_on("1.0", {3});
  const json safe = pg_on("2.0", {3, 4, 5});
  const json shards = pg_on("3.0", {3, 2147483647, 5});
  cluster.pgs_now = [&] { return json::array({single, safe}); };
  EXPECT_TRUE(ok_to_stop(cluster, 3, {"single"}));
  const auto refused = ok_to_stop(cluster, 3, {"safe"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().hint, HasSubstr("--offline-pools single"));
  cluster.pgs_now = [&] { return json::array({single, safe, shards}); };
  EXPECT_FALSE(ok_to_stop(cluster, 3, {"single"}));
  EXPECT_TRUE(ok_to_stop(cluster, 3, {"single", "shards"}));
  // Whatever else the manager's reason is, it is not one of these pools.
  cluster.pgs_now = [&] { return json::array({safe}); };
  EXPECT_FALSE(ok_to_stop(cluster, 3, {"single", "safe", "shards"}));
  cluster.errors["osd ok-to-stop"] = EAGAIN;
  EXPECT_FALSE(ok_to_stop(cluster, 3, {"single"}));
}

struct KilledInBetween {};

// Killed before the command with this number; false: it had ended before that.
bool killed_at(RestartingWorld& world, int last) {
  footprint::Owner owner = footprint::this_process();
  owner.started_ticks += 1;  // a process of this machine that has ended
  world.cluster.before = [last](const std::string&) mutable {
    if (last-- == 0) throw KilledInBetween{};
  };
  bool killed = false;
  try {
    time_peering(world.world(), 3, {.restart = "restart {osd}", .note = {.owner = owner}});
  } catch (const KilledInBetween&) {
    killed = true;
  }
  world.cluster.before = [](const std::string&) {};
  return killed;
}

TEST(TimedPeering, KilledAtAnyCommand_CleanupMendsAndAFlagThatWasThereStays) {
  for (const bool there : {false, true}) {
    int last = 0;
    for (bool killed = true; killed; ++last) {
      RestartingWorld world;
      world.cluster.noout = there;
      killed = killed_at(world, last);
      ASSERT_TRUE(footprint::remove_flags(world.cluster, {}));
      EXPECT_EQ(world.cluster.noout, there) << last;
      EXPECT_THAT(world.cluster.keys, IsEmpty()) << last;
    }
    EXPECT_GT(last, 20);
  }
}

}  // namespace
}  // namespace radosload::timers
