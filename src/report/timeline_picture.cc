#include "report/timeline_picture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "radosload/printable.h"

#include "report/layout.h"
#include "report/sparkline.h"
#include "report/spread.h"

#include <fmt/format.h>

namespace radosload::report {

using record::TimelineRow;

namespace {

constexpr std::size_t label_room = indent + 10;  // as in all results
constexpr std::size_t narrowest_picture = 10;
constexpr std::size_t widest_picture = 500;
constexpr std::size_t most_marks = 9;
constexpr double bytes_per_mib = 1024.0 * 1024.0;
// Operations of at least this size are shown as bandwidth.
constexpr double large_op_bytes = 128.0 * 1024.0;

double start_s(const TimelineRow& row) {
  return seconds(row.start);
}
double end_s(const TimelineRow& row) {
  return seconds(row.start) + seconds(row.length);
}

// The columns that a time span covers; `last` is excluded.
struct ColumnRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

class TimeAxis {
 public:
  TimeAxis(const Span& span, std::size_t columns) : m_span(span), m_columns(columns) {}

  double width() const { return m_span.length_s / static_cast<double>(m_columns); }
  std::size_t column_of(double at_s) const {
    const double column = std::floor((at_s - m_span.from_s) / width());
    return static_cast<std::size_t>(std::clamp(column, 0.0, static_cast<double>(m_columns - 1)));
  }
  ColumnRange range_of(const TimelineRow& row) const {
    const double end = m_span.from_s + m_span.length_s;
    if (end_s(row) <= m_span.from_s || start_s(row) >= end) return {};
    return nearest_to(row);
  }
  // At least one column, also for what lies outside.
  ColumnRange nearest_to(const TimelineRow& row) const {
    const double rounding = width() * 1e-6;
    const std::size_t first = column_of(start_s(row) + rounding);
    return {first, std::max(first, column_of(end_s(row) - rounding)) + 1};
  }
  // The number of seconds that the row has in common with that column.
  double overlap(const TimelineRow& row, std::size_t column) const {
    const double from = m_span.from_s + width() * static_cast<double>(column);
    return std::max(0.0, std::min(end_s(row), from + width()) - std::max(start_s(row), from));
  }

 private:
  const Span& m_span;
  std::size_t m_columns;
};

template <typename Amount>
Points rate_points(const Span& span, std::size_t columns, Amount&& amount) {
  const TimeAxis axis(span, columns);
  std::vector<double> amounts(columns);
  std::vector<double> times(columns);
  for (const TimelineRow& row : span.rows) {
    const double length = seconds(row.length);
    if (length <= 0) continue;
    const ColumnRange place = axis.range_of(row);
    for (std::size_t i = place.first; i < place.last; ++i) {
      const double overlap = axis.overlap(row, i);
      times[i] += overlap;
      amounts[i] += amount(row) * overlap / length;
    }
  }
  Points points(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    if (times[i] > 0) points[i] = amounts[i] / times[i];
  }
  return points;
}

template <typename Value>
Points highest_points(const Span& span, std::size_t columns, Value&& value) {
  const TimeAxis axis(span, columns);
  Points points(columns);
  const auto draw = [&](const TimelineRow& row, const ColumnRange& place) {
    const std::optional<double> here = value(row);
    if (!here) return;
    for (std::size_t i = place.first; i < place.last; ++i) {
      points[i] = std::max(points[i].value_or(0), *here);
    }
  };
  for (const TimelineRow& row : span.rows) draw(row, axis.range_of(row));
  for (const TimelineRow& row : span.stumps) draw(row, axis.nearest_to(row));
  return points;
}

// ---- what is drawn ----

struct BarRow {
  std::string_view label;
  Points points;
  std::string top;  // the highest point, as text
};

BarRow throughput(const Span& span, std::size_t columns) {
  double ops = 0;
  double bytes = 0;
  for (const TimelineRow& row : span.rows) {
    ops += static_cast<double>(row.all.ops);
    bytes += static_cast<double>(row.all.bytes);
  }
  const bool bandwidth = ops > 0 && bytes / ops >= large_op_bytes;
  Points points = rate_points(span, columns, [&](const TimelineRow& row) {
    return bandwidth ? static_cast<double>(row.all.bytes) / bytes_per_mib
                     : static_cast<double>(row.all.ops);
  });
  const double top = highest(points);
  return {bandwidth ? "MiB/s" : "IOPS", std::move(points), "max " + rate_text(top)};
}

std::optional<double> second_slowest(const TimelineRow& row) {
  if (row.all.timed == 0) return std::nullopt;
  return static_cast<double>(row.all.max.count());
}

std::optional<double> second_p99(const TimelineRow& row) {
  if (!row.all.p99) return second_slowest(row);
  return static_cast<double>(row.all.p99->count());
}

BarRow latency(const Span& span, std::size_t columns) {
  const auto timed = std::count_if(span.rows.begin(), span.rows.end(),
                                   [](const TimelineRow& row) { return row.all.timed > 0; });
  const auto known = std::count_if(span.rows.begin(), span.rows.end(),
                                   [](const TimelineRow& row) { return row.all.p99.has_value(); });
  const bool p99 = known > 0 && 2 * known >= timed;
  Points points = p99 ? highest_points(span, columns, second_p99)
                      : highest_points(span, columns, second_slowest);
  const double top = highest(points);
  return {p99 ? "p99" : "max", std::move(points), "max " + human_text(Time(std::llround(top)))};
}

std::string moment_text(double at_s) {
  constexpr double minute = 60;
  constexpr double hour = 3600;
  const double size = std::abs(at_s);
  if (size < 2 * minute) return fmt::format("{:.1f} s", at_s);
  const char* const sign = at_s < 0 ? "-" : "";
  if (size < 2 * hour) {
    return fmt::format("{}{:.0f} m {:.0f} s", sign, std::floor(size / minute),
                       std::floor(std::fmod(size, minute)));
  }
  return fmt::format("{}{:.0f} h {:.0f} m", sign, std::floor(size / hour),
                     std::floor(std::fmod(size, hour) / minute));
}

std::string labelled(std::string_view label, const std::string& text) {
  std::string line(indent, ' ');
  line += fmt::format("{:<10}", label) + text;
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string axis_line(const Span& span, std::size_t columns) {
  const std::string from = moment_text(span.from_s);
  const std::string to = moment_text(span.from_s + span.length_s);
  if (from.size() + to.size() >= columns) return labelled("", from.substr(0, columns));
  return labelled("", from + std::string(columns - from.size() - to.size(), ' ') + to);
}

void add_marks(std::vector<std::string>& lines, const Span& span, std::size_t columns,
               const Style& style) {
  if (span.marks.empty()) return;
  const TimeAxis axis(span, columns);
  std::string row(columns, ' ');
  for (std::size_t i = 0; i < span.marks.size(); ++i) {
    char& place = row[axis.column_of(span.marks[i].at_s)];
    if (place == ' ') place = i < most_marks ? static_cast<char>('1' + i) : '+';
  }
  lines.push_back(labelled("events", row));
  for (std::size_t i = 0; i < std::min(span.marks.size(), most_marks); ++i) {
    const Mark& mark = span.marks[i];
    lines.push_back(cut(labelled("", fmt::format("{}  {}  {}", i + 1, moment_text(mark.at_s),
                                                 printable(mark.text))),
                        style.columns));
  }
  if (span.marks.size() > most_marks) {
    lines.push_back(
        labelled("", fmt::format("+  {} more", grouped(span.marks.size() - most_marks))));
  }
}

bool is_marked(const record::Event& event) {
  // The head of the report already has the session.
  return event.kind != "trace" && event.kind != "phase" && event.kind != "session";
}

}  // namespace

std::vector<std::string> timeline_picture(const Span& span, const Style& style) {
  const std::size_t room = std::min(style.columns, widest_picture);
  if (span.rows.empty() || !(span.length_s > 0) || !std::isfinite(span.length_s)) return {};
  constexpr std::size_t gap = 2;
  constexpr std::size_t top_room = 15;  // "max 999,999,999"
  if (room < label_room + narrowest_picture + gap + top_room) return {};
  const std::size_t columns = room - label_room - gap - top_room;
  std::vector<std::string> lines;
  for (const BarRow& row : {throughput(span, columns), latency(span, columns)}) {
    const std::string bars = sparkline(row.points, highest(row.points), style);
    std::string line = labelled(row.label, bars);
    if (highest(row.points) > 0 && row.top.size() <= top_room) {
      const std::size_t used = text_width(line);
      line += std::string(label_room + columns + gap - used, ' ') + row.top;
    }
    lines.push_back(line);
  }
  lines.push_back(axis_line(span, columns));
  add_marks(lines, span, columns, style);
  return lines;
}

std::vector<Mark> marks_of(const record::RunRecord& record) {
  std::vector<Mark> marks;
  std::set<std::pair<Time, std::string_view>> known;
  for (const record::Event& event : record.events) {
    if (!is_marked(event) || !known.emplace(event.at, event.text).second) continue;
    marks.push_back({seconds(event.at), event.text});
  }
  return marks;
}

Span measured_span(const record::RunRecord& record) {
  Span span{
      .from_s = 0, .length_s = seconds(record.measured), .rows = {}, .marks = marks_of(record)};
  for (const TimelineRow* const row : full_rows(record)) {
    if (row->start >= Time(0)) span.rows.push_back(*row);
  }
  for (const TimelineRow& row : record.timeline) {
    if (row.start >= Time(0) && !is_full_row(record, row)) span.stumps.push_back(row);
  }
  return span;
}

}  // namespace radosload::report
