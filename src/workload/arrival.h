// When operations are due: the pacer, as a function of time only. A Schedule never skips: a late
// operation keeps its due time, and the number of operations in a period does not depend on how
// fast they are answered.
#pragma once

#include <cstdint>

#include "radosload/pattern.h"
#include "radosload/units.h"

#include "base/random.h"
#include "plan/limits.h"

namespace radosload::workload {

// One lane's due times, counted from the start of the schedule, never falling.
//
// Closed: always 0, "now"; ask closed() instead. Constant: operation k of the whole run is due at
// k / rate exactly, and lane i of n takes the operations i, i+n, i+2n, ...: together the lanes are
// as even as one would be, and a stretch of T seconds from the start holds ceil(rate x T)
// operations. Poisson: each lane has a process of its own at rate / n; their union is a Poisson
// process at the whole rate.
class Schedule final {
 public:
  // lanes <= plan::max_lanes; the rate, unless closed, from plan::lowest_rate to highest_rate for
  // each lane.
  Schedule(const Arrival& arrival, std::uint64_t seed, std::uint32_t lane = 0,
           std::uint32_t lanes = 1);

  bool closed() const noexcept { return m_law == Arrival::Law::closed; }
  Time next() noexcept;

 private:
  Arrival::Law m_law;
  std::uint64_t m_due = 0;  // ns
  // Constant: the exact time is m_due + m_part / m_whole, and so is the step. Integers, so that a
  // week at 1/3 operation a second has no drift.
  std::uint64_t m_step = 0;
  std::uint64_t m_part = 0;
  std::uint64_t m_step_part = 0;
  std::uint64_t m_whole = 1;
  // Poisson.
  Random m_gaps;
  double m_mean_gap = 0;  // ns
  double m_fraction = 0;  // what m_due lacks of the exact time
};

}  // namespace radosload::workload
