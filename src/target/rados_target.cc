// The way of an operation through the rados target, and the ways it may end.

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

// A flight that nobody holds. There is one: those who submit a slot are the callbacks of its lane,
// of which one runs at a time, and one submitter; each has left its last submit() before the next.
// It may be a moment before the other thread has taken its last step.
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
  // The slot is in flight again: nobody will look at what this operation received.
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
  // Sets of slots that have been attached; those of an earlier phase stay, as a late callback may
  // still need them.
  std::vector<std::vector<Driver>> sets;
  mutable std::mutex sets_mutex;  // attach against cancel; never taken by submit or a callback
  std::atomic<bool> cancelled{false};
  ListPool lists;

  void cancel_flight(Driver& driver, Flight& flight) noexcept {
    if (!flight.hold()) return;
    driver.pool->aio_cancel(flight.completion);
    flight.let_go();
  }

  // As with flights: a cancel that came just before has missed it.
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

  // Nothing beneath has anything of this. (What is sent belongs to the messages.)
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
      return fail({.attempt = "attach slots to the rados target",
                   .reason = fmt::format("a slot wants lane {} of {}", slots[i].lane,
                                         m_core->lanes.size())});
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
  // From here on the operation may have completed and the slot be in flight again. A cancel that
  // came before librados knew of the operation has missed it: either this sees the flag, or the
  // cancel sees the operation. (Flag and holders are sequentially consistent on both sides; fences
  // would say it too, but TSan does not understand them.)
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
