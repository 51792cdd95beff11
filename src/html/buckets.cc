#include "html/buckets.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace radosload::html {

namespace {

void raise(std::optional<double>& highest, double value) {
  highest = std::max(highest.value_or(value), value);
}

// Which buckets a row belongs to: the one in which it begins, and those that it covers whole, since
// rows of a long run's past are longer than buckets may be.
struct Columns {
  std::size_t first = 0;
  std::size_t last = 0;
};

Columns columns_of(const record::TimelineRow& row, double length_s, std::size_t count) {
  constexpr double rounding = 1e-6;
  const double scale = static_cast<double>(count) / length_s;
  const double most = static_cast<double>(count) - 1;
  const double begin = std::floor(seconds(row.start) * scale + rounding);
  const double end = std::floor(seconds(row.start + row.length) * scale + rounding) - 1;
  const double first = std::clamp(begin, 0.0, most);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(std::clamp(end, first, most))};
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
    const Columns columns_covered = columns_of(row, result.length_s, count);
    const auto add = [&](BucketRow& into, const record::Figures& figures) {
      for (std::size_t i = columns_covered.first; i <= columns_covered.last; ++i) {
        into.buckets[i].add(row, figures);
      }
    };
    add(result.all, row.all);
    if (rows == 0) continue;
    for (const auto& [osd, figures] : row.osds) {
      BucketRow& of_osd = osds[osd];
      if (of_osd.buckets.empty()) {
        of_osd.osd = osd;
        of_osd.buckets.resize(count);
      }
      add(of_osd, figures);
    }
  }
  for (auto& [osd, row] : osds) {
    if (osd != no_osd) result.osds.push_back(std::move(row));
  }
  keep_slowest(result, rows);
  return result;
}

}  // namespace radosload::html
