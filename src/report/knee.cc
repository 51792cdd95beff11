#include "report/knee.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

using record::RunRecord;
using record::Series;
using record::SeriesStep;
using record::StepState;

namespace {

constexpr double enough_of_the_best = 0.9;
constexpr std::size_t fewest_points = 3;

struct LoadPoint {
  std::size_t step = 0;
  double load = 0;
  double iops = 0;
};

// "64", "400/s,poisson"
std::optional<double> load_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// The only key of the load that varies; none when no key varies, or more than one.
std::optional<std::string> varying_load(const Series& series) {
  constexpr std::array<const char*, 3> keys = {"qd", "clients", "rate"};
  std::optional<std::string> found;
  for (const char* const key : keys) {
    std::set<std::string> values;
    for (const SeriesStep& step : series.steps) values.insert(step.setting(key));
    if (values.size() < 2) continue;
    if (found) return std::nullopt;
    found = key;
  }
  return found;
}

// The settings of the step without its load: "bs=4k ".
std::string other_settings(const SeriesStep& step, std::string_view load) {
  std::string text;
  for (const auto& [key, value] : step.settings) {
    if (key != load) text += fmt::format("{}={} ", key, value);
  }
  return text;
}

double throughput_of(const RunRecord& record) {
  return record::iops(record, record::total_of(record.kinds));
}

std::optional<Knee> knee_among(std::vector<LoadPoint> points) {
  if (points.size() < fewest_points) return std::nullopt;
  std::stable_sort(points.begin(), points.end(),
                   [](const LoadPoint& a, const LoadPoint& b) { return a.load < b.load; });
  const auto best =
      std::max_element(points.begin(), points.end(),
                       [](const LoadPoint& a, const LoadPoint& b) { return a.iops < b.iops; });
  if (!(best->iops > 0)) return std::nullopt;
  const auto knee = std::find_if(points.begin(), points.end(), [&](const LoadPoint& point) {
    return point.iops >= enough_of_the_best * best->iops;
  });
  return Knee{.step = knee->step, .best = best->step, .highest = knee->load >= points.back().load};
}

std::string mean_text(const RunRecord& record) {
  const double mean = record::total_of(record.kinds).latency.response().mean();
  return human_text(Time(std::llround(mean)));
}

}  // namespace

std::vector<Knee> knees_of(const Series& series) {
  const auto key = series.suite.empty() ? varying_load(series) : std::nullopt;
  if (!key) return {};
  std::map<std::string, std::vector<LoadPoint>> groups;
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    const SeriesStep& step = series.steps[i];
    const auto load = load_of(step.setting(*key));
    if (step.state != StepState::done || !step.record || !load) continue;
    groups[other_settings(step, *key)].push_back({i, *load, throughput_of(*step.record)});
  }
  std::vector<Knee> knees;
  for (auto& [others, points] : groups) {
    if (const auto knee = knee_among(std::move(points))) knees.push_back(*knee);
  }
  return knees;
}

std::string knee_text(const Series& series, const Knee& knee) {
  const SeriesStep& step = series.steps[knee.step];
  const SeriesStep& best = series.steps[knee.best];
  if (knee.highest) {
    return fmt::format("not reached: throughput still rises at {}; sweep further", step.name);
  }
  const double iops = throughput_of(*step.record);
  if (knee.step == knee.best) {
    return fmt::format("{}: {} IOPS, the best; mean latency {}", step.name, rate_text(iops),
                       mean_text(*step.record));
  }
  const double most = throughput_of(*best.record);
  constexpr double percent = 100;
  return fmt::format("{}: {} IOPS, {:.0f} % of the best ({} at {}); mean latency {} ({} at {})",
                     step.name, rate_text(iops), percent * iops / most, rate_text(most), best.name,
                     mean_text(*step.record), mean_text(*best.record), best.name);
}

}  // namespace radosload::report
