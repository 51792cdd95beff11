#include "record/run_record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "record/aged_timeline.h"

namespace radosload::record {

namespace {

constexpr double bytes_per_mib = 1024.0 * 1024.0;

double per_second(double amount, Time time) {
  return time.count() > 0 ? amount / seconds(time) : 0;
}

}  // namespace

Cell total_of(const std::vector<Cell>& cells) {
  Cell total;
  for (const Cell& cell : cells) {
    if (cell.kind != OpKind::sync) total.merge(cell);
  }
  return total;
}

double iops(const RunRecord& record, const Cell& cell) {
  return per_second(static_cast<double>(cell.finished.ops), record.measured);
}

double mib_per_s(const RunRecord& record, const Cell& cell) {
  return per_second(static_cast<double>(cell.finished.bytes) / bytes_per_mib, record.measured);
}

Folder::Folder(RunHeader header) {
  m_record.header = std::move(header);
  const Time planned = m_record.header.plan.extent.time;
  // A run that ends by its operations or by a command may take any time.
  if (planned <= Time(0) || planned > all_rows_until) {
    m_timeline = std::make_unique<AgedTimeline>();
  }
}

Folder::~Folder() = default;

void Folder::add(const Interval& interval) {
  m_record.measured_flow += interval.measured;
  m_record.unmeasured_flow += interval.unmeasured;
  m_record.carried_flow += interval.carried;
  m_record.unfinished = interval.in_flight;
  m_record.measured = std::max(m_record.measured, interval.end());
  m_record.last_answer = m_record.measured;
  m_record.osds_partial = m_record.osds_partial || interval.reduced;
  m_record.lateness.merge(interval.lateness);
  merge_cells(m_record.kinds, interval.kinds);
  merge_cells(m_record.osds, interval.osds);
  // A warm-up has no row in the timeline: it has flow, but no measured figures.
  if (interval.start.count() < 0) return;
  if (m_timeline) {
    m_timeline->add(interval, m_record.timeline);
  } else {
    m_record.timeline.push_back(row_of(interval));
  }
}

void Folder::add(Event event) {
  auto& events = m_record.events;
  auto place = events.end();
  // A mark is read up to two seconds after its time.
  if (event.kind == mark_event) {
    while (place != events.begin() && std::prev(place)->at > event.at) --place;
  }
  events.insert(place, std::move(event));
}

void Folder::add(const Warmup& warmup) {
  const Time spared = m_record.header.plan.warmup - warmup.length;
  for (Event& event : m_record.events) {
    if (event.at < Time(0)) event.at = std::min(event.at + spared, Time(-1));
  }
  m_record.warmup = warmup;
}

void Folder::add(const RunFooter& footer) {
  m_record.status = footer.status;
  m_record.ended_by = footer.ended_by;
  m_record.measured = footer.measured;
  m_record.last_answer = footer.last_answer;
  m_record.measured_flow = footer.measured_flow;
  m_record.unmeasured_flow = footer.unmeasured_flow;
  m_record.unissued = footer.unissued;
  m_record.client = footer.client;
  m_record.grade = footer.grade;
  m_record.warnings = footer.warnings;
  m_record.routing = footer.routing;
  m_record.verification = footer.verification;
  m_record.counters = footer.counters;
  m_record.slowest = footer.slowest;
  m_record.slow_search = footer.slow_search;
  m_record.client_load = footer.client_load;
  m_record.energy = footer.energy;
  m_record.members = footer.members;
  if (m_record.osds_partial && !footer.osds.empty()) {
    m_record.osds = footer.osds;
    m_record.osds_partial = false;
  }
}

std::string_view status_name(RunStatus status) {
  constexpr std::array<std::string_view, 3> names = {"complete", "interrupted", "incomplete"};
  return names.at(static_cast<std::size_t>(status));
}

std::string_view grade_name(GradeValue grade) {
  constexpr std::array<std::string_view, 4> names = {"unwatched", "clean", "contaminated", "void"};
  return names.at(static_cast<std::size_t>(grade));
}

}  // namespace radosload::record
