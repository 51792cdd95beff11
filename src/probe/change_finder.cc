#include "probe/change_finder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace radosload::probe {

namespace {

constexpr double ns_in_us = 1000;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double log_of(Time time) {
  return std::log(std::max(1.0, static_cast<double>(time.count()) / ns_in_us));
}

Time time_of(double log) {
  return Time(static_cast<std::int64_t>(std::exp(log) * ns_in_us));
}

}  // namespace

std::vector<Change> ChangeFinder::add(const Round& round) {
  take(round);
  std::vector<Change> changes;
  for (auto& [subject, series] : m_series) {
    if (series.fresh) judge(subject, series, round.at, changes);
  }
  return changes;
}

void ChangeFinder::replay(const Change& change) {
  const Subject subject(change.osd, change.osd == class_of_osds ? change.device_class : "",
                        change.kind);
  m_standing[subject] = change;
  const auto found = m_series.find(subject);
  if (found == m_series.end()) return;
  auto& values = found->second.values;
  const auto first = std::find_if(values.begin(), values.end(),
                                  [&](const Value& value) { return value.at == change.since; });
  if (first == values.end()) return;
  values.erase(values.begin(), first);
  found->second.changed = true;
}

std::vector<Change> ChangeFinder::standing() const {
  std::vector<Change> all;
  all.reserve(m_standing.size());
  for (const auto& [subject, change] : m_standing) all.push_back(change);
  return all;
}

void ChangeFinder::take(const Round& round) {
  for (auto& [subject, series] : m_series) series.fresh = false;
  for (const Kind kind : kinds) take(round, kind);
}

void ChangeFinder::take(const Round& round, Kind kind) {
  std::map<std::string, std::vector<double>> classes;
  for (const Visit& visit : round.visits) {
    const auto& timing = visit.of(kind);
    if (timing.typical) classes[visit.target.device_class].push_back(log_of(*timing.typical));
  }
  std::map<std::string, double> shared;
  for (const auto& [name, logs] : classes) {
    if (logs.size() < m_rules.least_peers) continue;
    const double level = median(logs);
    shared[name] = level;
    push({class_of_osds, name, kind}, {.at = round.at, .log = level, .level = level}, 0);
  }
  for (const Visit& visit : round.visits) {
    const auto& timing = visit.of(kind);
    if (!timing.typical) continue;
    const double log = log_of(*timing.typical);
    const auto common = shared.find(visit.target.device_class);
    const bool alone = common == shared.end();
    const std::size_t peers = alone ? 0 : classes[visit.target.device_class].size() - 1;
    push({visit.target.osd, "", kind},
         {.at = round.at, .log = log, .level = alone ? log : log - common->second},
         static_cast<std::uint32_t>(peers));
  }
}

void ChangeFinder::push(const Subject& subject, const Value& value, std::uint32_t peers) {
  Series& series = m_series[subject];
  // Figures with and without the level of the class cannot be compared.
  if ((series.peers == 0) != (peers == 0)) series = {};
  series.peers = peers;
  series.fresh = true;
  if (series.values.size() >= 2 * m_rules.window) {
    series.values.erase(series.values.begin(),
                        series.values.end() - static_cast<std::ptrdiff_t>(m_rules.window));
  }
  series.values.push_back(value);
}

void ChangeFinder::judge(const Subject& subject, Series& series, Time now,
                         std::vector<Change>& into) {
  const std::size_t size = series.values.size();
  const std::size_t first = size > m_rules.window ? size - m_rules.window : 0;
  m_levels.clear();
  for (std::size_t i = first; i < size; ++i) m_levels.push_back(series.values[i].level);
  const auto& [osd, device_class, kind] = subject;
  const stats::ChangeRule rule{
      .before = series.changed ? m_rules.after : m_rules.before,
      .after = m_rules.after,
      .significance = m_rules.significance[index_of(kind)],
      .least_shift = std::log(osd >= 0 ? m_rules.osd_ratio : m_rules.class_ratio),
      .agreeing = m_rules.agreeing};
  const auto split = stats::find_change(m_levels, rule);
  if (!split) return;
  const auto from = series.values.begin() + static_cast<std::ptrdiff_t>(first);
  const auto at = from + static_cast<std::ptrdiff_t>(split->at);
  const auto level_of = [](auto begin, auto end) {
    std::vector<double> logs;
    std::transform(begin, end, std::back_inserter(logs), [](const Value& v) { return v.log; });
    return time_of(median(std::move(logs)));
  };
  const Change change{.found = now,
                      .since = at->at,
                      .osd = osd,
                      .device_class = device_class,
                      .kind = kind,
                      .ratio = std::exp(split->shift),
                      .before = level_of(from, at),
                      .after = level_of(at, series.values.end()),
                      .peers = series.peers,
                      .probes = static_cast<std::uint32_t>(series.values.end() - at)};
  // What was before the change says nothing about the next one.
  series.values.erase(series.values.begin(), at);
  series.changed = true;
  m_standing[subject] = change;
  into.push_back(change);
}

}  // namespace radosload::probe
