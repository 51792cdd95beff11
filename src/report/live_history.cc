#include "report/live_history.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "report/latency_picture.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {

constexpr Time remembered = std::chrono::minutes(3);
constexpr std::size_t most_live_marks = 4;

}  // namespace

void LiveHistory::add(const record::Progress& now) {
  if (now.phase != m_phase || now.step != m_step) {
    m_phase = now.phase;
    m_step = now.step;
    m_seconds.clear();
    m_marks.clear();
    m_end = Time(0);
  }
  if (now.last.length <= Time(0)) return;
  m_seconds.push_back({.row = now.last, .latency = now.latency});
  m_seconds.back().row.start = m_end;
  m_end += now.last.length;
  forget_old();
}

void LiveHistory::mark(const std::string& text) {
  m_marks.push_back({seconds(m_end), text.substr(0, text.find('\n'))});
  if (m_marks.size() > most_live_marks) m_marks.pop_front();
}

void LiveHistory::forget_old() {
  while (m_seconds.size() > 1 && m_end - m_seconds.front().row.start > remembered) {
    m_seconds.pop_front();
  }
  const double from = seconds(m_seconds.front().row.start);
  while (!m_marks.empty() && m_marks.front().at_s < from) m_marks.pop_front();
}

Span LiveHistory::span() const {
  Span span;
  span.from_s = seconds(m_seconds.front().row.start);
  span.length_s = seconds(m_end) - span.from_s;
  for (const Second& second : m_seconds) span.rows.push_back(second.row);
  span.marks.assign(m_marks.begin(), m_marks.end());
  return span;
}

record::Histogram LiveHistory::latency() const {
  record::Histogram all;
  for (const Second& second : m_seconds) all.merge(second.latency);
  return all;
}

// The OSDs that have enough operations for a mean, the fastest first.
std::vector<LiveHistory::OsdMean> LiveHistory::osds() const {
  constexpr double enough = 100;
  struct Sum {
    double operations = 0;
    double ns = 0;
  };
  std::map<std::int32_t, Sum> sums;
  for (const Second& second : m_seconds) {
    for (const auto& [osd, figures] : second.row.osds) {
      if (osd == no_osd) continue;
      const auto operations = static_cast<double>(figures.timed);
      sums[osd].operations += operations;
      sums[osd].ns += operations * static_cast<double>(figures.mean_service.count());
    }
  }
  std::vector<OsdMean> means;
  for (const auto& [osd, sum] : sums) {
    if (sum.operations >= enough) means.push_back({osd, sum.ns / sum.operations});
  }
  std::sort(means.begin(), means.end(),
            [](const OsdMean& a, const OsdMean& b) { return a.mean_ns < b.mean_ns; });
  return means;
}

std::string LiveHistory::slowest_osd() const {
  constexpr std::size_t enough_for_a_median = 3;
  const auto means = osds();
  if (means.size() < enough_for_a_median) return {};
  const auto text = [](double ns) { return human_text(Time(std::llround(ns))); };
  return fmt::format("osd.{}: mean {}; median OSD {} ({} OSDs)", means.back().osd,
                     text(means.back().mean_ns), text(means[means.size() / 2].mean_ns),
                     means.size());
}

std::vector<std::string> LiveHistory::picture(const Style& style, std::size_t most_lines) const {
  if (m_seconds.empty()) return {};
  constexpr std::size_t label_columns = indent + 10;
  const auto labelled_line = [&](const char* label, const std::string& text) {
    return cut(fmt::format("{}{:<10}{}", std::string(indent, ' '), label, text), style.columns);
  };
  std::vector<std::string> lines = timeline_picture(span(), style);
  if (style.columns > label_columns) {
    const std::string bars = latency_line(latency(), style.columns - label_columns, style);
    if (!bars.empty()) lines.push_back(labelled_line("latency", bars));
  }
  if (const std::string slow = slowest_osd(); !slow.empty()) {
    lines.push_back(labelled_line("slowest", slow));
  }
  if (lines.size() > most_lines) lines.resize(most_lines);
  return lines;
}

}  // namespace radosload::report
