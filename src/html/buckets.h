// A run over time in a limited number of buckets, so that the page of a run of 30 days is as short
// as that of a minute. Seconds are merged, never left out: a bucket keeps its slowest operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "radosload/op.h"

#include "record/run_record.h"

namespace radosload::html {

struct Bucket {
  double seconds = 0;  // how much of it was measured
  std::uint64_t ops = 0;
  std::uint64_t bytes = 0;
  std::optional<double> p99;  // ns; the highest p99 of a second in it
  std::optional<double> max;  // ns; of the slowest operation in it
  void add(const record::TimelineRow& row, const record::Figures& figures);
};

// One row of the heat map: one OSD, or all (no_osd).
struct BucketRow {
  std::int32_t osd = no_osd;
  std::vector<Bucket> buckets;
  std::optional<double> max() const;
};

struct Buckets {
  double length_s = 0;  // of the measured phase
  BucketRow all;
  std::vector<BucketRow> osds;  // ascending
  std::size_t osds_left_out = 0;
};

// At most `columns` buckets of equal length; at most `rows` OSDs, those with the slowest
// operations.
Buckets buckets_of(const record::RunRecord& record, std::size_t columns, std::size_t rows);

}  // namespace radosload::html
