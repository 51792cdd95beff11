#include <cerrno>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "probe/rounds.h"
#include "probe/service.h"
#include "probe_support.h"

namespace radosload::probe {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using Seconds = std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ProbeService : public ::testing::Test {
 protected:
  ProbeService() {
    for (std::int32_t osd = 0; osd < 6; ++osd) {
      prober.targets.push_back({.osd = osd, .device_class = "hdd"});
    }
  }
  Result<ProbeEnd> run(std::uint64_t count, ProbeWish wish = {}) {
    wish.rounds = count;
    Service service(prober, clock, finder, wish);
    return service.run(
        {.on_round = [this](const Round& round, const Survey&) { rounds.push_back(round); },
         .on_change = [this](const Change& change, Time) { changes.push_back(change); }});
  }
  static Error gone() {
    return {.attempt = "ask the mons", .reason = "no answer", .exit = Exit::no_cluster};
  }

  VirtualClock clock{testing::start_of_tests};
  testing::ScriptedProber prober{clock};
  ChangeFinder finder;
  std::vector<Round> rounds;
  std::vector<Change> changes;
};

TEST_F(ProbeService, Rounds_BeginEveryInterval) {
  const auto end = run(4);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->rounds, 4U);
  EXPECT_EQ(end->failed, 0U);
  ASSERT_EQ(rounds.size(), 4U);
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    EXPECT_EQ(rounds[i].at, testing::start_of_tests + static_cast<int>(i) * minutes(5));
    EXPECT_EQ(rounds[i].visits.size(), 6U);
    EXPECT_EQ(rounds[i].missed, 0U);
    EXPECT_THAT(rounds[i].notes, IsEmpty());
  }
  EXPECT_EQ(prober.asked[0], 4U * 18) << "17 reads and a write";
}

TEST_F(ProbeService, Visits_AreSpreadOverTheIntervalAndTimedFromWhenTheyWereDue) {
  prober.latency = Seconds(1);  // 18 s for a visit, and 40 s from one to the next
  ASSERT_TRUE(run(1));
  EXPECT_EQ(rounds[0].took, Seconds(5 * 40 + 18));
  for (const Visit& visit : rounds[0].visits) EXPECT_EQ(visit.responses[0].front(), Seconds(1));
  rounds.clear();
  prober.latency = Seconds(3);  // 54 s: each visit begins later than it was due
  ASSERT_TRUE(run(1));
  EXPECT_EQ(rounds[0].visits[0].responses[0].front(), Seconds(3));
  EXPECT_EQ(rounds[0].visits[5].responses[0].front(), Seconds(3 + 5 * 14));
  EXPECT_EQ(rounds[0].visits[5].responses[0].back(), Seconds(3));
  EXPECT_EQ(rounds[0].visits[5].of(Kind::read).typical, Time(Seconds(3))) << "the OSD's own time";
}

TEST_F(ProbeService, RoundsThatAreLate_AreLeftOutAndCounted) {
  prober.latency = Seconds(10);  // 1,080 s for a round
  ASSERT_TRUE(run(3));
  EXPECT_EQ(rounds[0].missed, 0U);
  EXPECT_EQ(rounds[1].missed, 3U);
  EXPECT_EQ(rounds[1].at, testing::start_of_tests + minutes(20)) << "when one is due, not at once";
  EXPECT_EQ(rounds[2].at, testing::start_of_tests + minutes(40));
}

TEST_F(ProbeService, ClusterAwayForADay_IsFailedRoundsAndThenItGoesOn) {
  prober.before = [this](std::uint64_t survey) {
    prober.away.reset();
    if (survey >= 10 && survey < 10 + 288) prober.away = gone();
  };
  const auto end = run(310);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->failed, 288U);
  ASSERT_EQ(rounds.size(), 310U);
  EXPECT_THAT(rounds[10].error, HasSubstr("no answer"));
  EXPECT_THAT(rounds[10].visits, IsEmpty());
  EXPECT_EQ(rounds[297].at, testing::start_of_tests + 297 * minutes(5)) << "none piled up";
  EXPECT_EQ(rounds[298].error, "");
  EXPECT_EQ(rounds[298].visits.size(), 6U);
  EXPECT_THAT(changes, IsEmpty()) << "what was away is no slower";
}

TEST_F(ProbeService, ClusterAwayAtTheBeginning_IsAnError) {
  prober.away = gone();
  const auto end = run(3);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().exit, Exit::no_cluster);
  EXPECT_THAT(rounds, IsEmpty());
}

TEST_F(ProbeService, ProberThatRefusesToGoOn_EndsTheProbe) {
  prober.before = [this](std::uint64_t survey) {
    if (survey == 2) prober.away = Error{.attempt = "go on", .exit = Exit::refused};
  };
  const auto end = run(9);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().exit, Exit::refused);
  EXPECT_EQ(rounds.size(), 2U);
}

TEST_F(ProbeService, OsdsThatComeAndGo_AreFollowed) {
  prober.before = [this](std::uint64_t survey) {
    if (survey == 1) prober.targets.push_back({.osd = 9, .device_class = "ssd"});
    if (survey == 2) {
      prober.targets.erase(prober.targets.begin());
      prober.without_pgs = {0};
    }
  };
  ASSERT_TRUE(run(3));
  EXPECT_EQ(rounds[0].visits.size(), 6U);
  EXPECT_EQ(rounds[1].visits.back().target, (Target{.osd = 9, .device_class = "ssd"}));
  EXPECT_EQ(rounds[2].visits.front().target.osd, 1);
  EXPECT_THAT(rounds[2].without_pgs, ElementsAre(0));
}

TEST_F(ProbeService, WholePool_IsComparedWithItsOwnPast) {
  prober.targets = {Target{}};
  double factor = 1.4;
  prober.before = [&](std::uint64_t survey) {
    if (survey == 40) prober.factor[whole_pool] = factor;
  };
  ASSERT_TRUE(run(80));
  EXPECT_THAT(changes, IsEmpty()) << "by itself a pool changes more than an OSD among its peers";
  prober.factor.clear();
  prober.surveys = 0;
  finder = ChangeFinder();
  factor = 1.6;
  ASSERT_TRUE(run(80));
  ASSERT_EQ(changes.size(), 2U) << "reads and writes";
  for (const Change& change : changes) {
    EXPECT_EQ(change.osd, whole_pool);
    EXPECT_EQ(change.peers, 0U);
    EXPECT_NEAR(change.ratio, 1.6, 1e-9);
    EXPECT_THAT(change_text(change), HasSubstr("the pool "));
    EXPECT_EQ(change.probes, 8U);
  }
}

TEST_F(ProbeService, OsdThatFails_IsCountedWithoutALatencyAndNotAskedOnInThatRound) {
  prober.failing[2] = -ETIMEDOUT;
  const auto end = run(2);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->failed, 2U);
  const Visit& visit = rounds[0].visits[2];
  EXPECT_EQ(visit.of(Kind::read),
            (Timing{.typical = std::nullopt, .answered = 0, .failed = 1, .rc = -ETIMEDOUT}));
  EXPECT_EQ(visit.of(Kind::write), Timing{});
  EXPECT_THAT(visit.responses[0], IsEmpty());
  EXPECT_EQ(prober.asked[2], 2U) << "once in a round";
  EXPECT_FALSE(rounds[0].visits[3].failed());
}

TEST_F(ProbeService, JumpOfTheWallClock_IsNotedAndMovesNoRound) {
  prober.before = [this](std::uint64_t survey) {
    if (survey == 2) clock.jump_wall(hours(1));
    if (survey == 4) clock.jump_wall(-hours(2));
    if (survey == 5) clock.jump_wall(Seconds(1));
  };
  ASSERT_TRUE(run(7));
  EXPECT_THAT(rounds[1].notes, IsEmpty());
  EXPECT_THAT(rounds[2].notes, ElementsAre("the wall clock jumped by +3600 s"));
  EXPECT_THAT(rounds[4].notes, ElementsAre("the wall clock jumped by -7200 s"));
  EXPECT_THAT(rounds[5].notes, IsEmpty()) << "clocks are corrected by a second";
  EXPECT_EQ(rounds[2].at, testing::start_of_tests + minutes(10) + hours(1));
  EXPECT_EQ(clock.now(), minutes(30) + rounds[6].took) << "by the monotonic clock";
}

TEST_F(ProbeService, Interrupt_DropsTheRoundUnderWayOnly) {
  clock.end_when([this] { return prober.asked[3] >= 2U * 18 + 1; });
  const auto end = run(9);
  ASSERT_TRUE(end);
  EXPECT_EQ(rounds.size(), 2U);
}

TEST_F(ProbeService, MoreThanTheBudgetAllows_IsRefusedWithTheIntervalThatFits) {
  const auto refused = run(1, {.interval = minutes(1)});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit, Exit::refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("--interval 299s"));
  EXPECT_EQ(prober.asked.size(), 0U);
  EXPECT_TRUE(run(1, {.interval = minutes(1), .force = true}));
  EXPECT_TRUE(run(1, {.interval = Seconds(299)}));
}

TEST(ProbeBudget, Default_IsWithinALimitThatIsATenthOfAPercent) {
  const PoolCost replicated{.drives_per_read = 1, .drives_per_write = 3};
  // 17 reads and 3 x 2 writes in 300 s on 77 IOPS.
  EXPECT_DOUBLE_EQ(share_of_drive(replicated, {}, minutes(5)), 23.0 / 300 / 77);
  EXPECT_TRUE(check_budget(replicated, {}, minutes(5)));
  const PoolCost erasure{.drives_per_read = 4, .drives_per_write = 6};
  EXPECT_FALSE(check_budget(erasure, {}, minutes(5)));
  EXPECT_TRUE(check_budget(erasure, {}, shortest_interval(erasure, {})));
  EXPECT_FALSE(check_budget(erasure, {}, shortest_interval(erasure, {}) - Seconds(2)));
}

TEST(ProbeRounds, OnThreads_EveryOsdIsVisitedOnceInOrder) {
  class ThreadedProber final : public Prober {
   public:
    Result<Survey> survey() override { return Survey{}; }
    Answer probe(const Target& target, Kind, std::uint64_t turn) override {
      return {.took = Time(1000 + target.osd), .rc = turn == 7 && target.osd == 50 ? -EIO : 0};
    }
    unsigned at_once() const override { return 3; }
  } prober;
  class StillClock final : public Clock {
   public:
    Time now() const override { return Time(0); }
    Time wall() const override { return Time(0); }
    bool sleep_until(Time) override { return true; }
    bool ended() const override { return false; }
  } clock;
  std::vector<Target> targets;
  for (std::int32_t osd = 0; osd < 200; ++osd) targets.push_back({.osd = osd});
  const auto visits = visit_all(prober, clock, targets, {.number = 0});
  ASSERT_EQ(visits.size(), 200U);
  for (std::int32_t osd = 0; osd < 200; ++osd) {
    EXPECT_EQ(visits[static_cast<std::size_t>(osd)].target.osd, osd);
  }
  EXPECT_EQ(visits[50].of(Kind::read).answered, 7U);
  EXPECT_EQ(visits[50].of(Kind::read).failed, 1U);
}

}  // namespace
}  // namespace radosload::probe
