// How many may be in flight, against servers that are simulated: each is told what the rule lets
// be sent, and answers in virtual time.
#include <algorithm>
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

// Disks that each work on one operation at a time, and a way to them and back that all take at
// once. An operation ends when the last of the disks it needs has.
struct Server {
  std::size_t disks = 1;
  std::size_t copies = 1;
  Time way{0};
  std::function<Time(Time now, Random& random)> work;
};

struct Answer {
  Time at;
  Time sent;
  bool operator<(const Answer& other) const { return at > other.at; }
};

struct Outcome {
  std::vector<Time> ends;
  std::vector<std::uint32_t> depths;  // beside each end
  Time oldest{0};

  double per_second(Time from, Time to) const {
    const auto within =
        std::count_if(ends.begin(), ends.end(), [&](Time end) { return end > from && end <= to; });
    return static_cast<double>(within) / radosload::seconds(to - from);
  }
  std::vector<std::uint32_t> depths_in(Time from, Time to) const {
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i] > from && ends[i] <= to) found.push_back(depths[i]);
    }
    return found;
  }
  std::uint32_t least(Time from, Time to) const {
    const auto found = depths_in(from, to);
    return *std::min_element(found.begin(), found.end());
  }
  std::uint32_t most(Time from, Time to) const {
    const auto found = depths_in(from, to);
    return *std::max_element(found.begin(), found.end());
  }
};

// `rate`: how many a second are there to be sent; 0: always one more.
Outcome simulate(const Server& server, Time length, std::uint32_t most, double rate = 0) {
  AdaptiveDepth rule(most);
  Random random(1, "adaptive depth");
  std::vector<Time> free_at(server.disks);
  std::priority_queue<Answer> flying;
  Outcome outcome;
  Time now{0};
  std::uint64_t sent = 0;
  const auto send = [&] {
    Time end{0};
    for (std::size_t copy = 0; copy < server.copies; ++copy) {
      Time& disk = free_at[random.below(server.disks)];
      disk = std::max(disk, now) + server.work(now, random);
      end = std::max(end, disk);
    }
    flying.push({end + server.way, now});
    ++sent;
  };
  while (now < length) {
    const bool due = rate == 0 || static_cast<double>(sent) < radosload::seconds(now) * rate;
    if (due && flying.size() < rule.depth()) {
      send();
      continue;
    }
    Time next = flying.empty() ? Time::max() : flying.top().at;
    if (rate > 0 && !due) {
      next = std::min(next, now + milliseconds(1));
    }
    now = next;
    while (!flying.empty() && flying.top().at <= now) {
      const Time took = flying.top().at - flying.top().sent;
      flying.pop();
      rule.answered(took, static_cast<std::uint32_t>(flying.size()));
      outcome.oldest = std::max(outcome.oldest, took);
      outcome.ends.push_back(now);
      outcome.depths.push_back(rule.depth());
    }
  }
  return outcome;
}

auto constant(Time work) {
  return [work](Time, Random&) { return work; };
}

TEST(AdaptiveDepth, ServerOfConstantRate_IsKeptBusyAndNotFlooded) {
  // A hundred a second, each 40 ms on its way: four in flight are enough.
  const Outcome run =
      simulate({.way = milliseconds(40), .work = constant(milliseconds(10))}, seconds(60), 1000);
  EXPECT_GE(run.per_second(seconds(1), seconds(60)), 97);
  EXPECT_LE(run.most(seconds(0), seconds(60)), 4 * 5 * 1.1);
}

TEST(AdaptiveDepth, LatencyThatDoesNotGrow_DepthGrowsToItsBoundInAFewRounds) {
  const Outcome run =
      simulate({.disks = 100'000, .work = constant(milliseconds(100))}, seconds(2), 64);
  EXPECT_EQ(run.most(seconds(0), seconds(2)), 64U);
  EXPECT_EQ(run.least(seconds(1), seconds(2)), 64U);
}

TEST(AdaptiveDepth, DiskOf77IosASecond_NoWriteGetsOld) {
  // A write of 4 MiB is 64 I/Os for it.
  const Time write = seconds(64) / 77;
  const Outcome alone = simulate({.work = constant(write)}, seconds(600), 16);
  EXPECT_LT(alone.oldest, seconds(10));
  EXPECT_GE(alone.per_second(seconds(10), seconds(600)) * radosload::seconds(write), 0.97);
  // Three copies on five disks, each write harder or easier than the mean.
  const auto uneven = [write](Time, Random& random) {
    return Time(
        static_cast<std::int64_t>(static_cast<double>(write.count()) * (0.5 + random.unit())));
  };
  const Outcome cluster = simulate({.disks = 5, .copies = 3, .work = uneven}, seconds(600), 16);
  EXPECT_LT(cluster.oldest, seconds(10));
}

TEST(AdaptiveDepth, ServerSlowsDownTwentyTimes_DepthFallsAndRecovers) {
  const auto work = [](Time now, Random&) {
    const bool slow = now > seconds(20) && now < seconds(40);
    return slow ? milliseconds(200) : milliseconds(10);
  };
  const Outcome run = simulate({.way = milliseconds(40), .work = work}, seconds(80), 64);
  EXPECT_GE(run.least(seconds(10), seconds(20)), 5U);
  EXPECT_LE(run.least(seconds(20), seconds(40)), 2U);
  EXPECT_LT(run.oldest, seconds(5));
  EXPECT_GE(run.per_second(seconds(45), seconds(80)), 97);
}

TEST(AdaptiveDepth, SlowForGood_IsNotTakenForAQueueForEver) {
  const auto work = [](Time now, Random&) {
    return now > seconds(20) ? milliseconds(500) : milliseconds(10);
  };
  // Sixteen disks: with one operation in flight they would do a sixteenth.
  const Outcome run = simulate({.disks = 16, .work = work}, seconds(200), 64);
  EXPECT_GE(run.least(seconds(100), seconds(200)), 16U);
}

TEST(AdaptiveDepth, Jitter_NeverTakesItDownToOne) {
  const auto jumpy = [](Time, Random& random) {
    return Time(static_cast<std::int64_t>(-std::log(1 - random.unit()) * 1e8));
  };
  const Outcome run =
      simulate({.disks = 8, .way = milliseconds(20), .work = jumpy}, seconds(300), 64);
  EXPECT_GE(run.least(seconds(10), seconds(300)), 4U);
  EXPECT_GE(run.per_second(seconds(10), seconds(300)), 80 * 0.6);
}

TEST(AdaptiveDepth, RateBelowWhatTheServerDoes_DepthStays) {
  const Outcome run = simulate({.work = constant(milliseconds(10))}, seconds(60), 64, 20);
  EXPECT_EQ(run.most(seconds(0), seconds(60)), 2U) << "one at a time says nothing of more";
}

TEST(AdaptiveDepth, OneSlowMoment_LowersItOnce) {
  AdaptiveDepth rule(64);
  while (rule.depth() < 64) rule.answered(milliseconds(100), rule.depth() - 1);
  for (int i = 0; i < 64 + 63; ++i) rule.answered(seconds(20), 63);
  EXPECT_EQ(rule.depth(), 32U);
}

RC_GTEST_PROP(AdaptiveDepthProperties, IsAlwaysFromOneToTheMost,
              (const std::vector<std::uint32_t>& took_ms, std::uint8_t most)) {
  AdaptiveDepth rule(most);
  for (const std::uint32_t took : took_ms) {
    rule.answered(milliseconds(took), rule.depth() - 1);
    RC_ASSERT(rule.depth() >= 1U);
    RC_ASSERT(rule.depth() <= std::max<std::uint32_t>(1, most));
  }
}

}  // namespace
}  // namespace radosload::workload
