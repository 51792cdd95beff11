#include "engine/engine.h"

#include <algorithm>
#include <cassert>

#include "engine/lane.h"
#include "trace/trace_writer.h"

#include <fmt/format.h>

namespace radosload::engine {

namespace {

using record::EndedBy;

// How long cancelled operations may take before they are given up. librados answers a cancel within
// 10 ms; what takes seconds is never answered.
constexpr Time cancel_deadline = std::chrono::seconds(5);

std::size_t buffer_bytes(const EnginePlan& plan) {
  if (!plan.payload) return 0;
  const Bytes largest = plan.prefill ? plan.layout.longest_prefill() : plan.layout.block;
  return largest.count;
}

// A broken pool produces millions; the first few show the problem.
constexpr std::size_t most_findings = 8;

bool counts_generations(const EnginePlan& plan) {
  const auto& layout = plan.layout;
  return plan.payload && !plan.prefill &&
         workload::Payload::holds_generations(layout.objects, layout.object_size.count,
                                              layout.block.count);
}

// One more than the highest object number; pinned runs use few of the numbers.
std::uint64_t object_numbers(const workload::Layout& layout) {
  std::uint64_t numbers = layout.objects;
  if (!layout.locations) return numbers;
  const std::size_t count = layout.locations->pgs().size();
  for (std::size_t i = 0; i < count; ++i)
    numbers = std::max(numbers, layout.locations->number(i) + 1);
  return numbers;
}

// Only a run that reads what it writes can notice a missing write.
bool may_notice_missing_writes(const EnginePlan& plan) {
  const Pattern& pattern = plan.pattern;
  const bool rereads = pattern.reads_data() && pattern.writes_data();
  return rereads && pattern.verify >= Verify::generation && plan.payload && !plan.prefill;
}

std::unique_ptr<workload::Generations> generations_for(const EnginePlan& plan) {
  if (!may_notice_missing_writes(plan) || !counts_generations(plan)) return nullptr;
  return std::make_unique<workload::Generations>(
      object_numbers(plan.layout) * plan.layout.blocks_per_object, plan.depth);
}

// Scales the counts from all object numbers to the run's blocks.
Verification coverage_of(const workload::Generations& generations, const workload::Layout& layout) {
  auto coverage = generations.coverage();
  const auto share = static_cast<double>(coverage.followed + coverage.given_up) /
                     static_cast<double>(coverage.blocks);
  coverage.blocks = layout.blocks();
  coverage.followed = static_cast<std::uint64_t>(share * static_cast<double>(coverage.blocks));
  coverage.followed -= std::min(coverage.followed, coverage.given_up);
  return coverage;
}

}  // namespace

Engine::Engine(EnginePlan plan, Target& target, Loop& control, std::vector<Loop*> lane_loops)
    : m_plan(std::move(plan)),
      m_target(target),
      m_control(control),
      m_slots(m_plan.depth),
      m_quota(m_plan.prefill ? Extent{} : m_plan.extent) {
  assert(!lane_loops.empty() && m_plan.depth >= lane_loops.size());
  m_generations = generations_for(m_plan);
  m_unfollowed = counts_generations(m_plan) ? 1 : 0;
  for (std::size_t i = 0; i < m_slots.size(); ++i) {
    m_slots[i].index = static_cast<std::uint32_t>(i);
    m_slots[i].room = buffer_bytes(m_plan);
  }
  const auto lanes = static_cast<std::uint32_t>(lane_loops.size());
  if (m_plan.trace) m_plan.trace->begin(lanes);
  for (std::uint32_t i = 0; i < lanes; ++i) {
    m_lanes.push_back(
        std::make_unique<Lane>(*this, m_target, *lane_loops[i], slots_of(i, lanes), i, lanes));
  }
}

Engine::~Engine() = default;

// Every group gets the same number of slots, however many lanes it has.
std::span<Slot> Engine::slots_of(std::uint32_t lane, std::uint32_t lanes) {
  const auto mine =
      workload::lane_part_of(m_slots.size(), std::min(m_plan.layout.groups, lanes), lane, lanes);
  const auto share = workload::share_of(mine.share.size(), mine.lane, mine.lanes);
  return std::span(m_slots).subspan(mine.share.begin + share.begin, share.size());
}

void Engine::lend_buffers() {
  const std::size_t room = m_slots.front().room;
  if (room == 0 || !m_slots.front().buffer.empty()) return;
  m_memory.resize(room * m_slots.size());
  for (Slot& slot : m_slots) slot.buffer = std::span(m_memory).subspan(slot.index * room, room);
}

Status Engine::start(Time at) {
  if (auto attached = m_target.attach(m_slots); !attached) return attached;
  lend_buffers();
  m_control.at(at, [this] {
    const bool warm = m_plan.warmup > Time(0) && !m_plan.prefill;
    if (warm) {
      m_control.at(now() + m_plan.warmup, [this] { end_warmup(); });
      if (on_phase) on_phase(Phase::warmup);
    } else {
      begin_measure();
    }
    for (auto& lane : m_lanes) lane->loop().post([lane = lane.get()] { lane->start(); });
  });
  return {};
}

// on_warm lets the listener end an interval before anything is measured: lanes do not wait for
// on_phase, and have sent a few operations of the measured phase when it runs.
void Engine::end_warmup() {
  if (phase() == Phase::warmup && on_warm) on_warm();
  begin_measure();
}

void Engine::begin_measure() {
  if (phase() != Phase::warmup) return;
  // Set before the phase: a thread that sees the new phase must read a later time.
  m_end.measure_start = now();
  const Time limit = m_plan.extent.time;
  const bool limited = limit > Time(0) && !m_plan.prefill;
  m_measure_end.store(limited ? m_end.measure_start + limit : Time::max(),
                      std::memory_order_release);
  m_phase.store(Phase::measure, std::memory_order_release);
  if (limited) {
    m_control.at(m_end.measure_start + limit, [this] { begin_drain(EndedBy::time, false); });
  }
  if (m_plan.prefill) watch_for_stall();
  if (on_phase) on_phase(Phase::measure);
}

bool Engine::consume_quota(std::uint32_t length) {
  const EndedBy used_up = m_quota.consume(length);
  if (used_up == EndedBy::nothing) return true;
  if (!m_quota_reported.exchange(true)) {
    m_control.post([this, used_up] { begin_drain(used_up, true); });
  }
  return false;
}

void Engine::lane_drained() {
  m_control.post([this] { check_drained(); });
}

void Engine::lane_exhausted() {
  m_control.post([this] {
    if (++m_exhausted_lanes == m_lanes.size()) begin_drain(EndedBy::exhausted, true);
  });
}

void Engine::stop(EndedBy why) {
  m_control.post([this, why] { begin_drain(why, false); });
}

void Engine::abort(EndedBy why) {
  m_control.post([this, why] {
    m_aborted = true;
    begin_drain(why, false);
    cancel();
  });
}

void Engine::begin_drain(EndedBy why, bool until_last_completion) {
  m_end.ended_by = record::first_end(m_end.ended_by, why);
  const Phase before = phase();
  if (before == Phase::drain) return;
  m_until_last_completion = until_last_completion;
  // A run that ended in its warm-up has measured nothing.
  if (before == Phase::warmup) m_end.measure_start = now();
  if (before == Phase::measure) end_measure(until_last_completion);
  m_phase.store(Phase::drain, std::memory_order_release);
  const bool filled = m_plan.prefill && why == EndedBy::exhausted;
  if (!filled) m_control.at(now() + m_plan.drain, [this] { cancel(); });
  // In virtual time the answers of this moment come first: they belong to the measured phase.
  m_control.post([this] {
    m_drain_told = true;
    if (on_phase) on_phase(Phase::drain);
    check_drained();
  });
  if (before == Phase::measure && !m_aborted && m_plan.drain > Time(0)) send_last();
}

// Timers are slightly late: operations that were due in the measured phase, and wait only for their
// timer, are sent now.
void Engine::send_last() {
  if (m_plan.arrival.law == Arrival::Law::closed) return;
  const Time end = m_end.measure_start + m_end.measured;
  m_lanes_sending = m_lanes.size();
  for (auto& each : m_lanes) {
    each->loop().post([this, lane = each.get(), end] {
      lane->send_last(end);
      m_control.post([this] {
        --m_lanes_sending;
        check_drained();
      });
    });
  }
}

// A late timer does not lengthen the measured phase: operations that ended after its time do not
// belong to it.
void Engine::end_measure(bool until_last_completion) {
  const Time end = std::min(now(), measure_end());
  m_end.measured = end - m_end.measure_start;
  m_measure_end.store(until_last_completion ? Time::max() : end, std::memory_order_release);
}

void Engine::watch_for_stall() {
  Time last = m_end.measure_start;
  for (const auto& lane : m_lanes) last = std::max(last, lane->last_completion());
  m_control.at(std::max(last + m_plan.stall, now()), [this, last] {
    if (m_finished) return;
    for (const auto& lane : m_lanes) {
      if (lane->last_completion() > last) return watch_for_stall();
    }
    begin_drain(EndedBy::stalled, false);
    cancel();
  });
}

std::uint64_t Engine::in_flight() const {
  std::uint64_t count = 0;
  for (const auto& lane : m_lanes) count += lane->in_flight();
  return count;
}

void Engine::check_drained() {
  const bool drained = m_drain_told && m_lanes_sending == 0 && in_flight() == 0;
  if (!m_finished && drained) finish();
}

void Engine::cancel() {
  if (m_finished || m_cancelled) return;
  m_cancelled = true;
  m_target.cancel();
  m_control.at(now() + cancel_deadline, [this] {
    if (!m_finished) finish();
  });
}

void Engine::finish() {
  m_finished = true;
  for (const auto& lane : m_lanes) {
    m_end.last_answer = std::max(m_end.last_answer, lane->last_completion() - m_end.measure_start);
  }
  if (m_until_last_completion) m_end.measured = std::max(m_end.measured, m_end.last_answer);
  m_end.last_answer = std::max(m_end.last_answer, m_end.measured);
  if (m_plan.trace) m_plan.trace->hurry();
  for (const auto& lane : m_lanes) {
    m_end.unfinished += lane->close();
    m_end.unissued += lane->count_unsent(m_end.measure_start, m_end.measured);
  }
  m_end.slowest = slowest();
  if (m_generations) m_end.verification = coverage_of(*m_generations, m_plan.layout);
  m_end.unfollowed = may_notice_missing_writes(m_plan) && !m_generations;
  if (on_end) on_end(m_end);
}

std::vector<SlowOp> Engine::slowest() const {
  std::vector<SlowOp> all;
  for (const auto& lane : m_lanes) {
    const auto some = lane->slowest();
    all.insert(all.end(), some.begin(), some.end());
  }
  return slowest_of(std::move(all), m_plan.slowest);
}

void Engine::take_interval(record::Interval& into) {
  for (const auto& lane : m_lanes) {
    lane->take_figures(m_spare);
    into.absorb(m_spare);
    const auto unmeasured = m_spare.unmeasured();
    for (std::size_t osd = 0; osd < unmeasured.size(); ++osd) {
      if (unmeasured[osd].all == 0) continue;
      record::Ended& ended = m_end.unmeasured[static_cast<std::int32_t>(osd)];
      ended.all += unmeasured[osd].all;
      ended.well += unmeasured[osd].well;
    }
    m_spare.clear();
  }
  into.in_flight = in_flight();
}

void Engine::note(const Finding& finding) {
  const std::lock_guard lock(m_findings_mutex);
  if (m_findings.size() < most_findings) m_findings.push_back(finding);
}

std::vector<Finding> Engine::take_findings() {
  const std::lock_guard lock(m_findings_mutex);
  const auto first = m_findings.begin() + static_cast<std::ptrdiff_t>(m_findings_taken);
  m_findings_taken = m_findings.size();
  return {first, m_findings.end()};
}

std::uint64_t Engine::block_of(const Op& op) const noexcept {
  return op.object * m_plan.layout.blocks_per_object + op.offset / op.length;
}

Stuck Engine::stuck(Time than) const {
  Stuck found;
  for (const auto& lane : m_lanes) lane->collect_stuck(m_control.now() - than, found);
  return found;
}

}  // namespace radosload::engine
