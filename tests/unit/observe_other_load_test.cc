// The load of other clients, as the mgr's counts show it: OSDs report every 5 s, each at its own
// time, and the mgr adds it up every 2 s.
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "observe/other_load.h"

namespace radosload::observe {
namespace {

using testing::HasSubstr;

constexpr std::int64_t other = 7;
constexpr const char* places = R"({"pg_stats": [
  {"pgid": "7.0", "state": "active+clean", "acting": [0, 1], "acting_primary": 0},
  {"pgid": "7.1", "state": "active+clean", "acting": [2, 3], "acting_primary": 2}]})";

// `rate`: of the other clients in each second, counted from 60 s before the run.
using Rate = std::function<double(double)>;

struct Cluster {
  std::vector<double> phases;  // of the OSDs' reports
  double mgr_phase = 0;

  // What the mgr has counted by then.
  Work counted(const Rate& rate, double at) const {
    const double added = std::floor((at - mgr_phase) / 2) * 2 + mgr_phase;
    Work sum;
    for (const double phase : phases) {
      const double reported = std::floor((added - phase) / 5) * 5 + phase;
      for (double second = -60; second < reported; second += 0.1) {
        sum.ops += 0.1 * rate(second) / static_cast<double>(phases.size());
      }
    }
    sum.bytes = 4096 * sum.ops;
    return sum;
  }
};

std::optional<Disturbance> judged(const Cluster& cluster, const Rate& rate, int length,
                                  double own = 100) {
  OtherLoad load({.pool = 2, .osds = {0, 1}});
  for (int at = 0; at <= length; at += 4) {
    load.add({{2, {.ops = 1e9, .bytes = 1e12}}, {other, cluster.counted(rate, at)}},
             std::chrono::seconds(at));
  }
  EXPECT_TRUE(load.place(places));
  return load.judge(Time(0), std::chrono::seconds(length), {.ops = own * length, .bytes = 0},
                    {{other, "backup"}});
}

Cluster any_cluster(std::uint64_t seed, std::size_t osds) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> phase(0, 5);
  Cluster cluster;
  for (std::size_t i = 0; i < osds; ++i) cluster.phases.push_back(phase(random));
  cluster.mgr_phase = phase(random) / 2.5;
  return cluster;
}

RC_GTEST_PROP(OtherLoad, SteadyLoadIsNeverCalledUneven, ()) {
  const auto cluster =
      any_cluster(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::size_t>(1, 6));
  const auto found = judged(
      cluster, [](double) { return 400; }, 4 * *rc::gen::inRange(3, 16));
  RC_ASSERT(!found || found->harm == Harm::noted);
}

RC_GTEST_PROP(OtherLoad, LoadThatEndedBeforeIsNotOfTheRun, ()) {
  const auto cluster =
      any_cluster(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::size_t>(1, 6));
  RC_ASSERT(!judged(
      cluster, [](double at) { return at < 0 ? 4000 : 0; }, 4 * *rc::gen::inRange(1, 16)));
}

RC_GTEST_PROP(OtherLoad, LoadThatBeginsOrEndsIsUneven, ()) {
  const auto cluster =
      any_cluster(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::size_t>(1, 6));
  const bool begins = *rc::gen::arbitrary<bool>();
  const int when = *rc::gen::inRange(24, 40);
  const auto found = judged(
      cluster, [&](double at) { return (at < when) == begins ? 0 : 400; }, 60);
  RC_ASSERT(found && found->harm == Harm::contaminated);
}

TEST(OtherLoad, RateAndShareAreThoseOfThePgsOnTheOsdsOfTheRun) {
  const auto found = judged(
      any_cluster(1, 5), [](double) { return 400; }, 120);
  ASSERT_TRUE(found);
  // Half of 400, and the bytes of 200 operations cost what 13 operations do.
  EXPECT_THAT(found->what, testing::ContainsRegex("other clients .pool backup. did (19|20).* "
                                                  "operations and 0.8 MB a second on the OSDs"));
  EXPECT_THAT(found->what, testing::ContainsRegex("6[789] % of the load"));
}

TEST(OtherLoad, PoolsOfTheRunAreNoOtherClients) {
  const std::vector<Measured> runs = {{.pool = other, .osds = {0}},
                                      {.pool = 2, .osds = {0}, .whole_pools = {other}},
                                      {.pool = 2, .osds = {0}, .header_pool = other}};
  for (const Measured& run : runs) {
    OtherLoad load(run);
    load.add({{other, {.ops = 0}}}, Time(0));
    load.add({{other, {.ops = 10'000}}}, std::chrono::seconds(20));
    EXPECT_FALSE(load.needs_places());
  }
}

TEST(OtherLoad, FewLargeOperationsMatterAlso) {
  OtherLoad load({.pool = 2, .osds = {0, 1, 2, 3}});
  for (int at = 0; at <= 20; at += 4) {
    load.add({{other, {.ops = 5.0 * at, .bytes = 20e6 * at}}}, std::chrono::seconds(at));
  }
  ASSERT_TRUE(load.place(places));
  const auto found = load.judge(Time(0), std::chrono::seconds(20), {.ops = 2000}, {});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->what, HasSubstr("5 operations and 20.0 MB a second"));
}

// Its counts begin with the OSDs that have reported.
TEST(OtherLoad, NewMgrIsNoLoad) {
  OtherLoad load({.pool = 2, .osds = {0, 1, 2, 3}});
  for (int at = 0; at <= 40; at += 4) {
    const double all = 1'000'000 + 5.0 * at;
    const double ops = at == 16 ? 0 : at == 20 ? 600'000 : all;
    load.add({{other, {.ops = ops}}}, std::chrono::seconds(at));
  }
  ASSERT_TRUE(load.place(places));
  EXPECT_FALSE(load.judge(Time(0), std::chrono::seconds(40), {.ops = 4000}, {}));
}

TEST(OtherLoad, CountsOfPoolsAreReadFromTheDump) {
  const auto work = parse_pool_work(R"({"pool_stats": [{"poolid": 7, "stat_sum": {
    "num_read": 3, "num_read_kb": 8, "num_write": 4, "num_write_kb": 16}}]})");
  ASSERT_TRUE(work);
  EXPECT_EQ(work->at(7).ops, 7);
  EXPECT_EQ(work->at(7).bytes, 24 * 1024);
  EXPECT_FALSE(parse_pool_work("no JSON"));
}

}  // namespace
}  // namespace radosload::observe
