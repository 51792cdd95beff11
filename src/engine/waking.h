// Waking up on time. A sleeping thread wakes up late: by the kernel's timer slack and by the time
// it takes to get a processor. So it asks to be woken early and spins for the rest. Decides how
// early, how many threads may spin at the same time, and the slack.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <sys/prctl.h>

#include "radosload/units.h"

#include "base/processors.h"

namespace radosload::engine {

enum class Waking : std::uint8_t { plain, punctual };

// How early to ask for a wake-up. Rises 49 steps after a wake-up that was later than that, and
// falls one step after any other: so one wake-up in 50 is too late.
class WakeLead {
 public:
  static constexpr Time longest = std::chrono::microseconds(100);

  Time ahead() const noexcept { return m_ahead; }
  // Records that a wake-up came this much later than requested.
  void learn(Time late) noexcept {
    constexpr Time step = std::chrono::nanoseconds(100);
    constexpr int rise = 49;
    m_ahead = std::clamp(late > m_ahead ? m_ahead + rise * step : m_ahead - step, Time(0), longest);
  }

 private:
  Time m_ahead = longest / 2;
};

// The permission to spin. At most half of the processors spin at a time; the others are left to the
// client library and to other processes.
class SpinRight {
 public:
  explicit SpinRight(std::atomic<unsigned>& spinning = of_process(),
                     unsigned processors = processors_once()) noexcept
      : m_spinning(spinning), m_granted(m_spinning.fetch_add(1) < processors / 2) {
    if (!m_granted) m_spinning.fetch_sub(1);
  }
  ~SpinRight() {
    if (m_granted) m_spinning.fetch_sub(1);
  }
  SpinRight(const SpinRight&) = delete;
  SpinRight& operator=(const SpinRight&) = delete;
  SpinRight(SpinRight&&) = delete;
  SpinRight& operator=(SpinRight&&) = delete;

  bool granted() const noexcept { return m_granted; }

 private:
  static std::atomic<unsigned>& of_process() noexcept {
    static std::atomic<unsigned> spinning{0};
    return spinning;
  }
  static unsigned processors_once() noexcept {
    static const unsigned processors = usable_processors();
    return processors;
  }

  std::atomic<unsigned>& m_spinning;
  bool m_granted;
};

// While it exists, this thread's timer slack is zero. Usually it is 50 us, so that the kernel can
// join wake-ups of several threads.
class NoTimerSlack {
 public:
  NoTimerSlack() noexcept : m_before(::prctl(PR_GET_TIMERSLACK)) {
    ::prctl(PR_SET_TIMERSLACK, 1UL);
  }
  ~NoTimerSlack() {
    if (m_before > 0) ::prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(m_before));
  }
  NoTimerSlack(const NoTimerSlack&) = delete;
  NoTimerSlack& operator=(const NoTimerSlack&) = delete;
  NoTimerSlack(NoTimerSlack&&) = delete;
  NoTimerSlack& operator=(NoTimerSlack&&) = delete;

 private:
  int m_before;
};

}  // namespace radosload::engine
