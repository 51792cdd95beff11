// Submits operations to librados, and handles every way in which they end.

#include "target/rados_target.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <thread>
#include <utility>

#include "target/late_answers.h"
#include "target/rados_driver.h"
#include "target/rados_list.h"

#include <fmt/format.h>

namespace radosload::target {

namespace {

// Returns a free flight. There always is one: a slot is submitted by the callbacks of its lane, of
// which one runs at a time, and by one submitter, and each has left its last submit() before the
// next. The other thread may need a moment to take its last step.
Flight& free_flight(Driver& driver) noexcept {
  for (;;) {
    for (Flight& flight : driver.flights) {
      if (flight.holders.load(std::memory_order_acquire) == 0) return flight;
    }
    std::this_thread::yield();
  }
}

void on_answer(librados::completion_t, void* argument) noexcept {
  Flight& flight = *static_cast<Flight*>(argument);
  Driver& driver = *flight.driver;
  driver.slot->answered();
  const std::uint32_t submits = driver.submits.load(std::memory_order_relaxed);
  const Outcome outcome = outcome_of(flight);
  driver.slot->finish(outcome);
  // The slot is in flight again, so what this operation received is not needed.
  if (driver.submits.load(std::memory_order_relaxed) != submits) flight.received.clear();
  flight.let_go();
}

bool idle(const Driver& driver) noexcept {
  return std::all_of(driver.flights.begin(), driver.flights.end(), [](const Flight& flight) {
    return flight.holders.load(std::memory_order_acquire) == 0;
  });
}

}  // namespace

struct RadosTarget::Core {
  std::vector<RadosLane> lanes;
  RadosTargetOptions options;
  // All attached sets of slots; earlier ones are kept, because a late callback may still use them.
  std::vector<std::vector<Driver>> sets;
  mutable std::mutex sets_mutex;  // attach against cancel; never taken by submit or a callback
  std::atomic<bool> cancelled{false};
  ListPool lists;

  void cancel_flight(Driver& driver, Flight& flight) noexcept {
    if (!flight.hold()) return;
    driver.pool->aio_cancel(flight.completion);
    flight.let_go();
  }

  // As with flights: a cancel just before did not see it.
  void list(Driver& driver) noexcept {
    lists.add(driver);
    if (cancelled) lists.cancel();
  }

  std::size_t count(bool (*wanted)(const Driver&) noexcept) const noexcept {
    const std::lock_guard lock(sets_mutex);
    std::size_t found = 0;
    for (const std::vector<Driver>& set : sets) {
      found += static_cast<std::size_t>(std::count_if(set.begin(), set.end(), wanted));
    }
    return found;
  }

  // The library uses nothing of this driver. (The payload belongs to the messages.)
  bool quiet() const noexcept {
    return lists.ended() && count([](const Driver& driver) noexcept { return !idle(driver); }) == 0;
  }
};

RadosTarget::RadosTarget(std::vector<RadosLane> lanes, RadosTargetOptions options)
    : m_core(std::make_shared<Core>()) {
  m_core->lanes = std::move(lanes);
  m_core->options = std::move(options);
}

RadosTarget::~RadosTarget() {
  cancel();
  m_core->lists.stop();
  const Time farewell = m_core->options.farewell;
  leave_to_late_answers(std::move(m_core), farewell);
}

Status RadosTarget::attach(std::span<Slot> slots) {
  std::vector<Driver> set(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].lane >= m_core->lanes.size()) {
      return fail({.attempt = "start the load",
                   .reason = fmt::format("internal error: invalid lane {}", slots[i].lane)});
    }
    prepare(set[i], slots[i], m_core->lanes[slots[i].lane].pool, m_core->options);
  }
  const std::lock_guard lock(m_core->sets_mutex);
  for (std::vector<Driver>& before : m_core->sets) {
    for (Driver& driver : before) {
      if (idle(driver)) release_buffer(driver);
    }
  }
  m_core->sets.push_back(std::move(set));  // moves the array, not the drivers in it
  m_core->lists.allow(slots.size());
  m_core->cancelled = false;
  return {};
}

void RadosTarget::ready_buffer(Slot& slot) noexcept {
  target::ready_buffer(*static_cast<Driver*>(slot.driver));
}

void RadosTarget::submit(Slot& slot) noexcept {
  Driver& driver = *static_cast<Driver*>(slot.driver);
  Core& core = *m_core;
  if (core.cancelled.load(std::memory_order_relaxed)) return slot.complete({.rc = -ECANCELED});
  driver.submits.fetch_add(1, std::memory_order_relaxed);
  if (slot.op.kind == OpKind::list) return core.list(driver);

  Flight& flight = free_flight(driver);
  flight.completion = librados::Rados::aio_create_completion(&flight, on_answer);
  constexpr int submitter_and_callback = 2;
  flight.holders = submitter_and_callback;
  if (const int rc = issue(driver, flight); rc < 0) {
    flight.let_go();
    flight.let_go();
    return slot.complete({.rc = rc});
  }
  // From here on the operation may have completed and the slot be in flight again. A cancel before
  // librados knew the operation did not cancel it: either this thread sees the flag, or the cancel
  // sees the operation. (Flag and holders are sequentially consistent on both sides; fences would
  // do too, but TSan does not understand them.)
  if (core.cancelled) driver.pool->aio_cancel(flight.completion);
  flight.let_go();
}

void RadosTarget::cancel() noexcept {
  m_core->cancelled = true;
  m_core->lists.cancel();
  const std::lock_guard lock(m_core->sets_mutex);
  for (std::vector<Driver>& set : m_core->sets) {
    for (Driver& driver : set) {
      for (Flight& flight : driver.flights) m_core->cancel_flight(driver, flight);
    }
  }
}

std::size_t RadosTarget::outstanding() const noexcept {
  return m_core->count(
      [](const Driver& driver) noexcept { return !idle(driver) || driver.listing.load(); });
}

}  // namespace radosload::target
