// Waking up on time. A thread that sleeps until a moment wakes up late, by the kernel's slack and
// by what it takes to get a processor; so it asks to be woken early and spins for the rest. Owns
// how early, how many threads may spin at a time, and the slack; knows nothing of tasks.
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

// How much early to ask. Rises 49 steps with a wake-up that came later than that, falls one with
// any other: so it settles where one wake-up in 50 is too late.
class WakeLead {
 public:
  static constexpr Time longest = std::chrono::microseconds(100);

  Time ahead() const noexcept { return m_ahead; }
  // A wake-up came that much after the time it was asked for.
  void learn(Time late) noexcept {
    constexpr Time step = std::chrono::nanoseconds(100);
    constexpr int rise = 49;
    m_ahead = std::clamp(late > m_ahead ? m_ahead + rise * step : m_ahead - step, Time(0), longest);
  }

 private:
  Time m_ahead = longest / 2;
};

// The right to spin. At most half of the processors do at a time: the others are for the client's
// library, and for whoever else runs here.
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

// While it lives, the kernel delays this thread's timers by nothing. Usually it is 50 us, so that
// wake-ups of several threads come together.
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
