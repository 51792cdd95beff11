#include "html/buckets.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace radosload::html {

namespace {

void raise(std::optional<double>& highest, double value) {
  highest = std::max(highest.value_or(value), value);
}

// Keeps the OSDs with the slowest operations.
void keep_slowest(Buckets& result, std::size_t rows) {
  if (result.osds.size() <= rows) return;
  result.osds_left_out = result.osds.size() - rows;
  std::stable_sort(result.osds.begin(), result.osds.end(),
                   [](const BucketRow& one, const BucketRow& other) {
                     return one.max().value_or(0) > other.max().value_or(0);
                   });
  result.osds.resize(rows);
  std::sort(result.osds.begin(), result.osds.end(),
            [](const BucketRow& one, const BucketRow& other) { return one.osd < other.osd; });
}

}  // namespace

void Bucket::add(const record::TimelineRow& row, const record::Figures& figures) {
  seconds += radosload::seconds(row.length);
  ops += figures.ops;
  bytes += figures.bytes;
  if (figures.timed > 0) raise(max, static_cast<double>(figures.max.count()));
  if (figures.p99) raise(p99, static_cast<double>(figures.p99->count()));
}

std::optional<double> BucketRow::max() const {
  std::optional<double> highest;
  for (const Bucket& bucket : buckets) {
    if (bucket.max) raise(highest, *bucket.max);
  }
  return highest;
}

Buckets buckets_of(const record::RunRecord& record, std::size_t columns, std::size_t rows) {
  Buckets result;
  result.length_s = seconds(record.measured);
  if (!(result.length_s > 0) || columns == 0) return result;
  // A bucket shorter than a second would be empty in between.
  const auto whole = static_cast<std::size_t>(std::clamp(std::ceil(result.length_s), 1.0, 1e9));
  const std::size_t count = std::min(columns, whole);
  result.all.buckets.resize(count);
  std::map<std::int32_t, BucketRow> osds;
  for (const record::TimelineRow& row : record.timeline) {
    if (row.start < Time(0)) continue;
    const double place = seconds(row.start) / result.length_s * static_cast<double>(count);
    const auto column = static_cast<std::size_t>(
        std::clamp(std::floor(place + 1e-6), 0.0, static_cast<double>(count - 1)));
    result.all.buckets[column].add(row, row.all);
    if (rows == 0) continue;
    for (const auto& [osd, figures] : row.osds) {
      BucketRow& of_osd = osds[osd];
      if (of_osd.buckets.empty()) {
        of_osd.osd = osd;
        of_osd.buckets.resize(count);
      }
      of_osd.buckets[column].add(row, figures);
    }
  }
  for (auto& [osd, row] : osds) {
    if (osd != no_osd) result.osds.push_back(std::move(row));
  }
  keep_slowest(result, rows);
  return result;
}

}  // namespace radosload::html
