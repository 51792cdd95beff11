#include "report/compat/rados_bench.h"

#include <algorithm>
#include <vector>

#include "report/compat/bench_summary.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;
using record::TimelineRow;

namespace {

constexpr std::uint64_t rows_per_head = 20;

// Rows show the measured phase; answers during the drain are in the totals only, as with rados
// bench.
bool in_measured_phase(const RunRecord& record, const TimelineRow& row) {
  return row.start < record.measured;
}

std::string number(double value) {
  return fmt::format("{:.6g}", value);
}

// rados bench prints every value as a quoted string, and radosload's values are numbers and a run
// ID, so no JSON library is needed. Characters of a run ID that would need escaping are dropped.
std::string pair(std::string_view key, std::string_view value) {
  std::string plain;
  for (const char letter : value) {
    if (letter >= ' ' && letter != '"' && letter != '\\') plain += letter;
  }
  return fmt::format(R"("{}":"{}")", key, plain);
}

std::string row_json(const BenchRows::Figures& row) {
  const std::vector<std::string> pairs = {
      pair("sec", fmt::to_string(row.second)),
      pair("cur_ops", fmt::to_string(row.in_flight)),
      pair("started", fmt::to_string(row.started)),
      pair("finished", fmt::to_string(row.finished)),
      pair("avg_bw", fmt::format("{:.6f}", row.average_mb_s)),
      pair("cur_bw", fmt::format("{:.6f}", row.current_mb_s)),
      pair("last_lat", fmt::format("{:.6f}", row.last_s)),
      pair("avg_lat", fmt::format("{:.6f}", row.average_s)),
  };
  return fmt::format("{{{}}}", fmt::join(pairs, ","));
}

}  // namespace

std::string BenchRows::head() {
  return "  sec Cur ops   started  finished  avg MB/s  cur MB/s last lat(s)  avg lat(s)\n";
}

BenchRows::Figures BenchRows::advance(const TimelineRow& row) {
  m_bytes += row.all.bytes;
  m_timed += row.all.timed;
  m_latency_s += seconds(row.mean_service) * static_cast<double>(row.all.timed);
  if (row.all.timed > 0) {
    m_min_s = std::min(m_min_s, seconds(row.min_service));
    m_max_s = std::max(m_max_s, seconds(row.max_service));
  }
  const double elapsed = seconds(row.start + row.length);
  const double length = seconds(row.length);
  ++m_now.second;
  m_now.in_flight = row.in_flight;
  m_now.started += row.flow.submitted;
  m_now.finished += row.all.ops;
  m_now.average_mb_s = elapsed > 0 ? static_cast<double>(m_bytes) / bytes_per_mb / elapsed : 0;
  m_now.current_mb_s = length > 0 ? static_cast<double>(row.all.bytes) / bytes_per_mb / length : 0;
  m_now.last_s = row.all.timed > 0 ? seconds(row.last_service) : 0;
  m_now.average_s = m_timed > 0 ? m_latency_s / static_cast<double>(m_timed) : 0;
  return m_now;
}

std::string BenchRows::line(const Figures& figures) {
  ++m_rows;
  return fmt::format("{:5} {:7} {:9} {:9} {:>9} {:>9} {:>11} {:>11}\n", figures.second,
                     figures.in_flight, figures.started, figures.finished,
                     number(figures.average_mb_s), number(figures.current_mb_s),
                     figures.last_s > 0 ? number(figures.last_s) : "-", number(figures.average_s));
}

std::string BenchRows::first() {
  return line(m_now);
}

std::string BenchRows::next(const TimelineRow& row) {
  std::string text;
  if (m_rows > 0 && m_rows % rows_per_head == 0) {
    const double least = m_timed > 0 ? m_min_s : 0;
    text = fmt::format("min lat: {} max lat: {} avg lat: {}\n", number(least), number(m_max_s),
                       number(m_now.average_s)) +
           head();
  }
  return text + line(advance(row));
}

std::string rados_bench_text(const RunRecord& record) {
  const BenchSummary summary = bench_summary(record);
  BenchRows rows;
  std::string text = summary.preamble + BenchRows::head() + rows.first();
  for (const TimelineRow& row : record.timeline) {
    if (in_measured_phase(record, row)) text += rows.next(row);
  }
  for (const BenchSummary::Entry& entry : summary.entries) {
    text += fmt::format("{:<{}}{}\n", entry.label + ":", summary.column, entry.text);
  }
  return text;
}

std::string rados_bench_json(const RunRecord& record) {
  const BenchSummary summary = bench_summary(record);
  std::string text = "{";
  for (const BenchSummary::Entry& entry : summary.json_head) {
    text += pair(entry.key, entry.json) + ",";
  }
  BenchRows rows;
  std::vector<std::string> datas = {row_json({})};
  for (const TimelineRow& row : record.timeline) {
    if (in_measured_phase(record, row)) datas.push_back(row_json(rows.advance(row)));
  }
  text += fmt::format("\"datas\":[{}]", fmt::join(datas, ","));
  for (const BenchSummary::Entry& entry : summary.entries) {
    if (!entry.key.empty()) text += "," + pair(entry.key, entry.json);
  }
  return text + "}\n";
}

}  // namespace radosload::report
