// What happened in one second of one run. Owns how seconds add up, in parallel (lanes, clients) and
// in sequence; knows nothing of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "radosload/units.h"

#include "record/cell.h"
#include "record/recorder.h"

namespace radosload::record {

struct Interval {
  // From the start of the measured phase; negative in a warm-up. An interval ends where the
  // measured phase begins, so that none belongs to both.
  Time start{0};
  Time length{0};
  Flow measured;                // of operations submitted in the measured phase
  Flow unmeasured;              // of all others
  Flow carried;                 // of these, what a warm-up had sent and ended after it
  Time unmeasured_time{0};      // response times of those that succeeded
  std::uint64_t in_flight = 0;  // at its end
  LastOp last;
  Histogram lateness;       // open loop: how long after their times operations were sent
  std::vector<Cell> kinds;  // over all OSDs, by kind; their osd is no_osd
  std::vector<Cell> osds;   // by OSD and kind, as far as OSDs are known
  bool reduced = false;     // osds lacks some: see keep_worst

  Time end() const { return start + length; }
  // Adds what one lane counted in this time. in_flight is the caller's to set.
  void absorb(const Recorder& counted);
  bool operator==(const Interval&) const = default;
};

// The same time seen by several lanes or clients. Commutative and associative: parts merged in any
// grouping are the whole.
Interval merge_parallel(Interval one, const Interval& other);
// Different times of one run, in either order; in_flight is that of the later one. Associative, and
// commutative unless both end at the same time.
Interval merge_sequence(Interval one, const Interval& other);

// How many OSDs an interval keeps when none were pinned.
inline constexpr std::size_t worst_osds = 16;
// Keeps the given number of OSDs in `osds`: those with the most failures, then the highest mean
// response time. `kinds` keeps everything. Call it last: reduced intervals can still be merged, but
// an OSD that one second left out lacks that second in the sum.
void keep_worst(Interval& interval, std::size_t limit);

}  // namespace radosload::record
