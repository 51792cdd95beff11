#include "trace/trace_scan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace radosload::trace {

namespace {

constexpr Time second = std::chrono::seconds(1);

// Of two equal rows the later one counts as faster, so that counting in parallel parts gives the
// same result.
bool slower(const SlowOp& one, const SlowOp& other) {
  const Time first = response_of(one.row);
  const Time then = response_of(other.row);
  return first != then ? first > then : one.number < other.number;
}

Slot slot_of(const TraceRow& row) {
  Slot slot;
  slot.op.kind = static_cast<OpKind>(row.op);
  slot.op.osd = row.osd;
  slot.intended = Time(row.intended_ns);
  slot.submitted = Time(row.submit_ns);
  slot.completed = Time(row.complete_ns);
  slot.outcome = {.rc = row.rc, .bytes = row.bytes};
  slot.phase = is_measured(row) ? Phase::measure : Phase::warmup;
  return slot;
}

// An operation that ends exactly with a second belongs to it.
std::size_t second_of(Time time) {
  return time > Time(0) ? static_cast<std::size_t>((time - Time(1)) / second) : 0;
}

Time nanoseconds(std::uint64_t ns) {
  return Time(static_cast<Time::rep>(ns));
}

}  // namespace

bool is_sound(const TraceRow& row) {
  // A second takes a hundred bytes here: damaged times must not use up the memory.
  constexpr std::int64_t longest = Time(std::chrono::hours(24 * 40)).count();
  const bool known = row.op < op_kind_count && row.op != static_cast<std::uint8_t>(OpKind::sync);
  const std::int64_t earliest_end = is_measured(row) ? 0 : 1;
  // Those that the warm-up leaves behind have no row.
  if (!is_measured(row) && (is_unanswered(row) || is_unsent(row))) return false;
  return known && -longest <= row.intended_ns && row.intended_ns <= row.submit_ns &&
         row.submit_ns <= row.complete_ns && earliest_end <= row.complete_ns &&
         row.complete_ns <= longest;
}

void TraceScan::add(std::uint64_t first, std::span<const TraceRow> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_sound(rows[i])) {
      add_sound(first + i, rows[i]);
    } else {
      ++m_unsound;
    }
  }
}

void TraceScan::add_sound(std::uint64_t number, const TraceRow& row) {
  if (is_unsent(row)) return add_unsent(row);
  if (is_unanswered(row)) return add_unanswered(number, row);
  const Slot slot = slot_of(row);
  const bool within = !m_measured || slot.completed <= *m_measured;
  m_recorder.submitted(slot.phase);
  m_recorder.add(slot, within ? record::Ending::within : record::Ending::after);
  // A flush after a write has no due time of its own.
  if (is_measured(row) && slot.op.kind != OpKind::flush) {
    m_recorder.add_lateness(slot.submitted - slot.intended);
  }
  add_to_seconds(slot);
  if (is_measured(row)) add_to_slowest({.number = number, .row = row, .file = m_file});
  m_end = std::max(m_end, slot.completed);
  m_largest = std::max(m_largest, row.bytes);
}

// Counts it like the lane that gave it up: as lost, without an answer.
void TraceScan::add_unanswered(std::uint64_t number, const TraceRow& row) {
  const Slot slot = slot_of(row);
  m_recorder.submitted(slot.phase);
  m_recorder.add_unanswered(slot, slot.completed);
  m_last_sent = std::max(m_last_sent, slot.submitted);
  if (slot.submitted <= longest_timeline) ++second_at(slot.submitted).flow.submitted;
  add_to_slowest({.number = number, .row = row, .file = m_file});
}

void TraceScan::add_unsent(const TraceRow& row) {
  const Slot slot = slot_of(row);
  m_recorder.add_unsent(slot.op, slot.completed - slot.intended);
  ++m_unissued;
}

TraceScan::Second& TraceScan::second_at(Time time) {
  const std::size_t index = second_of(time);
  if (index >= m_seconds.size()) m_seconds.resize(index + 1);
  return m_seconds[index];
}

void TraceScan::add_to_seconds(const Slot& slot) {
  if (slot.completed > longest_timeline) return;
  const bool measured = slot.phase == Phase::measure;
  if (measured) ++second_at(slot.submitted).flow.submitted;
  Second& now = second_at(slot.completed);
  if (slot.outcome.ok()) now.finished += {.ops = 1, .bytes = slot.outcome.bytes};
  if (measured) {
    add_to_latencies(now, slot);
  } else {
    ++now.carried_ended;
  }
}

void TraceScan::add_to_latencies(Second& now, const Slot& slot) {
  if (!slot.outcome.ok()) {
    ++(slot.outcome.cancelled() ? now.flow.cancelled : now.flow.failed);
    return;
  }
  const Time service = slot.completed - slot.submitted;
  const auto ns = static_cast<std::uint64_t>(service.count());
  ++now.flow.completed;
  now.service_ns += ns;
  now.min_ns = std::min(now.min_ns, ns);
  now.max_ns = std::max(now.max_ns, ns);
  now.last = std::max(now.last, record::LastOp{.completed = slot.completed, .service = service});
}

void TraceScan::add_to_slowest(const SlowOp& op) {
  if (m_slowest_wanted == 0) return;
  if (m_slowest.size() == m_slowest_wanted) {
    if (!slower(op, m_slowest.front())) return;
    std::pop_heap(m_slowest.begin(), m_slowest.end(), slower);
    m_slowest.pop_back();
  }
  m_slowest.push_back(op);
  std::push_heap(m_slowest.begin(), m_slowest.end(), slower);
}

void TraceScan::fold() {
  m_whole.absorb(m_recorder);
  m_recorder.clear();
}

void TraceScan::merge(TraceScan& other) {
  fold();
  other.fold();
  m_whole = record::merge_parallel(std::move(m_whole), other.m_whole);
  m_seconds.resize(std::max(m_seconds.size(), other.m_seconds.size()));
  for (std::size_t i = 0; i < other.m_seconds.size(); ++i) {
    const Second& theirs = other.m_seconds[i];
    Second& ours = m_seconds[i];
    ours.flow += theirs.flow;
    ours.finished += theirs.finished;
    ours.carried_ended += theirs.carried_ended;
    ours.service_ns += theirs.service_ns;
    ours.min_ns = std::min(ours.min_ns, theirs.min_ns);
    ours.max_ns = std::max(ours.max_ns, theirs.max_ns);
    ours.last = std::max(ours.last, theirs.last);
  }
  for (const SlowOp& op : other.m_slowest) add_to_slowest(op);
  m_end = std::max(m_end, other.m_end);
  m_last_sent = std::max(m_last_sent, other.m_last_sent);
  m_unissued += other.m_unissued;
  m_largest = std::max(m_largest, other.m_largest);
  m_unsound += other.m_unsound;
}

std::vector<SlowOp> TraceScan::slowest() const {
  std::vector<SlowOp> sorted = m_slowest;
  std::sort(sorted.begin(), sorted.end(), slower);
  return sorted;
}

record::TimelineRow TraceScan::timeline_row(std::size_t index, std::uint64_t in_flight) const {
  const Second& from = m_seconds[index];
  record::TimelineRow row;
  row.start = second * static_cast<Time::rep>(index);
  row.length = std::min(second, std::max({m_end, m_last_sent, measured()}) - row.start);
  row.flow = from.flow;
  row.in_flight = in_flight;
  row.all.ops = from.finished.ops;
  row.all.bytes = from.finished.bytes;
  row.all.timed = from.flow.completed;
  if (from.flow.completed == 0) return row;
  row.last_service = from.last.service;
  row.mean_service = nanoseconds(from.service_ns / from.flow.completed);
  row.min_service = nanoseconds(from.min_ns);
  row.max_service = nanoseconds(from.max_ns);
  return row;
}

record::RunRecord TraceScan::record() {
  fold();
  record::RunRecord record;
  record.header.plan.pattern.block_size = block_size();
  record.measured = measured();
  record.last_answer = std::max(m_end, record.measured);
  record.measured_flow = m_whole.measured;
  record.carried_flow = m_whole.carried;
  record.unfinished = m_whole.measured.submitted - m_whole.measured.ended();
  record.unissued = m_unissued;
  record.kinds = m_whole.kinds;
  record.osds = m_whole.osds;
  // In a closed loop the due time is the submission time.
  if (m_whole.lateness.max() > 0) record.lateness = m_whole.lateness;
  return record;
}

Status TraceScan::check_seconds() const {
  const Time end = std::max(m_end, m_last_sent);
  if (end <= longest_timeline) return {};
  return fail({.attempt = "show every second of the trace",
               .reason = fmt::format("the trace covers {}, but the limit is {}", human_text(end),
                                     human_text(longest_timeline)),
               .hint = "leave out --as for the summary, or use --as csv; both have no such limit"});
}

std::vector<record::TimelineRow> TraceScan::timeline() const {
  std::vector<record::TimelineRow> rows;
  rows.reserve(m_seconds.size());
  std::uint64_t in_flight = m_whole.carried.ended();
  for (std::size_t i = 0; i < m_seconds.size(); ++i) {
    in_flight += m_seconds[i].flow.submitted - m_seconds[i].flow.ended();
    in_flight -= m_seconds[i].carried_ended;
    rows.push_back(timeline_row(i, in_flight));
  }
  return rows;
}

}  // namespace radosload::trace
