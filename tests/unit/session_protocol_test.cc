#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "session/protocol.h"
#include "session_world.h"

namespace radosload::session::testing {
namespace {

// One seed again: RADOSLOAD_SESSION_SEED=N; more of them: RADOSLOAD_SESSION_SEEDS=N.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

template <typename Check>
void for_seeds(std::uint64_t count, Check&& check) {
  const std::uint64_t one = from_environment("RADOSLOAD_SESSION_SEED", 0);
  const std::uint64_t last = from_environment("RADOSLOAD_SESSION_SEEDS", count);
  for (std::uint64_t seed = one == 0 ? 1 : one; seed <= (one == 0 ? last : one); ++seed) {
    SCOPED_TRACE("RADOSLOAD_SESSION_SEED=" + std::to_string(seed));
    check(seed);
    if (::testing::Test::HasFailure()) return;
  }
}

// Holds whatever happens.
void expect_in_order(const World& world) {
  EXPECT_EQ(world.violation(), "");
  for (const MemberReport& member : world.told()) {
    if (!member.dead) {
      EXPECT_NE(member.outcome, Outcome::none) << member.id << " waits for ever";
    }
    EXPECT_LE(member.starts, 1) << member.id;
    if (member.started != Time(0) && !member.late) {
      EXPECT_LE(abs(member.started - member.planned), ms(1)) << member.id;
    }
  }
}

// The joint record has what everybody flushed.
void expect_conserved(const World& world) {
  std::uint64_t flushed = 0;
  for (const MemberReport& member : world.told()) flushed += member.flushed;
  for (const MemberReport& member : world.told()) {
    if (member.joint) {
      EXPECT_EQ(*member.joint, flushed) << member.id;
    }
  }
}

TEST(SessionProtocol, MembersThatLive_RunOnceAndAreCountedInFull) {
  for_seeds(60, [](std::uint64_t seed) {
    World world(seed, {.members = 1 + static_cast<std::uint32_t>(seed % 9)});
    world.run();
    expect_in_order(world);
    expect_conserved(world);
    int joint = 0;
    Time first = Time::max();
    Time last = Time::min();
    for (const MemberReport& member : world.told()) {
      EXPECT_EQ(member.outcome, Outcome::finished) << member.id << ": " << member.reason;
      EXPECT_EQ(member.starts, 1);
      EXPECT_FALSE(member.late);
      EXPECT_GT(member.issued, 0U);
      if (member.joint) ++joint;
      EXPECT_EQ(member.joint_rate, world.told().size() * rate_of_each)
          << "the leader tells all members what they do together";
      first = std::min(first, member.started);
      last = std::max(last, member.started);
    }
    EXPECT_EQ(joint, 1);
    EXPECT_LE(last - first, ms(1)) << "the clocks differ by up to an hour";
    EXPECT_FALSE(world.stored()) << "its objects are left";
  });
}

TEST(SessionProtocol, DeathsPausesAndLostAnswers_NoMemberHangsAndNothingIsCountedTwice) {
  for_seeds(200, [](std::uint64_t seed) {
    World world(seed, {.members = 2 + static_cast<std::uint32_t>(seed % 12),
                       .deaths = 0.2,
                       .pauses = 0.2,
                       .lost_answers = 0.02,
                       .lost_hints = 0.3,
                       .late_hints = 0.2,
                       .interrupts = 0.03,
                       .failures = 0.01,
                       .leaves = seed % 2 == 0 ? 0.15 : 0});
    world.run();
    expect_in_order(world);
    expect_conserved(world);
  });
}

TEST(SessionProtocol, MemberDiesInLoad_OthersFinishAndTheLossIsNamed) {
  std::size_t seen = 0;
  for_seeds(60, [&](std::uint64_t seed) {
    World world(seed, {.members = 5, .deaths = 0.3});
    world.run();
    expect_in_order(world);
    const State& last = world.last_state();
    if (last.called_off || last.step < Step::report) return;
    EXPECT_EQ(last.joint.members, last.roster.size() - last.lost.size());
    for (const MemberReport& member : world.told()) {
      if (!member.dead || member.starts == 0) continue;
      const Loss* const loss = last.loss_of(member.id);
      if (loss == nullptr) continue;  // it had finished
      ++seen;
      EXPECT_EQ(loss->step, Step::load);
      EXPECT_EQ(loss->reason, "no sign of life for 25 s");
    }
  });
  EXPECT_GT(seen, 0U) << "no seed of these shows it";
}

TEST(SessionProtocol, LateComer_IsRefusedAndChangesNothing) {
  for_seeds(20, [](std::uint64_t seed) {
    World world(seed, {.members = 3, .late = 2, .load = std::chrono::seconds(60)});
    world.run();
    expect_in_order(world);
    const auto told = world.told();
    for (std::size_t i = 0; i < told.size(); ++i) {
      EXPECT_EQ(told[i].outcome, i < 3 ? Outcome::finished : Outcome::refused) << told[i].reason;
    }
    EXPECT_EQ(told.back().reason, "it has begun with 3 members without this one");
  });
}

TEST(SessionProtocol, InterruptOfOne_EndsAll) {
  for_seeds(30, [](std::uint64_t seed) {
    World world(seed, {.members = 4, .interrupts = 0.5, .load = std::chrono::minutes(5)});
    world.run();
    expect_in_order(world);
    expect_conserved(world);
    if (world.now() < std::chrono::minutes(4)) {
      EXPECT_NE(world.last_state().ended, "");
    }
  });
}

constexpr const char* left_by_signal = "it left (SIGINT)";

int joint_records(const World& world) {
  int made = 0;
  for (const MemberReport& member : world.told()) made += member.joint ? 1 : 0;
  return made;
}

TEST(SessionProtocol, MemberLeavesInLoad_OthersFinishAndTheLossSaysThatItLeft) {
  std::size_t seen = 0;
  for_seeds(60, [&](std::uint64_t seed) {
    const Time load = std::chrono::seconds(50);
    World world(seed, {.members = 5, .leaves = 0.4, .load = load});
    world.run();
    expect_in_order(world);
    expect_conserved(world);
    EXPECT_FALSE(world.stored()) << "its objects are left";
    const State& last = world.last_state();
    if (last.called_off) return;  // it was interrupted before the load
    EXPECT_EQ(joint_records(world), 1);
    if (!last.ended.empty()) {
      EXPECT_EQ(last.lost.size(), 4U) << "only the last one ends it";
    }
    for (const MemberReport& member : world.told()) {
      if (member.outcome == Outcome::left) {
        ++seen;
        const Loss* const loss = last.loss_of(member.id);
        ASSERT_NE(loss, nullptr) << member.id;
        EXPECT_EQ(*loss, (Loss{member.id, Step::load, left_by_signal}));
      } else {
        EXPECT_EQ(member.outcome, Outcome::finished) << member.id << ": " << member.reason;
        if (last.ended.empty()) {
          EXPECT_GE(member.ended - member.started, load) << member.id;
        }
      }
    }
  });
  EXPECT_GT(seen, 0U) << "no seed of these shows it";
}

TEST(SessionProtocol, LeaveBeforeTheLoad_CallsTheSessionOff) {
  std::size_t seen = 0;
  for_seeds(40, [&](std::uint64_t seed) {
    // All are there after 5 s, and the load begins some seconds after that.
    World world(seed, {.members = 4, .leader_leaves = {ms(2000 + 100 * static_cast<int>(seed))}});
    world.run();
    expect_in_order(world);
    bool early = false;
    for (const MemberReport& member : world.told()) {
      early = early || (member.asked && *member.asked <= Step::prefill);
    }
    if (!early) return;  // the load may begin before the leader learns of it
    ++seen;
    EXPECT_TRUE(world.last_state().called_off);
    EXPECT_TRUE(world.last_state().ended.starts_with("SIGINT at ")) << world.last_state().ended;
    EXPECT_EQ(joint_records(world), 0);
    EXPECT_FALSE(world.stored()) << "its objects are left";
  });
  EXPECT_GT(seen, 0U) << "no seed of these shows it";
}

TEST(SessionProtocol, LeaderLeaves_AnotherLeadsWithinSecondsAndReports) {
  std::size_t seen = 0;
  for_seeds(40, [&](std::uint64_t seed) {
    World world(seed, {.members = 4,
                       .lost_hints = seed % 2 == 0 ? 0.5 : 0,
                       .leader_leaves = {std::chrono::seconds(40)},
                       .load = std::chrono::seconds(60)});
    world.run();
    expect_in_order(world);
    expect_conserved(world);
    EXPECT_FALSE(world.stored()) << "its objects are left";
    EXPECT_EQ(world.last_state().ended, "");
    EXPECT_EQ(joint_records(world), 1);
    for (const MemberReport& member : world.told()) {
      if (!member.led) {
        EXPECT_EQ(member.outcome, Outcome::finished) << member.id << ": " << member.reason;
        EXPECT_GE(member.ended - member.started, std::chrono::seconds(60));
        continue;
      }
      ++seen;
      EXPECT_EQ(member.outcome, Outcome::left);
      EXPECT_FALSE(member.joint);
      EXPECT_LE(member.over - member.ended, std::chrono::seconds(9))
          << "the lock was not given back";
      const Loss* const loss = world.last_state().loss_of(member.id);
      ASSERT_NE(loss, nullptr);
      EXPECT_EQ(loss->reason, left_by_signal);
    }
  });
  EXPECT_GT(seen, 0U) << "no seed of these shows it";
}

TEST(SessionProtocol, AllLeaveOneAfterTheOther_TheLastReportsAndCleansUp) {
  for_seeds(60, [](std::uint64_t seed) {
    // On odd seeds the one that leads leaves each time, on even ones all within two minutes.
    const bool leaders = seed % 2 == 1;
    WorldOptions options{.members = 4, .load = std::chrono::minutes(5)};
    if (leaders) {
      for (int i = 2; i < 6; ++i) options.leader_leaves.push_back(std::chrono::seconds(20 * i));
    } else {
      options.leaves = 1;
    }
    World world(seed, options);
    world.run();
    expect_in_order(world);
    expect_conserved(world);
    EXPECT_FALSE(world.stored()) << "its objects are left";
    if (world.last_state().called_off) return;
    EXPECT_EQ(joint_records(world), 1);
    EXPECT_TRUE(world.last_state().ended.starts_with("SIGINT at ")) << world.last_state().ended;
    EXPECT_EQ(world.last_state().lost.size(), 3U) << "the last one ends the load instead";
    for (const MemberReport& member : world.told()) {
      EXPECT_EQ(member.outcome, member.joint ? Outcome::finished : Outcome::left) << member.id;
    }
  });
}

TEST(SessionProtocol, LeaderLeavesAndNobodyTakesOver_ItEndsTheSessionItself) {
  for_seeds(20, [](std::uint64_t seed) {
    // The others die shortly before, which it cannot know.
    World world(seed, {.members = 3,
                       .others_die = ms(39'000),
                       .leader_leaves = {std::chrono::seconds(40)},
                       .load = std::chrono::minutes(5)});
    world.run();
    expect_in_order(world);
    expect_conserved(world);
    EXPECT_FALSE(world.stored()) << "its objects are left";
    EXPECT_EQ(joint_records(world), 1);
    EXPECT_LE(world.now(), std::chrono::minutes(2));
  });
}

TEST(SessionProtocol, LeaverIsNotAnswered_GivesUp) {
  World world(7, {.members = 3,
                  .leader_leaves = {std::chrono::seconds(40)},
                  .silence = std::chrono::seconds(39),
                  .load = std::chrono::minutes(5)});
  world.run();
  for (const MemberReport& member : world.told()) {
    EXPECT_EQ(member.outcome, Outcome::cut_off) << member.id;
    EXPECT_LE(member.over, std::chrono::minutes(3)) << member.id;
  }
}

TEST(SessionProtocol, TooFewMembers_CalledOffWithTheNumber) {
  Limits limits;
  limits.at_least = limits.at_most = 3;
  Protocol protocol(entry_of("a"), true, limits, Time(0));
  std::optional<State> stored;
  Time now{0};
  for (int i = 0; i < 2000 && protocol.outcome() == Outcome::none; ++i) {
    const auto request = protocol.next(now);
    if (!request) {
      now = std::max(protocol.due(now), now + ms(1));
      if (protocol.step() >= Step::clean_up) protocol.finish(protocol.step());
      continue;
    }
    Answer answer;
    if (const auto* const create = std::get_if<Create>(&*request)) stored = create->state;
    if (const auto* const write = std::get_if<Write>(&*request)) stored = write->state;
    if (std::holds_alternative<ReadState>(*request)) answer.state = stored;
    if (std::holds_alternative<Count>(*request)) answer.entries = {protocol.told()};
    protocol.answer(*request, answer, now);
  }
  EXPECT_EQ(protocol.outcome(), Outcome::finished);
  EXPECT_TRUE(stored->called_off);
  EXPECT_EQ(stored->ended, "1 of 3 members came within 60 s");
}

TEST(SessionProtocol, ClusterDoesNotAnswer_MemberGivesUp) {
  Protocol protocol(entry_of("a"), true, {}, Time(0));
  Time now{0};
  for (int i = 0; i < 1000 && protocol.outcome() == Outcome::none; ++i) {
    const auto request = protocol.next(now);
    now += std::chrono::seconds(5);
    if (request) protocol.answer(*request, {.kind = Answer::Kind::unknown}, now);
  }
  EXPECT_EQ(protocol.outcome(), Outcome::cut_off);
  EXPECT_LE(now, std::chrono::minutes(2));
}

TEST(SessionProtocol, TwoThousandMembers_EndInOrderWithDeathsAndLostMessages) {
  for_seeds(1, [](std::uint64_t seed) {
    World world(seed, {.members = 2000,
                       .deaths = seed % 2 == 1 ? 0.0005 : 0,
                       .pauses = 0.01,
                       .lost_answers = 0.001,
                       .lost_hints = 0.3,
                       .late_hints = 0.1,
                       .load = std::chrono::seconds(5),
                       .horizon = std::chrono::minutes(8)});
    world.run();
    expect_in_order(world);
    expect_conserved(world);
  });
}

}  // namespace
}  // namespace radosload::session::testing
