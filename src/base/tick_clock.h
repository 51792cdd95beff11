// CLOCK_MONOTONIC, for those who read it twice for every operation at millions a second. Owns the
// short cut through the processor's own counter; knows nothing of loops or of what is timed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "radosload/units.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace radosload {

// Tells the time from a counter, by the last two occasions on which both were known.
class TickRate {
 public:
  // Both at one moment. A stretch of less than a millisecond teaches nothing.
  void learn(std::uint64_t ticks, std::int64_t time) noexcept;
  // Whether the time can be told: not long after the last occasion, and not before it.
  bool covers(std::uint64_t ticks) const noexcept { return ticks - m_ticks < m_reach; }
  std::int64_t time_at(std::uint64_t ticks) const noexcept {
    return m_time + static_cast<std::int64_t>((ticks - m_ticks) * m_rate >> rate_bits);
  }

 private:
  static constexpr unsigned rate_bits = 32;

  bool m_begun = false;
  std::uint64_t m_ticks = 0;  // of the last occasion
  std::int64_t m_time = 0;
  std::uint64_t m_rate = 0;   // ns per tick, times 2^rate_bits
  std::uint64_t m_reach = 0;  // for so many ticks; 0: the rate is not known
};

// Where the kernel keeps time by the processor's counter and so vouches for it, what a thread reads
// within ten milliseconds of asking the kernel is counted on from there, which takes a third of the
// time. It agrees with the kernel's, and with what other threads read, within some 50 ns. Anywhere
// else, and after a pause, it is the kernel that is asked.
class TickClock {
 public:
  static Time now() noexcept { return t_mine.read(); }

 private:
  static std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return 0;
#endif
  }
  Time read() noexcept {
    const std::uint64_t at = ticks();
    return m_rate.covers(at) ? not_before(m_rate.time_at(at)) : ask_kernel();
  }
  // Counting on may have gone a little faster than time does.
  Time not_before(std::int64_t time) noexcept {
    m_last = std::max(m_last, time);
    return Time(m_last);
  }
  Time ask_kernel() noexcept;

  static constinit thread_local TickClock t_mine;

  TickRate m_rate;
  std::int64_t m_last = 0;
};

}  // namespace radosload
