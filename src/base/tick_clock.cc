#include "base/tick_clock.h"

#include <ctime>
#include <fstream>
#include <string>

namespace radosload {

namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;
// Two readings of the kernel's clock differ by about 20 ns each, so a measured rate is valid for as
// long as it was measured, and very short measurements are useless.
constexpr std::int64_t shortest = 1'000'000;
constexpr std::int64_t longest = 10'000'000;

// No counter runs at such rates, unless it was set to another value meanwhile.
constexpr double fastest = 0.1;  // ns per tick
constexpr double slowest = 10;

std::int64_t kernel_time() noexcept {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * ns_per_s + time.tv_nsec;
}

// The kernel tests whether the counter runs evenly and equally on all processors, and uses another
// clock source if it does not.
bool kernel_trusts_ticks() noexcept {
  static const bool trusted = [] {
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string source;
    return file >> source && source == "tsc";
  }();
  return trusted;
}

}  // namespace

void TickRate::learn(std::uint64_t ticks, std::int64_t time) noexcept {
  const std::int64_t stretch = time - m_time;
  if (m_begun && stretch < shortest) return;
  const double ns_per_tick = static_cast<double>(stretch) / static_cast<double>(ticks - m_ticks);
  const bool known = m_begun && ns_per_tick > fastest && ns_per_tick < slowest;
  m_rate = 0;
  m_reach = 0;
  if (known) {
    const auto reach = static_cast<double>(std::min(stretch, longest)) / ns_per_tick;
    m_rate = static_cast<std::uint64_t>(ns_per_tick * static_cast<double>(1ULL << rate_bits));
    m_reach = static_cast<std::uint64_t>(reach);
  }
  m_begun = true;
  m_ticks = ticks;
  m_time = time;
}

constinit thread_local TickClock TickClock::t_mine;

Time TickClock::ask_kernel() noexcept {
  const std::uint64_t before = ticks();
  const std::int64_t time = kernel_time();
  const std::uint64_t after = ticks();
  // If the thread was interrupted between the readings, the time is right but the counter's value
  // at that time is unknown.
  constexpr std::uint64_t at_most = 1000;
  const bool together = after - before < at_most;
  if (together && kernel_trusts_ticks()) m_rate.learn(before + (after - before) / 2, time);
  return not_before(time);
}

}  // namespace radosload
