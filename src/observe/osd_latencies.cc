#include "observe/osd_latencies.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>

#include "observe/json.h"

namespace radosload::observe {

namespace {

struct HistogramName {
  const char* ours;
  std::string_view ceph;
};
constexpr std::array<HistogramName, 2> histogram_names = {
    {{"read", "op_r_latency_out_bytes_histogram"}, {"write", "op_w_latency_in_bytes_histogram"}}};

// An OSD's own tables have 32 rows.
constexpr std::size_t most_rows = 256;

// Ceph calls the unit "usec", but the OSD puts nanoseconds in: a mean of 6.4 ms stands in the row
// from 3,200,000 to 6,399,999. Another name or step may come with another unit.
bool is_known(const Json& axis) {
  constexpr std::uint64_t step = 100'000;
  return text(axis, "name") == "Latency (usec)" && number(axis, "quant_size") == step &&
         text(axis, "scale_type") == "log2";
}

// Of the sizes of the operations, which are the columns.
std::optional<std::uint64_t> ops_in(const Json& row) {
  if (!row.is_array()) return std::nullopt;
  std::uint64_t sum = 0;
  for (const Json& cell : row) {
    if (!cell.is_number_unsigned()) return std::nullopt;
    const auto ops = cell.get<std::uint64_t>();
    if (ops > std::numeric_limits<std::uint64_t>::max() - sum) return std::nullopt;
    sum += ops;
  }
  return sum;
}

// The first row is for what is negative, and the last one has no limit. A limit is inclusive.
LatencyBucket bounds_of(const Json& range) {
  LatencyBucket bucket{.from_ns = number(range, "min")};
  const Json& last = member(range, "max");
  if (last.is_number_unsigned()) bucket.below_ns = last.get<std::uint64_t>() + 1;
  return bucket;
}

std::optional<LatencyBuckets> buckets_of(const Json& histogram) {
  const Json& axes = member(histogram, "axes");
  const Json& values = member(histogram, "values");
  if (!axes.is_array() || axes.empty() || !is_known(axes.front())) return std::nullopt;
  const Json& ranges = member(axes.front(), "ranges");
  if (!ranges.is_array() || !values.is_array() || ranges.size() != values.size()) {
    return std::nullopt;
  }
  if (values.size() > most_rows) return std::nullopt;
  LatencyBuckets buckets;
  std::uint64_t reached = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto ops = ops_in(values[i]);
    if (!ops) return std::nullopt;
    const bool negative = member(ranges[i], "min").is_null();
    LatencyBucket bucket = negative ? LatencyBucket{} : bounds_of(ranges[i]);
    if (negative || *ops == 0) continue;
    bucket.ops = *ops;
    const bool ascends =
        bucket.from_ns >= reached && (bucket.below_ns == 0 || bucket.below_ns > bucket.from_ns);
    if (!ascends || reached == std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
    reached = bucket.below_ns == 0 ? std::numeric_limits<std::uint64_t>::max() : bucket.below_ns;
    buckets.push_back(bucket);
  }
  return buckets;
}

}  // namespace

Result<OsdLatencies> parse_latencies(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto dump, parse_object("perf histogram dump", json));
  OsdLatencies latencies;
  for (const HistogramName& name : histogram_names) {
    auto buckets = buckets_of(member(member(dump, "osd"), name.ceph));
    if (buckets) latencies.emplace(name.ours, *std::move(buckets));
  }
  if (!latencies.empty()) return latencies;
  return fail({.attempt = "read the answer to 'perf histogram dump'",
               .reason = "it has no histogram that radosload knows",
               .exit = Exit::no_cluster});
}

Result<std::string> fetch_latencies(AdminCommands& commands, std::int32_t osd) {
  return commands.osd(osd,
                      R"({"prefix": "perf histogram dump", "logger": "osd", "format": "json"})");
}

}  // namespace radosload::observe
