#include "engine/lane.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "engine/lane_source.h"
#include "trace/trace_writer.h"

namespace radosload::engine {

namespace {

// The slot that this thread is submitting. With it an answer inside submit() is recognised without
// synchronisation.
thread_local const Slot* t_handing = nullptr;

}  // namespace

Lane::Lane(Engine& engine, Target& target, Loop& loop, std::span<Slot> slots, std::uint32_t index,
           std::uint32_t lanes)
    : m_engine(engine),
      m_target(target),
      m_loop(loop),
      m_slots(slots),
      m_states(slots.size()),
      m_source(source_for(engine.m_plan, index, lanes)),
      m_schedule(engine.m_plan.arrival, engine.m_plan.seed,
                 engine.m_plan.part.lane(index, lanes, engine.m_plan.layout.loads()),
                 engine.m_plan.part.lanes(lanes)),
      m_flushes(engine.m_plan.layout.flush_each_write && !engine.m_plan.prefill),
      m_slowest(engine.m_plan.slowest),
      m_trace(engine.m_plan.trace ? &engine.m_plan.trace->ring(index) : nullptr) {
  for (Slot& slot : m_slots) {
    slot.lane = index;
    slot.clock = &m_loop;
    slot.owner = this;
    slot.on_complete = &Lane::on_complete;
    if (engine.m_generations) engine.m_generations->admit(state(slot).ticket, slot.index);
  }
  if (engine.m_plan.adaptive) {
    m_adaptive.emplace(static_cast<std::uint32_t>(m_slots.size()));
    m_free.reserve(m_slots.size());
  }
}

void Lane::start() {
  if (!m_schedule.closed()) {
    {
      const std::lock_guard lock(m_mutex);
      m_free.reserve(m_slots.size());
      for (Slot& slot : m_slots) m_free.push_back(&slot);
      m_epoch = m_loop.now();
      m_due = m_epoch + m_schedule.next();
    }
    pump();
    return;
  }
  // The first operation of every slot is drawn before any is sent: after the first submit the
  // callbacks draw too, and the order of draws must not depend on timing.
  std::vector<Slot*> ready;
  {
    const std::lock_guard lock(m_mutex);
    for (Slot& slot : m_slots) {
      if (!may_send()) {
        m_free.push_back(&slot);
      } else if (next_op(slot)) {
        ready.push_back(&slot);
      }
    }
  }
  for (Slot* const slot : ready) drive(*slot);
}

// Inline functions: every operation passes through them, and a call would cost as much as their
// work.
[[gnu::always_inline]] inline bool Lane::draw_quietly(Op& op) {
  return std::visit(
      [&op](auto& source) {
        if (is_over(source)) return false;
        op = source.next();
        return true;
      },
      m_source);
}

[[gnu::always_inline]] inline bool Lane::draw(Op& op) {
  if (draw_quietly(op)) return true;
  m_exhausted = true;
  m_engine.lane_exhausted();
  return false;
}

bool Lane::next_op(Slot& slot) {
  const Phase now = m_engine.phase();
  if (const auto& write = state(slot).unflushed) {
    const Op& op = write->op;
    slot.op = {.object = op.object, .pg = op.pg, .osd = op.osd, .kind = OpKind::flush};
    slot.intended = slot.completed;
    // A pair that began in the measured phase belongs to it, also when the time or the quota is
    // over.
    const bool ends_a_pair = write->phase == Phase::measure;
    if (now == Phase::drain && !ends_a_pair) return false;
    const Phase phase = ends_a_pair ? Phase::measure : phase_of(slot, now);
    if (now != Phase::drain && phase == Phase::measure) m_engine.consume_quota(slot.op.length);
    send_in(slot, phase);
    return true;
  }
  if (now == Phase::drain && m_send_until == Time::min()) return false;
  if (m_exhausted || !draw(slot.op)) return false;
  const Phase phase = phase_of(slot, now);
  if (phase == Phase::measure && !m_engine.consume_quota(slot.op.length)) return false;
  send_in(slot, phase);
  return true;
}

[[gnu::always_inline]] inline void Lane::send_in(Slot& slot, Phase phase) {
  slot.phase = phase;
  m_recorder.submitted(phase);
  ++m_in_flight;
}

[[gnu::always_inline]] inline Phase Lane::phase_of(const Slot& slot, Phase now) const {
  if (m_schedule.closed() || now == Phase::warmup) return now;
  return slot.intended < m_engine.measure_start() ? Phase::warmup : Phase::measure;
}

[[gnu::always_inline]] inline void Lane::keep_in_phase(Slot& slot) const {
  if (slot.phase != Phase::measure || slot.intended >= m_engine.measure_start()) return;
  const Time shift = m_engine.measure_start() - slot.intended;
  slot.intended += shift;
  slot.submitted += shift;
  slot.completed += shift;
}

[[gnu::always_inline]] inline record::Ending Lane::ending_of(const Slot& slot) const {
  const Time end = m_engine.measure_end();
  if (end == Engine::not_begun) return record::Ending::before;
  if (slot.phase == Phase::warmup && slot.completed <= m_engine.measure_start()) {
    return record::Ending::before;
  }
  return slot.completed <= end ? record::Ending::within : record::Ending::after;
}

[[gnu::always_inline]] inline void Lane::follow_flushes(const Slot& slot, record::Ending ending) {
  if (!m_flushes) return;
  auto& write = state(slot).unflushed;
  if (slot.op.kind == OpKind::write && slot.outcome.ok()) {
    write = slot;
  } else if (slot.op.kind == OpKind::flush && write) {
    if (slot.outcome.ok()) m_recorder.add_sync(*write, slot.completed, ending);
    if (record::Lost::holds(slot.outcome)) m_recorder.add_lost_pair(*write, slot.completed);
    write.reset();
  } else if (slot.op.kind == OpKind::write && record::Lost::holds(slot.outcome)) {
    m_recorder.add_lost_pair(slot, slot.completed);
  }
}

[[gnu::always_inline]] inline void Lane::note_lateness(const Slot& slot) {
  if (m_schedule.closed() || slot.phase != Phase::measure) return;
  // A flush after a write has no due time of its own.
  if (m_flushes && slot.op.kind == OpKind::flush) return;
  m_recorder.add_lateness(slot.submitted - slot.intended);
}

[[gnu::always_inline]] inline void Lane::trace(const Slot& slot, record::Ending ending) noexcept {
  if (m_trace == nullptr || ending == record::Ending::before) return;
  const std::uint64_t where = m_engine.m_plan.layout.where(slot.op);
  m_trace->add(trace::trace_row(slot, m_engine.measure_start(), where));
}

[[gnu::always_inline]] inline workload::Generation Lane::follow(Slot& slot) noexcept {
  workload::Generations* const generations = m_engine.m_generations.get();
  if (generations == nullptr) return m_engine.m_unfollowed;
  const std::uint64_t block = m_engine.block_of(slot.op);
  auto& ticket = state(slot).ticket;
  if (slot.op.kind == OpKind::read) {
    generations->begin_read(ticket, block);
    return 0;
  }
  const auto generation = generations->begin_write(ticket, block);
  return generation != 0 ? generation : m_engine.m_unfollowed;
}

[[gnu::always_inline]] inline void Lane::prepare(Slot& slot) noexcept {
  const auto& payload = m_engine.m_plan.payload;
  if (!payload || slot.op.length == 0) return;
  const auto generation = follow(slot);
  const bool writes = slot.op.kind == OpKind::write || slot.op.kind == OpKind::omap_set;
  if (!writes) return;
  m_target.ready_buffer(slot);
  payload->fill(slot.op, slot.buffer.first(slot.op.length), generation);
}

[[gnu::always_inline]] inline void Lane::verify(Slot& slot) noexcept {
  if (!m_engine.m_plan.payload) return;
  if (slot.op.kind == OpKind::read || slot.op.kind == OpKind::omap_get) {
    const int rc = verify_read(slot);
    if (rc != 0) slot.outcome = {.rc = rc, .bytes = 0};
  } else if (slot.op.kind == OpKind::write && m_engine.m_generations) {
    m_engine.m_generations->end_write(state(slot).ticket, slot.outcome.ok());
  }
}

[[gnu::always_inline]] inline bool Lane::hand_over(Slot& slot) noexcept {
  // Inside submit() a target may also answer another slot, which is then sent again from here.
  const Slot* const outer = std::exchange(t_handing, &slot);
  m_target.submit(slot);
  return std::exchange(t_handing, outer) == nullptr;
}

void Lane::drive(Slot& slot) noexcept {
  State& mine = state(slot);
  do {
    prepare(slot);
    mine.hand.store(Hand::submitting, std::memory_order_relaxed);
    slot.submitted = m_loop.now();
    if (m_schedule.closed()) slot.intended = slot.submitted;
    mine.object.store(slot.op.object, std::memory_order_relaxed);
    mine.sent.store(slot.submitted.count(), std::memory_order_relaxed);
    const bool answered =
        hand_over(slot) ||
        mine.hand.exchange(Hand::returned, std::memory_order_acq_rel) == Hand::completed;
    if (!answered) return;
  } while (finish(slot));
}

void Lane::on_complete(Slot& slot, Outcome outcome) noexcept {
  Lane& lane = *static_cast<Lane*>(slot.owner);
  slot.outcome = outcome;
  State& state = lane.state(slot);
  state.sent.store(idle, std::memory_order_relaxed);
  if (t_handing == &slot) {
    t_handing = nullptr;
    return;
  }
  if (state.hand.exchange(Hand::completed, std::memory_order_acq_rel) == Hand::submitting) return;
  if (lane.finish(slot)) lane.drive(slot);
}

bool Lane::finish(Slot& slot) noexcept {
  verify(slot);
  // Nothing may follow: when the last operation is no longer counted and the lock is free, the
  // control loop may end the pass and destroy this lane.
  const std::lock_guard lock(m_mutex);
  if (m_closed) return false;
  keep_in_phase(slot);
  const record::Ending ending = ending_of(slot);
  m_recorder.add(slot, ending);
  m_slowest.offer(slot);
  note_lateness(slot);
  follow_flushes(slot, ending);
  trace(slot, ending);
  m_failures_in_a_row = slot.outcome.ok() ? 0 : m_failures_in_a_row + 1;
  if (m_adaptive) adapt(slot);
  --m_in_flight;
  if (ending != record::Ending::before) {
    m_last_completion = std::max(m_last_completion, slot.completed);
  }
  const bool more = follow_on(slot);
  if (m_in_flight == 0 && m_engine.phase() == Phase::drain) m_engine.lane_drained();
  return more;
}

[[gnu::always_inline]] inline bool Lane::follow_on(Slot& slot) {
  if (m_schedule.closed()) {
    if (m_failures_in_a_row > 2 * m_slots.size()) {
      put_off(slot);
      return false;
    }
    return m_adaptive ? next_if_allowed(slot) : next_op(slot);
  }
  if (state(slot).unflushed && next_op(slot)) return true;
  state(slot).unflushed.reset();
  m_free.push_back(&slot);
  if (m_starved && m_engine.phase() != Phase::drain) {
    m_starved = false;
    m_loop.post([this] { pump(); });
  }
  return false;
}

bool Lane::claim_due(Time now, Slot*& slot) {
  const std::lock_guard lock(m_mutex);
  const bool draining = m_engine.phase() == Phase::drain;
  if (draining && (m_closed || m_starved || m_due >= m_send_until)) return false;
  if (m_engine.is_over_at(m_due)) return false;
  if (m_due > now) {
    m_loop.at(m_due, [this] { pump(); });
    return false;
  }
  if (m_free.empty() || !may_send()) {
    m_starved = true;
    return false;
  }
  slot = m_free.back();
  slot->intended = m_due;
  if (!next_op(*slot)) return false;
  m_free.pop_back();
  m_due = m_epoch + m_schedule.next();
  return true;
}

void Lane::pump() {
  Slot* slot = nullptr;
  while (claim_due(m_loop.now(), slot)) drive(*slot);
}

void Lane::take_figures(record::Recorder& spare) {
  const std::lock_guard lock(m_mutex);
  std::swap(m_recorder, spare);
}

std::uint64_t Lane::in_flight() const {
  const std::lock_guard lock(m_mutex);
  return m_in_flight;
}

void Lane::send_last(Time before) {
  const auto send_until = [this](Time time) {
    const std::lock_guard lock(m_mutex);
    m_send_until = time;
  };
  send_until(before);
  pump();
  send_until(Time::min());
}

std::uint64_t Lane::close() {
  const std::lock_guard lock(m_mutex);
  m_closed = true;
  const Time now = m_loop.now();
  for (Slot& slot : m_slots) {
    const std::int64_t sent = state(slot).sent.load(std::memory_order_relaxed);
    if (sent == idle) continue;
    // The thread that holds the slot may still change its other members.
    Slot lost;
    lost.lane = slot.lane;
    lost.op = slot.op;
    lost.phase = slot.phase;
    lost.submitted = Time(sent);
    lost.intended = m_schedule.closed() ? Time(sent) : slot.intended;
    lost.completed = now;
    m_recorder.add_unanswered(lost, now);
    m_slowest.offer_unanswered(lost);
    trace_unanswered(lost);
    const auto& write = state(slot).unflushed;
    if (write) m_recorder.add_lost_pair(*write, now);
    if (m_flushes && !write && lost.op.kind == OpKind::write) m_recorder.add_lost_pair(lost, now);
  }
  return m_in_flight;
}

std::uint64_t Lane::count_unsent(Time from, Time length) {
  const std::lock_guard lock(m_mutex);
  if (m_schedule.closed()) return 0;
  const Time end = from + length;
  std::uint64_t count = 0;
  for (; m_due < end; m_due = m_epoch + m_schedule.next()) {
    Op op;
    if (m_exhausted || !draw_quietly(op)) break;
    if (m_due < from) continue;
    if (!m_engine.within_quota(op.length)) break;
    ++count;
    m_recorder.add_unsent(op, end - m_due);
    trace_unsent(op, end);
    if (!m_flushes || op.kind != OpKind::write) continue;
    op.kind = OpKind::sync;
    m_recorder.add_unsent(op, end - m_due);
  }
  return count;
}

std::vector<SlowOp> Lane::slowest() const {
  const std::lock_guard lock(m_mutex);
  return m_slowest.kept();
}

Time Lane::last_completion() const {
  const std::lock_guard lock(m_mutex);
  return m_last_completion;
}

void Lane::collect_stuck(Time sent_before, Stuck& into) const {
  const Time now = m_loop.now();
  for (const State& state : m_states) {
    const std::int64_t sent = state.sent.load(std::memory_order_relaxed);
    if (sent == idle || Time(sent) >= sent_before) continue;
    ++into.count;
    into.oldest = std::max(into.oldest, now - Time(sent));
    if (into.waiting.size() == Stuck::most_listed) continue;
    into.waiting.push_back({state.object.load(std::memory_order_relaxed), now - Time(sent)});
  }
}

}  // namespace radosload::engine
