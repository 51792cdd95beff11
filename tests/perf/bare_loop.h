// What the bare loops have in common: counting completions, and the time and CPU time they took.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <thread>

namespace bare {

using Clock = std::chrono::steady_clock;

// How long: so many seconds after a warm-up, or until so many operations are done.
struct Extent {
  double warmup = 0;
  double seconds = 0;
  std::uint64_t ops = 0;  // when seconds is 0
};

struct Counters {
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> completed{0};
  std::atomic<std::uint64_t> failed{0};
  std::atomic<unsigned> in_flight{0};
  std::atomic<bool> stopped{false};

  // Counts an answer. True when the slot may go on.
  bool answered(std::int64_t rc, std::uint64_t limit) {
    if (rc < 0) failed.fetch_add(1, std::memory_order_relaxed);
    completed.fetch_add(1, std::memory_order_relaxed);
    const bool more = !stopped.load(std::memory_order_relaxed) &&
                      (limit == 0 || sent.fetch_add(1, std::memory_order_relaxed) < limit);
    if (!more) in_flight.fetch_sub(1);
    return more;
  }
};

inline void check(int rc, const char* what) {
  if (rc >= 0) return;
  std::fprintf(stderr, "%s: %s\n", what, std::strerror(-rc));
  std::exit(1);
}

// xorshift64
inline std::uint64_t draw(std::uint64_t& random) {
  random ^= random << 13U;
  random ^= random >> 7U;
  random ^= random << 17U;
  return random;
}
inline constexpr std::uint64_t seed_step = 0x9e3779b97f4a7c15U;

inline double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

inline void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

inline void await_end(const Counters& counters) {
  while (counters.in_flight.load() > 0) sleep_for(0.001);
}

// While the operations run. Prints one JSON object.
inline void measure(const Counters& counters, const Extent& extent) {
  sleep_for(extent.warmup);
  const double cpu = cpu_seconds();
  const std::uint64_t completed = counters.completed;
  const auto begin = Clock::now();
  if (extent.ops > 0) {
    await_end(counters);
  } else {
    sleep_for(extent.seconds);
  }
  const double used = cpu_seconds() - cpu;
  const auto ops = static_cast<double>(counters.completed - completed);
  const double took = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("{\"ops\": %.0f, \"iops\": %.1f, \"cpu_us_per_op\": %.3f, \"failed\": %llu}\n", ops,
              ops / took, 1e6 * used / ops, static_cast<unsigned long long>(counters.failed));
}

}  // namespace bare
