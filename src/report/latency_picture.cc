#include "report/latency_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "report/layout.h"
#include "report/sparkline.h"
#include "report/time_unit.h"

#include <fmt/format.h>

namespace radosload::report {

using record::Histogram;

namespace {

constexpr double first_edge_ns = 1e3;
constexpr std::size_t edges_in_ten = 3;

// The ends of the scale's steps: 0, 1 us, 2 us, 5 us, 10 us, ...
double edge_ns(std::size_t edge) {
  constexpr std::array<double, edges_in_ten> places = {1, 2, 5};
  if (edge == 0) return 0;
  const std::size_t power = (edge - 1) / edges_in_ten;
  return first_edge_ns * std::pow(10.0, static_cast<double>(power)) *
         places.at((edge - 1) % edges_in_ten);
}

// The step that a latency belongs to: from edge_ns(step) to edge_ns(step + 1).
std::size_t step_of(double ns) {
  std::size_t step = 0;
  while (edge_ns(step + 1) <= ns) ++step;
  return step;
}

std::vector<std::uint64_t> counts_by_step(const Histogram& latency) {
  std::vector<std::uint64_t> counts;
  latency.for_each([&](std::size_t bucket, std::uint64_t count) {
    const std::size_t step = step_of(static_cast<double>(Histogram::middle_of(bucket)));
    counts.resize(std::max(counts.size(), step + 1));
    counts[step] += count;
  });
  return counts;
}

std::string edge_text(std::size_t edge, TimeUnit unit) {
  const double value = edge_ns(edge) / unit.ns;
  constexpr double grouped_from = 1000;
  return value < grouped_from ? fmt::format("{:g}", value)
                              : grouped(static_cast<std::uint64_t>(std::llround(value)));
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  constexpr double percent = 100;
  constexpr double least = 0.01;
  const double share = percent * static_cast<double>(part) / static_cast<double>(whole);
  if (part > 0 && share < least) return "<0.01 %";
  return fmt::format("{:.2f} %", share);
}

struct StepLine {
  std::string from;
  std::string to;
  std::uint64_t count = 0;
  bool left_out = false;  // the line represents several empty steps
};

std::vector<StepLine> step_lines(const std::vector<std::uint64_t>& counts, TimeUnit unit) {
  constexpr std::size_t most_empty = 2;
  std::vector<StepLine> lines;
  std::size_t step = 0;
  while (step < counts.size() && counts[step] == 0) ++step;
  while (step < counts.size()) {
    std::size_t filled = step;
    while (counts[filled] == 0) ++filled;
    if (filled - step > most_empty) {
      lines.push_back({"", "", 0, true});
      step = filled;
    }
    lines.push_back({edge_text(step, unit), edge_text(step + 1, unit), counts[step], false});
    ++step;
  }
  return lines;
}

TimeUnit unit_of_steps(const std::vector<std::uint64_t>& counts) {
  std::size_t first = 0;
  while (counts[first] == 0) ++first;
  return unit_between(edge_ns(std::max<std::size_t>(first, 1)), edge_ns(counts.size()));
}

}  // namespace

std::vector<std::string> latency_picture(const Histogram& latency, const Style& style) {
  if (latency.empty()) return {};
  const auto counts = counts_by_step(latency);
  const TimeUnit unit = unit_of_steps(counts);
  const auto steps = step_lines(counts, unit);
  std::size_t edge_room = 1;
  for (const StepLine& step : steps) {
    edge_room = std::max({edge_room, step.from.size(), step.to.size()});
  }
  const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
  const std::size_t count_room = grouped(latency.count()).size();
  constexpr std::size_t share_room = 8;  // "100.00 %"
  constexpr std::size_t gap = 2;
  constexpr std::size_t least_bar = 5;
  constexpr std::size_t most_columns = 500;
  const std::size_t used =
      indent + 2 * edge_room + 3 + 1 + unit.name.size() + gap + gap + count_room + gap + share_room;
  const std::size_t room = std::min(style.columns, most_columns);
  if (room < used + least_bar) return {};
  const std::size_t columns = room - used;
  std::vector<std::string> lines;
  for (const StepLine& step : steps) {
    if (step.left_out) {
      lines.push_back(std::string(indent, ' ') + "...");
      continue;
    }
    const std::string bars =
        share_bar(static_cast<double>(step.count) / static_cast<double>(most), columns, style);
    lines.push_back(fmt::format("{}{:>{}} - {:>{}} {}  {}{}  {:>{}}  {:>{}}",
                                std::string(indent, ' '), step.from, edge_room, step.to, edge_room,
                                unit.name, bars, std::string(columns - text_width(bars), ' '),
                                grouped(step.count), count_room,
                                share_text(step.count, latency.count()), share_room));
  }
  return lines;
}

std::string latency_line(const Histogram& latency, std::size_t columns, const Style& style) {
  if (latency.empty()) return {};
  const auto text = [](std::uint64_t ns) { return human_text(Time(static_cast<Time::rep>(ns))); };
  const std::string before = text(latency.min()) + " ";
  const std::string behind = " " + text(latency.max());
  constexpr std::size_t least_bars = 5;
  if (columns < before.size() + behind.size() + least_bars) return {};
  const std::size_t room = columns - before.size() - behind.size();
  const double low = std::log(std::max(1.0, static_cast<double>(latency.min())));
  const double high = std::log(std::max(1.0, static_cast<double>(latency.max())));
  Points points(high > low ? room : 1);
  latency.for_each([&](std::size_t bucket, std::uint64_t count) {
    const auto ns = static_cast<double>(std::max<std::uint64_t>(1, Histogram::middle_of(bucket)));
    const double share = high > low ? (std::log(ns) - low) / (high - low) : 0;
    const double column = std::clamp(std::floor(share * static_cast<double>(points.size())), 0.0,
                                     static_cast<double>(points.size() - 1));
    auto& point = points[static_cast<std::size_t>(column)];
    point = point.value_or(0) + static_cast<double>(count);
  });
  return before + sparkline(points, highest(points), style) + behind;
}

}  // namespace radosload::report
