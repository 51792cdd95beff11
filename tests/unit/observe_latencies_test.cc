// What an OSD says in `perf histogram dump`, as latencies to a factor of two.
#include <map>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/osd_counters.h"
#include "observe/osd_latencies.h"
#include "support/files.h"

#include <nlohmann/json.hpp>

namespace radosload::observe {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* write_name = "op_w_latency_in_bytes_histogram";
constexpr std::uint64_t latency_ms = 1'000'000;

json recorded(const std::string& release = "16.2.15") {
  return json::parse(test::fixture(release, "osd0-perf-histogram-dump.json"));
}

LatencyBuckets writes_of(const json& dump) {
  auto latencies = parse_latencies(dump.dump());
  EXPECT_TRUE(latencies) << dump;
  return latencies ? latencies->at("write") : LatencyBuckets();
}

// What `op_w_latency` of the same OSD counted when this was recorded.
struct ByRelease {
  const char* release;
  std::uint64_t writes;
  double seconds;
};

// The axis is called microseconds. If it were, the writes would have taken seconds each.
TEST(OsdLatencies, UnitIsThatOfTheOpLatencyOfTheSameOsd) {
  for (const ByRelease& by :
       {ByRelease{"16.2.15", 931, 5.955}, ByRelease{"18.2.7", 2266, 18.710}}) {
    const LatencyBuckets writes = writes_of(recorded(by.release));
    ASSERT_FALSE(writes.empty()) << by.release;
    double least = 0;
    double most = 0;
    std::uint64_t ops = 0;
    for (const LatencyBucket& bucket : writes) {
      ops += bucket.ops;
      least += static_cast<double>(bucket.from_ns * bucket.ops) / 1e9;
      most += static_cast<double>(bucket.below_ns * bucket.ops) / 1e9;
    }
    EXPECT_EQ(ops, by.writes) << by.release;
    EXPECT_LT(least, by.seconds) << by.release;
    EXPECT_GT(most, by.seconds) << by.release;
  }
}

TEST(OsdLatencies, WithoutOperations_ThereAreNoBuckets) {
  EXPECT_THAT(parse_latencies(recorded().dump())->at("read"), IsEmpty());
}

TEST(OsdLatencies, AnUnknownAxisIsLeftOut) {
  for (const auto& [key, value] : std::map<std::string, json>{
           {"name", "Latency (ms)"}, {"quant_size", 100}, {"scale_type", "linear"}}) {
    json dump = recorded();
    dump["osd"][write_name]["axes"][0][key] = value;
    const auto latencies = parse_latencies(dump.dump());
    ASSERT_TRUE(latencies) << key;
    EXPECT_FALSE(latencies->contains("write")) << key;
    EXPECT_TRUE(latencies->contains("read")) << key;
  }
}

TEST(OsdLatencies, OtherValues_AreLeftOut) {
  json dump = recorded();
  dump["osd"][write_name]["values"][5][3] = -1;
  EXPECT_FALSE(parse_latencies(dump.dump())->contains("write"));
  dump = recorded();
  dump["osd"][write_name]["values"].erase(3);
  EXPECT_FALSE(parse_latencies(dump.dump())->contains("write"));
  dump = recorded();
  dump["osd"][write_name]["values"][7][3] = 18446744073709551615U;
  dump["osd"][write_name]["values"][7][4] = 1;
  EXPECT_FALSE(parse_latencies(dump.dump())->contains("write"));
  EXPECT_FALSE(parse_latencies("{}"));
  EXPECT_FALSE(parse_latencies("[1]"));
}

OsdCounters with_writes(LatencyBuckets buckets) {
  OsdCounters counters;
  counters.latencies["write"] = std::move(buckets);
  return counters;
}

TEST(OsdLatencies, GrowthIsThatOfEachBucket) {
  const auto before =
      with_writes({{.from_ns = latency_ms, .below_ns = 2 * latency_ms, .ops = 5},
                   {.from_ns = 2 * latency_ms, .below_ns = 4 * latency_ms, .ops = 7}});
  const auto after =
      with_writes({{.from_ns = 500'000, .below_ns = latency_ms, .ops = 1},
                   {.from_ns = latency_ms, .below_ns = 2 * latency_ms, .ops = 5},
                   {.from_ns = 2 * latency_ms, .below_ns = 4 * latency_ms, .ops = 9}});
  const auto grown = growth(before, after);
  ASSERT_TRUE(grown);
  EXPECT_THAT(
      grown->latencies.at("write"),
      ElementsAre(LatencyBucket{.from_ns = 500'000, .below_ns = latency_ms, .ops = 1},
                  LatencyBucket{.from_ns = 2 * latency_ms, .below_ns = 4 * latency_ms, .ops = 2}));
  EXPECT_FALSE(growth(after, before)) << "a bucket went down";
  EXPECT_FALSE(growth(before, with_writes({}))) << "all went down";
  EXPECT_THAT(growth(OsdCounters(), after)->latencies, IsEmpty());
}

}  // namespace
}  // namespace radosload::observe
