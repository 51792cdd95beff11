// The response curve: how latency grows with the throughput of a sweep.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "html/escape.h"
#include "html/pictures.h"
#include "html/scale.h"
#include "plan/differences.h"
#include "plan/options.h"
#include "record/ranks.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

using record::RunRecord;

namespace {

constexpr std::array<std::string_view, 3> load_options = {"qd", "clients", "rate"};

std::string option_value(const RunRecord& record, std::string_view name) {
  const plan::Option* const option = plan::find_option(name);
  return option == nullptr ? "" : option->get(record.header.plan).value_or("");
}

// Runs of one load.
struct LoadPoint {
  std::string load;  // "64"
  double order = 0;
  bool knee = false;
  std::vector<double> iops;
  std::vector<double> p50;  // ns
  std::vector<double> p99;
};

struct LoadLine {
  std::string name;  // "bs=4k"; empty when only the load differs
  std::vector<LoadPoint> points;
};

struct Range {
  double low = 0;
  double middle = 0;
  double high = 0;
};

Range range_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values.front(), values[(values.size() - 1) / 2], values.back()};
}

// The one option of load in which the runs differ; empty when there is none, or more than one.
std::string varying_option(const std::vector<ShownRun>& runs) {
  std::string found;
  for (const std::string_view option : load_options) {
    std::set<std::string> values;
    for (const ShownRun& run : runs) values.insert(option_value(*run.record, option));
    if (values.size() < 2) continue;
    if (!found.empty()) return {};
    found = option;
  }
  return found;
}

// What each run is but for its load.
std::vector<std::string> other_values(const std::vector<ShownRun>& runs, const std::string& load) {
  std::vector<const RunPlan*> plans;
  plans.reserve(runs.size());
  for (const ShownRun& run : runs) plans.push_back(&run.record->header.plan);
  std::vector<std::string> names(runs.size());
  for (const plan::Difference& one : plan::differences(plans)) {
    if (one.option == load) continue;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      names[i] += fmt::format("{}{}={}", names[i].empty() ? "" : " ", one.option, one.values[i]);
    }
  }
  return names;
}

LoadPoint& point_for(LoadLine& line, const std::string& load) {
  const auto same = std::find_if(line.points.begin(), line.points.end(),
                                 [&](const LoadPoint& point) { return point.load == load; });
  if (same != line.points.end()) return *same;
  LoadPoint point;
  point.load = load;
  std::from_chars(load.data(), load.data() + load.size(), point.order);
  line.points.push_back(point);
  return line.points.back();
}

std::vector<LoadLine> lines_of(const std::vector<ShownRun>& runs,
                               const std::vector<std::size_t>& knees, const std::string& option) {
  const auto others = other_values(runs, option);
  std::vector<LoadLine> lines;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& record = *runs[i].record;
    const record::Cell total = record::total_of(record.kinds);
    const record::Ranks ranks = record::response_ranks(total);
    const auto p50 = ranks.percentile(record::p50).exact();
    const auto p99 = ranks.percentile(record::p99).exact();
    if (!p50 || !p99) continue;
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const LoadLine& one) { return one.name == others[i]; });
    if (line == lines.end()) line = lines.insert(lines.end(), LoadLine{others[i], {}});
    LoadPoint& point = point_for(*line, option_value(record, option));
    point.iops.push_back(record::iops(record, total));
    point.p50.push_back(static_cast<double>(*p50));
    point.p99.push_back(static_cast<double>(*p99));
    point.knee = point.knee || std::find(knees.begin(), knees.end(), i) != knees.end();
  }
  for (LoadLine& line : lines) {
    std::stable_sort(line.points.begin(), line.points.end(),
                     [](const auto& one, const auto& other) { return one.order < other.order; });
  }
  std::erase_if(lines, [](const LoadLine& line) { return line.points.size() < 2; });
  return lines;
}

// Where values lie in the picture.
struct Axes {
  Plot plot;
  LogScale scale;
  double top_iops = 1;
  double x(double iops) const { return plot.left + plot.width * iops / top_iops; }
  double y(double ns) const { return plot.bottom() - scale.share(ns) * plot.height; }
};

std::string throughput_axis(const Axes& axes) {
  constexpr int parts = 5;
  std::string body;
  for (int i = 0; i <= parts; ++i) {
    const double iops = axes.top_iops * i / parts;
    body += grid_line(axes.x(iops), axes.plot.top, axes.x(iops), axes.plot.bottom()) +
            label(axes.x(iops), axes.plot.bottom() + 18, "middle",
                  report::rate_text(iops) + (i == parts ? " IOPS" : ""));
  }
  return body;
}

// From the lowest to the highest of repeated runs.
std::string spread_lines(const Axes& axes, const std::string& style, const Range& iops,
                         const Range& latency) {
  return fmt::format(
      "<path class=\"{} spread\" d=\"M{:.1f} {:.1f}H{:.1f}M{:.1f} {:.1f}V{:.1f}\"/>\n", style,
      axes.x(iops.low), axes.y(latency.middle), axes.x(iops.high), axes.x(iops.middle),
      axes.y(latency.low), axes.y(latency.high));
}

std::string response_line(const Axes& axes, const LoadLine& line,
                          std::vector<double> LoadPoint::*values, const std::string& style,
                          bool named) {
  std::string points;
  std::string marks;
  for (const LoadPoint& point : line.points) {
    const Range iops = range_of(point.iops);
    const Range latency = range_of(point.*values);
    const double x = axes.x(iops.middle);
    const double y = axes.y(latency.middle);
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x, y);
    if (point.iops.size() > 1) marks += spread_lines(axes, style, iops, latency);
    marks += fmt::format("<circle class=\"{} dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", style,
                         x, y, point.knee ? 6 : 3);
    if (named) {
      marks += label(x, y - 9, "middle", point.knee ? point.load + " (knee)" : point.load);
    }
  }
  return fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", style, points) + marks;
}

}  // namespace

std::string response_curve(const std::vector<ShownRun>& runs,
                           const std::vector<std::size_t>& knees) {
  constexpr std::size_t most_curve_lines = 6;
  const std::string option = varying_option(runs);
  if (option.empty()) return {};
  auto lines = lines_of(runs, knees, option);
  if (lines.empty()) return {};
  if (lines.size() > most_curve_lines) lines.resize(most_curve_lines);
  double most = 0;
  std::vector<double> values;
  for (const LoadLine& line : lines) {
    for (const LoadPoint& point : line.points) {
      most = std::max(most, range_of(point.iops).high);
      for (const auto& list : {point.p50, point.p99}) {
        values.insert(values.end(), list.begin(), list.end());
      }
    }
  }
  const Axes axes{
      .plot = {.top = 20, .height = 260}, .scale = LogScale(values), .top_iops = round_top(most)};
  std::string body = log_axis(axes.plot, axes.scale) + throughput_axis(axes);
  std::vector<LineKey> keys;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string colour = line_style(i);
    const std::string name = lines[i].name.empty() ? "" : lines[i].name + " ";
    body += response_line(axes, lines[i], &LoadPoint::p99, colour + " dash1", true) +
            response_line(axes, lines[i], &LoadPoint::p50, colour + " whole", false);
    keys.push_back({colour + " whole", name + "p50"});
    keys.push_back({colour + " dash1", name + "p99"});
  }
  const double below = axes.plot.bottom() + 30;
  body += legend(keys, axes.plot.left, below);
  return svg("response", "Response time over throughput",
             fmt::format("p50 and p99 over operations a second; points are values of --{}", option),
             below + legend_height(keys.size()), body);
}

}  // namespace radosload::html
