#include "html/reduced.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

using record::Cell;
using record::Figures;
using record::FiguresByOsd;
using record::Histogram;
using record::RunRecord;
using record::TimelineRow;

namespace {

// Events of a run of weeks; the page's own list is shorter.
constexpr std::size_t most_events = 500;

Time weighted(Time one, std::uint64_t ops, Time other, std::uint64_t more) {
  const double sum = static_cast<double>(one.count()) * static_cast<double>(ops) +
                     static_cast<double>(other.count()) * static_cast<double>(more);
  const auto count = static_cast<double>(ops + more);
  return count > 0 ? Time(std::llround(sum / count)) : Time(0);
}

void merge_figures(Figures& into, const Figures& more) {
  into.mean = weighted(into.mean, into.timed, more.mean, more.timed);
  into.mean_service = weighted(into.mean_service, into.timed, more.mean_service, more.timed);
  into.ops += more.ops;
  into.bytes += more.bytes;
  into.timed += more.timed;
  record::add_errors(into.errors, more.errors);
  into.max = std::max(into.max, more.max);
  into.p50.reset();  // of several seconds together it is not known
  if (more.p99) into.p99 = std::max(into.p99.value_or(Time(0)), *more.p99);
}

template <typename Key, typename More>
void merge_maps(std::map<Key, Figures>& into, const More& more) {
  for (const auto& [key, figures] : more) {
    const auto [found, fresh] = into.try_emplace(key, figures);
    if (!fresh) merge_figures(found->second, figures);
  }
}

template <typename OsdsAndFigures>
FiguresByOsd by_osd(const OsdsAndFigures& osds) {
  FiguresByOsd result;
  for (const auto& [osd, figures] : osds) result.set(osd, figures);
  return result;
}

void merge_osds(FiguresByOsd& into, const FiguresByOsd& more) {
  std::map<std::int32_t, Figures> osds(into.begin(), into.end());
  merge_maps(osds, more);
  into = by_osd(osds);
}

void merge_row(TimelineRow& into, const TimelineRow& more) {
  // Zero stands for no operation.
  if (into.min_service == Time(0) || (more.min_service > Time(0))) {
    into.min_service = into.min_service == Time(0) ? more.min_service
                                                   : std::min(into.min_service, more.min_service);
  }
  into.max_service = std::max(into.max_service, more.max_service);
  into.mean_service =
      weighted(into.mean_service, into.all.timed, more.mean_service, more.all.timed);
  if (more.all.timed > 0) into.last_service = more.last_service;
  into.length += more.length;
  into.flow += more.flow;
  into.in_flight = more.in_flight;
  into.late += more.late;
  merge_figures(into.all, more.all);
  merge_maps(into.kinds, more.kinds);
  merge_osds(into.osds, more.osds);
}

// As a second does: without pins, those with the slowest operations.
void keep_slowest_osds(TimelineRow& row) {
  if (row.osds.size() <= record::worst_osds) return;
  std::vector<std::pair<std::int32_t, Figures>> osds(row.osds.begin(), row.osds.end());
  std::stable_sort(osds.begin(), osds.end(), [](const auto& one, const auto& other) {
    return one.second.max > other.second.max;
  });
  osds.resize(record::worst_osds);
  row.osds = by_osd(osds);
}

// Rows of the measured phase only, by the part of it that they begin in.
std::vector<TimelineRow> merged_rows(const RunRecord& record, std::size_t rows) {
  std::vector<TimelineRow> merged;
  const double length = seconds(record.measured) / static_cast<double>(rows);
  std::size_t part = 0;
  for (const TimelineRow& row : record.timeline) {
    const double place = length > 0 ? std::max(0.0, seconds(row.start)) / length : 0;
    const auto here =
        static_cast<std::size_t>(std::clamp(place + 1e-6, 0.0, static_cast<double>(rows - 1)));
    if (merged.empty() || here != part) {
      merged.push_back(row);
    } else {
      merge_row(merged.back(), row);
    }
    part = here;
  }
  return merged;
}

// Names every member, so that a new one does not compile before it is copied, too.
RunRecord without_timeline(const RunRecord& record) {
  const auto& [header, status, ended_by, grade, warnings, measured, last_answer, client,
               measured_flow, unmeasured_flow, carried_flow, unfinished, unissued, lateness, kinds,
               osds, osds_partial, routing, verification, counters, slowest, slow_search,
               client_load, energy, members, warmup, timeline, events] = record;
  static_cast<void>(timeline);
  return {header,       status,       ended_by,    grade,         warnings,
          measured,     last_answer,  client,      measured_flow, unmeasured_flow,
          carried_flow, unfinished,   unissued,    lateness,      kinds,
          osds,         osds_partial, routing,     verification,  counters,
          slowest,      slow_search,  client_load, energy,        members,
          warmup,       {},           events};
}

Histogram coarse(const Histogram& fine) {
  if (fine.empty()) return fine;
  constexpr unsigned digits = 7;  // bits of a value that are kept: steps of less than 1.6 %
  Histogram result;
  const std::uint64_t low = fine.min();
  const std::uint64_t high = std::min(fine.max(), Histogram::highest);
  fine.for_each([&](std::size_t index, std::uint64_t count) {
    const std::uint64_t value = Histogram::middle_of(index);
    const auto bits = static_cast<unsigned>(std::bit_width(value));
    const unsigned drop = bits > digits ? bits - digits : 0;
    const std::uint64_t step = std::uint64_t{1} << drop;
    const std::uint64_t middle = value / step * step + step / 2;
    result.add_bucket(Histogram::index_of(std::clamp(middle, low, high)), count);
  });
  static_cast<void>(result.set_exact(fine.min(), fine.max(), fine.sum()));
  return result;
}

void make_coarse(Cell& cell) {
  record::Latency latency;
  Histogram service = coarse(cell.latency.service());
  Histogram response = cell.latency.differ() ? coarse(cell.latency.response()) : service;
  if (record::Latency::assemble(std::move(service), std::move(response), latency)) {
    cell.latency = std::move(latency);
  }
}

}  // namespace

std::size_t timeline_figures(const RunRecord& record) {
  std::size_t count = 0;
  for (const TimelineRow& row : record.timeline) count += 1 + row.kinds.size() + row.osds.size();
  return count;
}

RunRecord with_rows(const RunRecord& record, std::size_t rows) {
  rows = std::max<std::size_t>(rows, 1);
  RunRecord result = without_timeline(record);
  if (record.events.size() > most_events) {
    result.warnings.push_back(fmt::format("the HTML page keeps the first {} of {} events",
                                          most_events, record.events.size()));
    result.events.resize(most_events);
  }
  const std::size_t before = record.timeline.size();
  if (before <= rows) {
    result.timeline = record.timeline;
    return result;
  }
  result.timeline = merged_rows(record, rows);
  const bool pinned = record.header.plan.pins.any();
  if (!pinned) std::for_each(result.timeline.begin(), result.timeline.end(), keep_slowest_osds);
  result.warnings.push_back(fmt::format(
      "the HTML page keeps {} of {} in {}: sums, highest p99s and maxima", "the timeline",
      report::counted(before, "second"), report::counted(result.timeline.size(), "row")));
  return result;
}

RunRecord with_coarse_latencies(RunRecord record) {
  for (Cell& cell : record.kinds) make_coarse(cell);
  for (Cell& cell : record.osds) make_coarse(cell);
  record.lateness = coarse(record.lateness);
  record.warnings.emplace_back(
      "the HTML page keeps latencies to two digits: percentiles may differ by 1 % from those of "
      "the run");
  return record;
}

}  // namespace radosload::html
