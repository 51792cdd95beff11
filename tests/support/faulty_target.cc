#include "support/faulty_target.h"

#include <algorithm>
#include <cerrno>

namespace radosload::test {

void FaultyTarget::fail(const Which& which, int rc) {
  m_faults.push_back({.which = which, .effect = Effect::fails, .rc = rc});
}

void FaultyTarget::delay(const Which& which, Time by) {
  m_faults.push_back({.which = which, .effect = Effect::is_late, .by = by});
}

void FaultyTarget::stall(const Which& which) {
  m_faults.push_back({.which = which, .effect = Effect::waits});
}

void FaultyTarget::stall_for_good(const Which& which) {
  m_faults.push_back({.which = which, .effect = Effect::waits_for_good});
}

void FaultyTarget::resume(const Which& which, AnswerOrder order) {
  std::erase_if(m_faults, [&](const Fault& fault) { return fault.which == which; });
  carry_out_late();
  std::vector<Driver*> waiting;
  waiting.swap(m_waiting);
  if (order == AnswerOrder::reversed) std::reverse(waiting.begin(), waiting.end());
  for (Driver* const driver : waiting) {
    if (!driver->pending || !driver->waits) continue;
    driver->waits = false;
    m_loop->post([this, driver, number = driver->number] { answer(*driver, number); });
  }
}

const FaultyTarget::Fault* FaultyTarget::fault_of(const Op& op, std::uint64_t number) const {
  const auto last = std::find_if(m_faults.rbegin(), m_faults.rend(),
                                 [&](const Fault& fault) { return fault.which.fit(op, number); });
  return last == m_faults.rend() ? nullptr : &*last;
}

bool FaultyTarget::stalled(const Op& op, std::uint64_t number) const {
  const Fault* const fault = fault_of(op, number);
  return fault != nullptr &&
         (fault->effect == Effect::waits || fault->effect == Effect::waits_for_good);
}

Status FaultyTarget::attach(std::span<Slot> slots) {
  m_cancelled = false;
  auto& drivers = m_sets.emplace_back(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    drivers[i].slot = &slots[i];
    slots[i].driver = &drivers[i];
  }
  return {};
}

void FaultyTarget::submit(Slot& slot) noexcept {
  auto& driver = *static_cast<Driver*>(slot.driver);
  driver.number = m_sent++;
  driver.pending = true;
  driver.waits = false;
  slot.received = {};
  const Time now = m_loop->now();
  const Fault* const fault = fault_of(slot.op, driver.number);
  const Time late = fault != nullptr && fault->effect == Effect::is_late ? fault->by : Time(0);
  const auto number = driver.number;
  m_loop->at(now + m_latency + late, [this, &driver, number] { answer(driver, number); });
  if (m_timeout == Time(0)) return;
  m_loop->at(now + m_timeout, [this, &driver, number] { time_out(driver, number); });
}

void FaultyTarget::answer(Driver& driver, std::uint64_t number) {
  if (!driver.pending || driver.number != number) return;
  if (m_cancelled) return finish(driver, {.rc = -ECANCELED});
  const Op& op = driver.slot->op;
  if (stalled(op, number)) {
    driver.waits = true;
    m_waiting.push_back(&driver);
    return;
  }
  const Fault* const fault = fault_of(op, number);
  if (fault != nullptr && fault->effect == Effect::fails) return finish(driver, {.rc = fault->rc});
  serve(driver);
}

void FaultyTarget::serve(Driver& driver) {
  Slot& slot = *driver.slot;
  const Op& op = slot.op;
  if (m_content && op.kind == OpKind::write && !m_loses_writes) {
    const auto bytes = slot.buffer.first(op.length);
    m_written[{op.object, op.offset}] = {bytes.begin(), bytes.end()};
  } else if (m_content && op.kind == OpKind::read) {
    const auto into = slot.buffer.first(op.length);
    m_content->fill(op, into);
    if (const auto kept = m_written.find({op.object, op.offset}); kept != m_written.end()) {
      std::copy_n(kept->second.begin(), std::min(kept->second.size(), into.size()), into.begin());
    }
    slot.received = into;
  }
  on_served(op);
  finish(driver, {.rc = 0, .bytes = op.length});
}

void FaultyTarget::finish(Driver& driver, Outcome outcome) {
  driver.pending = false;
  driver.waits = false;
  driver.slot->complete(outcome);
}

void FaultyTarget::time_out(Driver& driver, std::uint64_t number) {
  if (!driver.pending || driver.number != number) return;
  const Op& op = driver.slot->op;
  if (m_content && op.kind == OpKind::write) {
    const auto bytes = driver.slot->buffer.first(op.length);
    m_late.push_back({.op = op, .number = number, .bytes = {bytes.begin(), bytes.end()}});
  }
  finish(driver, {.rc = -ETIMEDOUT});
}

void FaultyTarget::carry_out_late() {
  std::vector<Write> still_late;
  for (Write& write : m_late) {
    if (stalled(write.op, write.number)) {
      still_late.push_back(std::move(write));
    } else {
      m_written[{write.op.object, write.op.offset}] = std::move(write.bytes);
    }
  }
  m_late = std::move(still_late);
}

void FaultyTarget::cancel() noexcept {
  m_cancelled = true;
  for (auto& drivers : m_sets) {
    for (Driver& driver : drivers) {
      if (!driver.pending) continue;
      const Fault* const fault = fault_of(driver.slot->op, driver.number);
      if (fault != nullptr && fault->effect == Effect::waits_for_good) continue;
      m_loop->post([this, &driver, number = driver.number] {
        if (driver.pending && driver.number == number) finish(driver, {.rc = -ECANCELED});
      });
    }
  }
}

}  // namespace radosload::test
