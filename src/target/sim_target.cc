#include "target/sim_target.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "target/sim_osds.h"

namespace radosload::target {

SimTarget::SimTarget(SimModel model, std::uint64_t seed, std::vector<Loop*> loops,
                     const std::optional<workload::Payload>& payload)
    : m_model(std::move(model)), m_seed(seed), m_loops(std::move(loops)), m_queues(m_model.osds) {
  for (Queue& queue : m_queues) queue.free_at.resize(m_model.servers);
  if (payload && m_model.keeps_content) {
    m_contents = std::make_unique<SimContents>(m_model, *payload);
  }
}

SimTarget::~SimTarget() {
  for (auto& drivers : m_sets) {
    for (Driver& driver : drivers) take_back(driver);
  }
}

Status SimTarget::attach(std::span<Slot> slots) {
  auto& drivers = m_sets.emplace_back(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    drivers[i].slot = &slots[i];
    drivers[i].loop = m_loops[i % m_loops.size()];
    drivers[i].luck = Random(split_seed(m_seed, "sim set", m_sets.size()), "sim", i);
    slots[i].driver = &drivers[i];
  }
  m_cancelled = false;
  return {};
}

Time SimTarget::completion_time(Driver& driver, Time now) {
  const std::int32_t osd = driver.slot->op.osd;
  constexpr double half_step = 0x1p-54;  // never exactly 0 or 1, where some laws have no value
  const Time drawn = m_model.latency.quantile(driver.luck.unit() + half_step);
  const Time work =
      Time(static_cast<std::int64_t>(static_cast<double>(drawn.count()) * m_model.factor(osd)));
  if (m_model.servers == 0) return m_model.after_stalls(now + work, osd);
  Queue& queue = m_queues[static_cast<std::size_t>(osd) % m_queues.size()];
  const std::lock_guard lock(queue.mutex);
  Time& server = *std::min_element(queue.free_at.begin(), queue.free_at.end());
  server = m_model.after_stalls(std::max(server, now) + work, osd);
  return server;
}

void SimTarget::submit(Slot& slot) noexcept {
  if (m_cancelled.load(std::memory_order_relaxed)) return slot.complete({.rc = -ECANCELED});
  Driver& driver = *static_cast<Driver*>(slot.driver);
  slot.received = {};
  if (slot.op.osd == no_osd) slot.op.osd = osd_of(slot.op.object, m_model.osds);
  driver.outcome = {.rc = 0, .bytes = slot.op.length};
  double draw = driver.luck.unit();
  for (const auto& [rc, probability] : m_model.failures) {
    if (draw >= 0 && draw < probability) driver.outcome = {.rc = rc, .bytes = 0};
    draw -= probability;
  }
  const double fate = driver.luck.unit();
  driver.never = fate < m_model.never;
  driver.pending = true;
  send(driver, driver.never || fate < m_model.never + m_model.lost);
  // A cancel before `pending` was set did not see the operation; this check sees the cancel.
  if (m_cancelled) driver.loop->post([this, &driver] { take_back(driver); });
}

void SimTarget::send(Driver& driver, bool unanswered) {
  const Slot& slot = *driver.slot;
  const Time now = driver.loop->now();
  // As with a real client, an operation that timed out is still carried out.
  const bool works = !unanswered || m_contents != nullptr;
  const Time due = works ? completion_time(driver, now) : Time::max();
  if (m_contents && slot.op.kind == OpKind::write) execute_prepared(driver, now, due);
  const Time limit = m_model.op_timeout > Time(0) ? now + m_model.op_timeout : Time::max();
  if (!driver.never && limit < (unanswered ? Time::max() : due)) {
    driver.loop->at(limit, [this, &driver] { finish(driver, {.rc = -ETIMEDOUT, .bytes = 0}); });
  } else if (!unanswered) {
    driver.loop->at(due, [this, &driver] { finish(driver, driver.outcome); });
  }
}

void SimTarget::execute_prepared(Driver& driver, Time now, Time due) {
  const Slot& slot = *driver.slot;
  const double moment = driver.luck.unit();
  const double luck = driver.luck.unit();
  if (!driver.outcome.ok() && driver.luck.unit() < 0.5) return;
  const Time then =
      now + Time(static_cast<std::int64_t>(static_cast<double>((due - now).count()) * moment));
  auto stamps = SimContents::stamps_of(slot.buffer.first(slot.op.length));
  driver.loop->at(then, [this, op = slot.op, stamps = std::move(stamps), luck] {
    m_contents->write(op, stamps, luck);
  });
}

void SimTarget::finish(Driver& driver, Outcome outcome) {
  if (!driver.pending.exchange(false)) return;
  Slot& slot = *driver.slot;
  if (m_contents && slot.op.kind == OpKind::read && outcome.ok()) {
    m_contents->read(slot.op, slot.buffer.first(slot.op.length));
    slot.received = slot.buffer.first(slot.op.length);
  }
  slot.complete(outcome);
}

void SimTarget::take_back(Driver& driver) {
  // Another thread may be submitting with this driver: its other members may be read only while it
  // is pending, and then it stays pending until this loop ends it.
  if (!driver.pending || driver.never) return;
  finish(driver, {.rc = -ECANCELED, .bytes = 0});
}

void SimTarget::cancel() noexcept {
  m_cancelled = true;
  for (auto& drivers : m_sets) {
    for (Driver& driver : drivers) {
      driver.loop->post([this, &driver] { take_back(driver); });
    }
  }
}

}  // namespace radosload::target
