#include "footprint/removal.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cluster/bounded_call.h"
#include "observe/rights.h"
#include "workload/adaptive_depth.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

using Clock = std::chrono::steady_clock;

// A delete of an object that is not there is written to the PG's log all the same, at the price of
// a write; a stat is not. After this number of missing objects in a row each one is checked first,
// until one exists.
constexpr std::uint64_t look_first_after = 64;
// The first deletions in flight. They carry no data, so a slow disk can take more of them at once
// than writes; `rados cleanup` begins with 32.
constexpr std::uint32_t first_depth = 16;
// Nothing but failures: there is no point in trying a million times.
constexpr std::uint64_t hopeless_after = 200;
constexpr auto tick = std::chrono::milliseconds(200);
// After a request to stop, deletions in flight are awaited for this long at most.
constexpr Time stall_limit_when_stopped = std::chrono::seconds(2);
// How long callbacks of cancelled deletions may take.
constexpr auto cancel_limit = std::chrono::seconds(5);

class Remover;

// One object on its way out. Only the calling thread starts operations and releases completions;
// callbacks only report.
struct Seat {
  Remover* remover = nullptr;
  std::string name;
  librados::AioCompletion* completion = nullptr;
  bool stats = false;  // a stat, with the deletion to follow
  Clock::time_point sent;
  Clock::time_point answered;
  std::uint64_t size = 0;
  std::time_t changed = 0;
};

class Remover {
 public:
  Remover(cluster::BoundedIo& io, const Names& names, const RemovalOptions& options)
      : m_names(names),
        m_options(options),
        m_depth(options.depth, first_depth),
        m_seats(options.depth) {
    // A context of its own, since the flag below stays with it.
    m_pool.dup(io.pool());
    for (Seat& seat : m_seats) {
      seat.remover = this;
      m_free.push_back(&seat);
    }
    // Else deletions wait silently for as long as the pool is full.
    m_pool.set_pool_full_try();
  }

  // False: callbacks are still to come, and need this object.
  bool run(Removal& removal) {
    auto last_answer = Clock::now();
    auto last_report = last_answer;
    m_removal = &removal;
    bool more = true;
    while (more || m_in_flight > 0) {
      while (more && m_in_flight < m_depth.depth()) more = start_next();
      const bool answered = take_answers(Clock::now() + tick);
      const auto now = Clock::now();
      if (answered) last_answer = now;
      if (m_in_flight > 0 && now - last_answer > m_limit) return give_up();
      if (hopeless()) more = false;
      if (more && missing_too_many()) {
        more = false;
        removal.mostly_missing = true;
      }
      if (m_options.progress && now - last_report >= tick) {
        last_report = now;
        if (!m_options.progress(removal.count)) {
          more = false;
          m_limit = std::min(m_limit, stall_limit_when_stopped);
        }
      }
    }
    if (m_options.progress) m_options.progress(removal.count);
    return true;
  }

 private:
  static void on_answer(librados::completion_t, void* argument) noexcept {
    Seat& seat = *static_cast<Seat*>(argument);
    Remover& self = *seat.remover;
    seat.answered = Clock::now();
    const std::lock_guard lock(self.m_mutex);
    self.m_answered.push_back(&seat);
    self.m_changed.notify_one();
  }

  bool start_next() {
    auto name = m_names();
    if (!name) return false;
    Seat& seat = *m_free.front();
    m_free.pop_front();
    seat.name = *std::move(name);
    start(seat, m_missing_in_a_row >= look_first_after);
    return true;
  }

  void start(Seat& seat, bool stat_first) {
    seat.stats = stat_first;
    seat.sent = Clock::now();
    seat.completion = librados::Rados::aio_create_completion(&seat, on_answer);
    ++m_in_flight;
    const int rc = stat_first
                       ? m_pool.aio_stat(seat.name, seat.completion, &seat.size, &seat.changed)
                       : m_pool.aio_remove(seat.name, seat.completion);
    if (rc >= 0) return;
    seat.answered = seat.sent;
    finish(seat, rc);
  }

  bool take_answers(Clock::time_point until) {
    std::deque<Seat*> answered;
    {
      std::unique_lock lock(m_mutex);
      m_changed.wait_until(lock, until, [this] { return !m_answered.empty(); });
      answered.swap(m_answered);
    }
    for (Seat* const seat : answered) finish(*seat, seat->completion->get_return_value());
    return !answered.empty();
  }

  void finish(Seat& seat, int rc) {
    seat.completion->release();
    seat.completion = nullptr;
    --m_in_flight;
    if (rc >= 0 || rc == -ENOENT) {
      m_depth.answered(seat.answered - seat.sent, static_cast<std::uint32_t>(m_in_flight));
    }
    RemovalCount& count = m_removal->count;
    m_missing_in_a_row = rc == -ENOENT ? m_missing_in_a_row + 1 : 0;
    if (rc >= 0 && seat.stats) return start(seat, false);
    if (rc >= 0) {
      ++count.removed;
    } else if (rc == -ENOENT) {
      ++count.missing;
    } else {
      ++count.failed[rc];
    }
    m_free.push_back(&seat);
  }

  bool missing_too_many() const {
    return m_options.missing_limit > 0 && m_missing_in_a_row >= m_options.missing_limit;
  }

  bool hopeless() {
    const RemovalCount& count = m_removal->count;
    if (count.removed + count.missing > 0 || count.failures() < hopeless_after) return false;
    const auto& [rc, times] = *count.failed.begin();
    m_removal->ended = fail({.attempt = "delete objects",
                             .reason = fmt::format("all of the first {} failed", times),
                             .hint = rc == -EPERM || rc == -EACCES
                                         ? "this user needs osd caps like: allow rw pool=POOL "
                                           "namespace=NAMESPACE; " +
                                               observe::rights_hint("cleanup")
                                         : "",
                             .errnum = -rc});
    return true;
  }

  bool give_up() {
    m_removal->ended = fail(
        {.attempt = "delete objects",
         .reason = fmt::format("{} deletions had no answer for {}; the first of them is of {}",
                               m_in_flight, human_text(m_limit), oldest()),
         .hint =
             "check with 'radosload status' that every PG of the pool is active, then try again",
         .errnum = ETIMEDOUT});
    for (Seat& seat : m_seats) {
      if (seat.completion != nullptr) m_pool.aio_cancel(seat.completion);
    }
    const auto until = Clock::now() + cancel_limit;
    std::size_t back = 0;
    std::unique_lock lock(m_mutex);
    const std::size_t wanted = m_in_flight;
    m_changed.wait_until(lock, until, [&] { return m_answered.size() >= wanted; });
    for (Seat* const seat : m_answered) {
      seat->completion->release();
      ++back;
    }
    m_removal->count.unanswered = wanted;
    return back == wanted;
  }

  std::string oldest() const {
    for (const Seat& seat : m_seats) {
      if (seat.completion != nullptr) return seat.name;
    }
    return "nothing";
  }

  librados::IoCtx m_pool;
  const Names& m_names;
  const RemovalOptions& m_options;
  Time m_limit = m_options.stall_limit;
  Removal* m_removal = nullptr;
  workload::AdaptiveDepth m_depth;
  std::vector<Seat> m_seats;
  std::deque<Seat*> m_free;
  std::size_t m_in_flight = 0;
  std::uint64_t m_missing_in_a_row = 0;

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Seat*> m_answered;
};

}  // namespace

std::uint64_t RemovalCount::failures() const {
  std::uint64_t sum = 0;
  for (const auto& [rc, times] : failed) sum += times;
  return sum;
}

std::uint64_t RemovalCount::done() const {
  return removed + missing + failures() + unanswered;
}

Removal remove_objects(cluster::BoundedIo& io, const Names& names, const RemovalOptions& options) {
  Removal removal;
  auto remover = std::make_unique<Remover>(io, names, options);
  // What has not called back keeps its memory.
  if (!remover->run(removal)) {
    cluster::count_abandoned();
    remover.release();  // NOLINT(bugprone-unused-return-value)
  }
  return removal;
}

}  // namespace radosload::footprint
