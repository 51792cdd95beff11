#include <gtest/gtest.h>
#include <gmock/gmock.h>

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
using testing::pg;
using testing::stamp;
using testing::TimedWorld;

// A PG that is scrubbed from `begin` to `end` seconds after the start, and seen `lag` s later.
json scrubbed_pg(const std::string& id, double now, double begin, double end, double lag = 0) {
  const double seen = now - lag;
  const bool at_work = seen >= begin && seen < end;
  json one = pg(id, at_work ? "active+clean+scrubbing" : "active+clean");
  if (seen >= end) one["last_scrub_stamp"] = stamp(end);
  return one;
}

TEST(TimedScrub, ReleaseWithoutDurations_QueueAndWorkAreSeparateWithTheError) {
  TimedWorld world;
  world.cluster.pgs_now = [&] {
    const double now = world.cluster.after();
    return json::array({scrubbed_pg("1.0", now, 10, 20), scrubbed_pg("1.1", now, 40, 55)});
  };
  const Row row = time_scrub(world.world(), 0, {});
  EXPECT_EQ(row.failure, "");
  ASSERT_TRUE(row.scrub);
  EXPECT_EQ(row.scrub->done, 2U);
  EXPECT_EQ(row.scrub->first, Time(seconds(10)));
  EXPECT_EQ(row.scrub->work, seconds(10 + 15));
  EXPECT_EQ(row.scrub->finished, Time(seconds(55)));
  EXPECT_EQ(row.scrub->queued(), Time(seconds(30)));
  EXPECT_EQ(row.scrub->error, statistics_lag);
  EXPECT_THAT(world.cluster.told, ElementsAre("osd scrub"));
}

TEST(TimedScrub, AReleaseWithDurations_TheyAreTheWorkWithoutAnError) {
  TimedWorld world;
  world.cluster.pgs_now = [&] {
    json one = scrubbed_pg("1.0", world.cluster.after(), 10, 20, 5);
    if (one["last_scrub_stamp"] == stamp(20)) one["scrub_duration"] = 2.5;
    return json::array({one});
  };
  const Row row = time_scrub(world.world(), 0, {});
  EXPECT_EQ(row.scrub->work, milliseconds(2500));
  EXPECT_EQ(row.scrub->first, Time(milliseconds(17500)));
  EXPECT_EQ(row.scrub->finished, Time(seconds(20)));
  EXPECT_EQ(row.scrub->error, Time{0});
}

TEST(TimedScrub, TwoPgsAtOnce_WorkIsAtMostTheElapsedTime) {
  TimedWorld world;
  world.cluster.pgs_now = [&] {
    const double now = world.cluster.after();
    return json::array({scrubbed_pg("1.0", now, 10, 20), scrubbed_pg("1.1", now, 15, 30)});
  };
  const Row row = time_scrub(world.world(), 0, {});
  EXPECT_EQ(row.scrub->work, seconds(20));
  EXPECT_EQ(row.scrub->queued(), Time(seconds(10)));
}

TEST(TimedScrub, TooShortToBeSeenAtWork_IsCountedAsDoneAndUnseen) {
  TimedWorld world;
  world.cluster.pgs_now = [&] {
    json one = pg("1.0", "active+clean");
    if (world.cluster.after() >= 8) one["last_scrub_stamp"] = stamp(4.5);
    return json::array({one});
  };
  const Row row = time_scrub(world.world(), 0, {});
  EXPECT_EQ(row.scrub->unseen, 1U);
  EXPECT_EQ(row.scrub->finished, Time(milliseconds(4500)));
  EXPECT_EQ(row.scrub->work, Time{0});
}

TEST(TimedScrub, DeepScrubIsNotEndedByTheStampOfAnOtherScrub) {
  TimedWorld world;
  world.cluster.pgs_now = [&] {
    json one = pg("1.0", "active+clean");
    if (world.cluster.after() >= 5) one["last_scrub_stamp"] = stamp(5);
    if (world.cluster.after() >= 9) one["last_deep_scrub_stamp"] = stamp(9);
    return json::array({one});
  };
  const Row row = time_scrub(world.world(), 0, {.deep = true});
  EXPECT_EQ(row.scrub->finished, Time(seconds(9)));
  EXPECT_THAT(world.cluster.told, ElementsAre("osd deep-scrub"));
}

TEST(TimedScrub, NeverBegins_TheReasonIsTheFlagTheStateOrTheOtherScrub) {
  TimedWorld world;
  world.cluster.pgs_now = [] {
    return json::array({pg("1.0", "active+clean"), pg("1.1", "active+undersized+degraded")});
  };
  world.cluster.map["flags_set"] = json::array({"noscrub"});
  const Row flagged = time_scrub(world.world(), 0, {.limit = minutes(2)});
  EXPECT_EQ(flagged.elapsed, minutes(2));
  EXPECT_THAT(flagged.failure, HasSubstr("2 of 2 PGs were not scrubbed within 2 m"));
  EXPECT_THAT(flagged.scrub->waiting,
              ElementsAre("1 PG: never began: the cluster's flag noscrub is set",
                          "1 PG: never began: the state is active+undersized+degraded"));
  EXPECT_FALSE(flagged.scrub->first);
  EXPECT_FALSE(flagged.scrub->finished);

  world.cluster.map["flags_set"] = json::array();
  world.cluster.pgs_now = [&] {
    // Of another primary: the watch does not know it.
    json all = json::array({pg("1.0", "active+clean")});
    if (world.cluster.after() > 130) all.push_back(pg("2.7", "active+clean+scrubbing+deep"));
    return all;
  };
  const Row busy = time_scrub(world.world(), 0, {.limit = minutes(2)});
  ASSERT_EQ(busy.scrub->waiting.size(), 1U);
  EXPECT_THAT(busy.scrub->waiting[0], HasSubstr("osd.0 is scrubbing PG 2.7"));
}

TEST(TimedScrub, InterruptedKeepsWhatWasDone) {
  TimedWorld world;
  world.interrupted_at = seconds(30);
  world.cluster.pgs_now = [&] {
    const double now = world.cluster.after();
    return json::array({scrubbed_pg("1.0", now, 10, 20), scrubbed_pg("1.1", now, 25, 99)});
  };
  const Session session =
      run_turns(world.world(), {.timer = Timer::scrub}, {{.osd = 0}, {.osd = 1}});
  EXPECT_TRUE(session.interrupted);
  ASSERT_EQ(session.rows.size(), 1U);
  EXPECT_EQ(session.rows[0].scrub->done, 1U);
  EXPECT_THAT(session.rows[0].failure, HasSubstr("interrupted"));
  EXPECT_THAT(session.rows[0].scrub->waiting, ElementsAre("1 PG: began, and did not finish"));
}

// The OSD's clock is an hour ahead: its stamps say nothing about our order.
TEST(TimedScrub, AStampThatCannotBe_IsReplacedByWhenItWasSeen) {
  TimedWorld world;
  world.cluster.pgs_now = [&] {
    json one = pg("1.0", "active+clean");
    if (world.cluster.after() >= 5) one["last_scrub_stamp"] = stamp(3605);
    return json::array({one});
  };
  const Row row = time_scrub(world.world(), 0, {});
  EXPECT_EQ(row.scrub->finished, Time(seconds(5)));
}

TEST(Turns, EveryRoundHasEveryOsdOnceAndTheSeedTheOrder) {
  const std::vector<std::int32_t> osds = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto first = turns(osds, 3, 7);
  ASSERT_EQ(first.size(), 24U);
  std::vector<std::vector<std::int32_t>> orders;
  for (std::size_t round = 0; round < 3; ++round) {
    std::vector<std::int32_t> order;
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(first[round * 8 + i].round, round + 1);
      order.push_back(first[round * 8 + i].osd);
    }
    EXPECT_THAT(order, ::testing::UnorderedElementsAreArray(osds));
    orders.push_back(order);
  }
  EXPECT_NE(orders[0], orders[1]);
  const auto again = turns(osds, 3, 7);
  const auto other = turns(osds, 3, 8);
  const auto same = [](const Turn& a, const Turn& b) { return a.osd == b.osd; };
  EXPECT_TRUE(std::equal(first.begin(), first.end(), again.begin(), same));
  EXPECT_FALSE(std::equal(first.begin(), first.end(), other.begin(), same));
}

}  // namespace
}  // namespace radosload::timers
