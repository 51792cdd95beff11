// Percentiles of an OSD's own histogram, which are buckets, and its way through JSON.
#include <gtest/gtest.h>

#include "record/codec.h"
#include "record/osd_window.h"

#include <nlohmann/json.hpp>

namespace radosload::record {
namespace {

constexpr std::uint64_t bucket_ms = 1'000'000;

const LatencyBuckets thousand = {{.from_ns = 0, .below_ns = 100'000, .ops = 499},
                                 {.from_ns = 3'200'000, .below_ns = 6'400'000, .ops = 490},
                                 {.from_ns = 53'687'091'200'000, .below_ns = 0, .ops = 11}};

TEST(LatencyBuckets, PercentileIsTheBucketOfTheNearestRank) {
  EXPECT_EQ(ops_of(thousand), 1000U);
  EXPECT_EQ(bucket_at(thousand, p50)->from_ns, 3'200'000U) << "the 500th";
  EXPECT_EQ(bucket_at(thousand, p99)->below_ns, 0U) << "the 990th has no limit";
}

TEST(LatencyBuckets, TooFewOperationsHaveNoPercentile) {
  const LatencyBuckets some = {{.from_ns = bucket_ms, .below_ns = 2 * bucket_ms, .ops = 367}};
  EXPECT_TRUE(bucket_at(some, p50));
  EXPECT_FALSE(bucket_at(some, p99));
  EXPECT_FALSE(bucket_at({}, p50));
}

TEST(LatencyBuckets, SurviveTheRecord) {
  OsdWindow window{.osd = 3};
  window.growth.latencies["read"] = thousand;
  window.growth.latencies["write"] = {};
  const auto json = codec::window_json(window);
  EXPECT_EQ(json["latencies"]["read"]["p50_below_us"], 6400.0);
  EXPECT_TRUE(json["latencies"]["read"]["p99_below_us"].is_null());
  EXPECT_EQ(codec::window_from(json, 3), window);
}

TEST(LatencyBuckets, OlderRecordsHaveNone) {
  auto json = codec::window_json({.osd = 3});
  json.erase("latencies");
  EXPECT_EQ(codec::window_from(json, 3), OsdWindow{.osd = 3});
}

}  // namespace
}  // namespace radosload::record
