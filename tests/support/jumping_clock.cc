// Preloaded into a program, it makes the wall clock jump an hour back and forth, twice a second.
// The monotonic clock is not changed.
#include <cstdint>
#include <ctime>
#include <dlfcn.h>
#include <sys/time.h>

namespace {

using ClockGettime = int (*)(clockid_t, timespec*);

int real_clock_gettime(clockid_t clock, timespec* time) {
  static const auto real = reinterpret_cast<ClockGettime>(dlsym(RTLD_NEXT, "clock_gettime"));
  return real(clock, time);
}

std::int64_t jump() {
  constexpr std::int64_t hour = 3600;
  constexpr std::int64_t half_second = 500'000'000;
  timespec now{};
  real_clock_gettime(CLOCK_MONOTONIC, &now);
  const bool first_half = now.tv_nsec < half_second;
  return first_half ? -hour : hour;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int rc = real_clock_gettime(clock, time);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec += jump();
  return rc;
}

extern "C" int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  const int rc = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return rc;
}

extern "C" std::time_t time(std::time_t* into) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (into != nullptr) *into = now.tv_sec;
  return now.tv_sec;
}
