// The seconds of all members as one timeline whose rows do not overlap. Pure.
//
// A member that stood still has one interval for several seconds, and when in them its operations
// ended is unknown. So these seconds become one row for all: its counts, histograms and length are
// exact.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "record/interval.h"
#include "record/journal.h"

namespace radosload::session {

class JointRows {
 public:
  // `second`: that of the interval's middle.
  void add(std::int64_t second, const record::PackedInterval& interval);
  // The last second not above the given one at which a row ends.
  std::int64_t end_of_rows(std::int64_t second) const;
  // Of the seconds before `end`, in their order. Call it last.
  std::vector<record::Interval> take(std::int64_t end);

 private:
  std::map<std::int64_t, record::Interval> m_seconds;
  std::map<std::int64_t, std::int64_t> m_long;  // first and last second of each longer interval
};

}  // namespace radosload::session
