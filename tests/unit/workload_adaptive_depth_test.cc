// How many may be in flight, against servers that are simulated: each is told what the rule lets
// be sent, and answers in virtual time.
#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "workload/adaptive_depth.h"

namespace radosload::workload {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

double in_seconds(Time time) {
  return std::chrono::duration<double>(time).count();
}

Time scaled(Time time, double factor) {
  return Time(static_cast<std::int64_t>(static_cast<double>(time.count()) * factor));
}

// Disks that each work on one operation at a time, and a way to them and back that all take at
// once. An operation ends when the last of the disks that hold its copies has done its part.
struct DisksAndWay {
  std::size_t disks = 1;
  std::size_t copies = 1;
  Time way{0};
  std::function<Time(Time now, Random& random)> work;

  Time answer_to(Time now, std::vector<Time>& free_at, Random& random) const {
    Time end{0};
    const std::size_t first = random.below(disks);
    for (std::size_t copy = 0; copy < copies; ++copy) {
      Time& disk = free_at[(first + copy) % disks];
      disk = std::max(disk, now) + work(now, random);
      end = std::max(end, disk);
    }
    return end + way;
  }
};

struct InFlight {
  Time answer;
  Time sent;
  bool operator<(const InFlight& other) const { return answer > other.answer; }
};

// What was answered when, and the depth after it.
struct DepthHistory {
  struct Row {
    Time at;
    std::uint32_t depth;
  };
  std::vector<Row> rows;
  Time oldest{0};  // the longest that any operation took

  std::vector<std::uint32_t> depths(Time from, Time to) const {
    std::vector<std::uint32_t> found;
    for (const Row& row : rows) {
      if (row.at > from && row.at <= to) found.push_back(row.depth);
    }
    return found;
  }
  double per_second(Time from, Time to) const {
    return static_cast<double>(depths(from, to).size()) / in_seconds(to - from);
  }
  std::uint32_t least(Time from, Time to) const {
    const auto found = depths(from, to);
    return found.empty() ? 0 : *std::min_element(found.begin(), found.end());
  }
  std::uint32_t most(Time from, Time to) const {
    const auto found = depths(from, to);
    return found.empty() ? 0 : *std::max_element(found.begin(), found.end());
  }
};

// `rate`: how many a second there are to be sent; 0: always one more.
DepthHistory history_of(const DisksAndWay& server, Time length, std::uint32_t most,
                        double rate = 0) {
  AdaptiveDepth rule(most);
  Random random(1, "adaptive depth");
  std::vector<Time> free_at(server.disks);
  std::priority_queue<InFlight> flying;
  DepthHistory history;
  Time now{0};
  double sent = 0;
  while (now < length) {
    const bool due = rate == 0 || sent < in_seconds(now) * rate;
    if (due && flying.size() < rule.depth()) {
      flying.push({server.answer_to(now, free_at, random), now});
      ++sent;
      continue;
    }
    Time next = flying.empty() ? Time::max() : flying.top().answer;
    if (!due) next = std::min(next, now + milliseconds(1));
    now = next;
    while (!flying.empty() && flying.top().answer <= now) {
      const Time took = flying.top().answer - flying.top().sent;
      flying.pop();
      rule.answered(took, static_cast<std::uint32_t>(flying.size()));
      history.oldest = std::max(history.oldest, took);
      history.rows.push_back({now, rule.depth()});
    }
  }
  return history;
}

auto always(Time work) {
  return [work](Time, Random&) { return work; };
}

// A write of 4 MiB is 64 I/Os for a hard disk.
constexpr Time large_write = Time(seconds(64)) / 77;

TEST(AdaptiveDepth, ServerOfConstantRate_IsKeptBusyAndNotFlooded) {
  // A hundred a second, each 40 ms on its way: five in flight are enough, and thirty take 300 ms.
  const auto run =
      history_of({.way = milliseconds(40), .work = always(milliseconds(10))}, seconds(60), 1000);
  EXPECT_GE(run.per_second(seconds(1), seconds(60)), 97);
  EXPECT_LE(run.most(seconds(0), seconds(60)), 30U);
}

TEST(AdaptiveDepth, LatencyThatDoesNotGrow_DepthGrowsToItsBoundInAFewRounds) {
  const auto run =
      history_of({.disks = 100'000, .work = always(milliseconds(100))}, seconds(2), 64);
  EXPECT_EQ(run.most(seconds(0), seconds(2)), 64U);
  EXPECT_EQ(run.least(seconds(1), seconds(2)), 64U);
}

TEST(AdaptiveDepth, DiskOf77IosASecond_NoWriteGetsOld) {
  const auto run = history_of({.work = always(large_write)}, seconds(600), 16);
  EXPECT_LT(run.oldest, seconds(10));
  EXPECT_GE(run.per_second(seconds(10), seconds(600)) * in_seconds(large_write), 0.97);
}

TEST(AdaptiveDepth, ThreeCopiesOnFiveSuchDisks_NoWriteGetsOldAndTheDisksAreBusy) {
  const auto uneven = [](Time, Random& random) {
    return scaled(large_write, 0.75 + random.unit() / 2);
  };
  const auto run = history_of({.disks = 5, .copies = 3, .work = uneven}, seconds(600), 16);
  EXPECT_LT(run.oldest, seconds(10));
  const double possible = 5.0 / 3 / in_seconds(large_write);
  EXPECT_GE(run.per_second(seconds(10), seconds(600)), 0.85 * possible);
}

TEST(AdaptiveDepth, ServerSlowsDownTwentyTimes_DepthFallsAndRecovers) {
  const auto work = [](Time now, Random&) {
    const bool slow = now > seconds(20) && now < seconds(40);
    return slow ? milliseconds(200) : milliseconds(10);
  };
  const auto run = history_of({.way = milliseconds(40), .work = work}, seconds(80), 64);
  EXPECT_GE(run.least(seconds(10), seconds(20)), 10U);
  EXPECT_LE(run.least(seconds(20), seconds(40)), 2U);
  EXPECT_LE(run.oldest, seconds(6));
  EXPECT_GE(run.per_second(seconds(45), seconds(80)), 97);
}

TEST(AdaptiveDepth, PermanentlySlowServer_IsNotMistakenForAQueueForEver) {
  const auto work = [](Time now, Random&) {
    return now > seconds(20) ? milliseconds(500) : milliseconds(10);
  };
  // Sixteen disks: with one operation in flight they would do a sixteenth.
  const auto run = history_of({.disks = 16, .work = work}, seconds(200), 64);
  EXPECT_GE(run.least(seconds(100), seconds(200)), 16U);
}

TEST(AdaptiveDepth, Jitter_DoesNotTakeItDown) {
  // From 20 to 180 ms, and one in two hundred takes a second more.
  const auto jumpy = [](Time, Random& random) {
    const bool slow = random.unit() < 0.005;
    return scaled(seconds(1), 0.02 + random.unit() * 0.16 + (slow ? 1 : 0));
  };
  const auto run =
      history_of({.disks = 8, .way = milliseconds(100), .work = jumpy}, seconds(300), 64);
  EXPECT_GE(run.least(seconds(10), seconds(300)), 8U);
  EXPECT_GE(run.per_second(seconds(10), seconds(300)), 0.75 * 8 / 0.105);
}

TEST(AdaptiveDepth, RateBelowWhatTheServerDoes_DepthStays) {
  const auto run = history_of({.work = always(milliseconds(10))}, seconds(60), 64, 20);
  EXPECT_EQ(run.most(seconds(0), seconds(60)), 3U) << "one at a time says nothing of more";
}

TEST(AdaptiveDepth, OneSlowMoment_LowersItOnce) {
  AdaptiveDepth rule(64, 2);
  while (rule.depth() < 64) rule.answered(milliseconds(100), rule.depth() - 1);
  // What was sent at depth 32, and a whole round.
  for (int i = 0; i < 31 + 64; ++i) rule.answered(milliseconds(100), 63);
  EXPECT_EQ(rule.depth(), 64U);
  // Eight are enough to end a round early; the others were in flight at that time.
  for (int i = 0; i < 8 + 63; ++i) rule.answered(seconds(20), 63);
  EXPECT_EQ(rule.depth(), 32U);
}

TEST(AdaptiveDepth, StartsWithThreeOrTheGivenDepth_WithinItsBound) {
  EXPECT_EQ(AdaptiveDepth(64).depth(), 3U);
  EXPECT_EQ(AdaptiveDepth(64, 16).depth(), 16U);
  EXPECT_EQ(AdaptiveDepth(8, 16).depth(), 8U);
  EXPECT_EQ(AdaptiveDepth(8, 0).depth(), 1U);
}

TEST(AdaptiveDepth, BoundOfOne_IsKept) {
  AdaptiveDepth rule(1);
  for (int i = 0; i < 100; ++i) rule.answered(milliseconds(1), 0);
  EXPECT_EQ(rule.depth(), 1U);
}

RC_GTEST_PROP(AdaptiveDepthProperties, IsAlwaysFromOneToTheMost,
              (const std::vector<std::uint32_t>& took_us, std::uint8_t most)) {
  AdaptiveDepth rule(most);
  for (const std::uint32_t took : took_us) {
    rule.answered(std::chrono::microseconds(took), rule.depth() - 1);
    RC_ASSERT(rule.depth() >= 1U);
    RC_ASSERT(rule.depth() <= std::max<std::uint32_t>(1, most));
  }
}

}  // namespace
}  // namespace radosload::workload
