// A row of a record's timeline.
#pragma once

#include <cstdint>
#include <map>

#include "radosload/op.h"
#include "radosload/units.h"

#include "record/cell.h"
#include "record/figures.h"
#include "record/figures_by_osd.h"
#include "record/interval.h"

namespace radosload::record {

// An interval without its histograms; of a long run's past, several merged ones (aged_timeline.h).
struct TimelineRow {
  Time start{0};
  Time length{0};
  Flow flow;
  std::uint64_t in_flight = 0;
  std::uint64_t late = 0;
  // Service times, as `rados bench` prints them; 0 without operations.
  Time last_service{0};  // of the operation that completed last
  Time mean_service{0};
  Time min_service{0};
  Time max_service{0};
  Figures all;
  std::map<OpKind, Figures> kinds;
  FiguresByOsd osds;  // over all kinds
  bool operator==(const TimelineRow&) const = default;
};
TimelineRow row_of(const Interval& interval);

}  // namespace radosload::record
