#include "watch/client_witness.h"

#include <algorithm>
#include <ctime>
#include <sched.h>
#include <sys/prctl.h>
#include <utility>

namespace radosload::watch {

namespace {

constexpr Time shortest_period = std::chrono::milliseconds(1);
constexpr Time longest_period = std::chrono::milliseconds(20);
constexpr int looks_per_cpu = 500;  // one look in 500 times what it costs: 0.2 % of a CPU

// How often the period is chosen anew, by what the looks took.
constexpr std::int64_t looks_between_choices = 32;
// How often the kernel's counts are read, for the cause of a pause.
constexpr Time between_counts = std::chrono::seconds(2);

Time read_clock(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + Time(now.tv_nsec);
}

Moment read_clocks() {
  return {.monotonic = read_clock(CLOCK_MONOTONIC), .boot = read_clock(CLOCK_BOOTTIME)};
}

// Unlike the threads of the load (use_batch_scheduling()), this one takes its turn at once: what it
// then still waits for is more than its turn.
void wake_up_at_once() {
  const sched_param priority{};
  if (::sched_getscheduler(0) == SCHED_BATCH) ::sched_setscheduler(0, SCHED_OTHER, &priority);
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

std::optional<Time> grown(const std::optional<Time>& before, const std::optional<Time>& after) {
  if (!before || !after) return std::nullopt;
  return std::max(Time(0), *after - *before);
}

KernelCpu growth(const KernelCpu& before, const KernelCpu& after) {
  return {.throttled = grown(before.throttled, after.throttled),
          .stolen = grown(before.stolen, after.stolen),
          .all = grown(before.all, after.all),
          .pressure = grown(before.pressure, after.pressure)};
}

}  // namespace

std::optional<record::Pause> pause_between(const Moment& last, Time due, const Moment& now) {
  const Time late = std::max(Time(0), now.monotonic - due);
  const Time suspended =
      std::max(Time(0), (now.boot - now.monotonic) - (last.boot - last.monotonic));
  if (late + suspended < least_pause) return std::nullopt;
  return record::Pause{
      .from = due,
      .length = late + suspended,
      .cause = 2 * suspended >= late ? record::PauseCause::suspended : record::PauseCause::unknown};
}

record::PauseCause cause_of(const record::Pause& pause, const KernelCpu& before,
                            const KernelCpu& after) {
  if (pause.cause != record::PauseCause::unknown) return pause.cause;
  const KernelCpu lost = growth(before, after);
  const auto explains = [&pause](const std::optional<Time>& time) {
    return time && 2 * *time >= pause.length;
  };
  if (explains(lost.throttled)) return record::PauseCause::throttled;
  if (explains(lost.stolen)) return record::PauseCause::stolen;
  return record::PauseCause::unknown;
}

Time period_for(Time look) {
  return std::clamp(look * looks_per_cpu, shortest_period, longest_period);
}

ClientWitness::~ClientWitness() {
  end();
}

void ClientWitness::enter(Phase phase) {
  if (phase == Phase::measure && !m_thread.joinable()) {
    m_thread = std::thread([this] { watch(); });
  } else if (phase == Phase::drain) {
    const std::lock_guard lock(m_mutex);
    m_ended = true;
    m_wake.notify_one();
  }
}

void ClientWitness::end() {
  enter(Phase::drain);
  if (m_thread.joinable()) m_thread.join();
}

std::optional<ClientWitness::Seen> ClientWitness::finish() {
  if (!m_thread.joinable()) return std::nullopt;
  end();
  return m_seen;
}

bool ClientWitness::sleep_until(Time due) {
  std::unique_lock lock(m_mutex);
  return m_wake.wait_until(lock, std::chrono::steady_clock::time_point(due),
                           [this] { return m_ended; });
}

void ClientWitness::watch() {
  wake_up_at_once();
  const KernelCpu first = m_files.read();
  KernelCpu counted = first;
  Time period = shortest_period;
  const Moment began = read_clocks();
  Moment last = began;
  Moment counted_at = began;
  Time cpu_then = read_clock(CLOCK_THREAD_CPUTIME_ID);
  std::int64_t looks = 0;
  bool ended = false;
  while (!ended) {
    const Time due = last.monotonic + period;
    ended = sleep_until(due);
    const Moment now = read_clocks();
    auto pause = pause_between(last, due, now);
    last = now;
    if (++looks == looks_between_choices) {
      const Time cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
      period = period_for((cpu - cpu_then) / looks);
      cpu_then = cpu;
      looks = 0;
    }
    if (!pause && now.monotonic - counted_at.monotonic < between_counts) continue;
    const KernelCpu after = m_files.read();
    if (pause) {
      pause->cause = cause_of(*pause, counted, after);
      pause->from -= began.monotonic;
      m_seen.pauses.add(*pause);
      m_seen.squares += seconds(pause->length) * seconds(pause->length);
    }
    counted = after;
    counted_at = now;
    // Without what reading took.
    cpu_then = read_clock(CLOCK_THREAD_CPUTIME_ID);
    looks = 0;
  }
  m_seen.kernel = growth(first, m_files.read());
  m_seen.cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace radosload::watch
