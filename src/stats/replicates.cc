#include "stats/replicates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace radosload::stats {

namespace {

// By unit, then round: sums do not depend on the order of the samples.
using Logs = std::map<std::string, std::map<std::string, double>>;

Logs logs_of(const std::vector<Sample>& samples) {
  Logs logs;
  for (const Sample& sample : samples) {
    logs[sample.unit][sample.round] = std::log(sample.value);
  }
  return logs;
}

double mean_log(const std::map<std::string, double>& rounds) {
  double sum = 0;
  for (const auto& [round, value] : rounds) sum += value;
  return sum / static_cast<double>(rounds.size());
}

// The mean of all units in each round that every unit has: a round without one of them would have
// another mean for that reason alone.
std::map<std::string, double> by_round(const Logs& logs) {
  std::map<std::string, double> means;
  if (logs.empty()) return means;
  for (const auto& [round, first] : logs.begin()->second) {
    double sum = 0;
    bool complete = true;
    for (const auto& [unit, rounds] : logs) {
      const auto found = rounds.find(round);
      complete = complete && found != rounds.end();
      if (complete) sum += found->second;
    }
    if (complete) means[round] = sum / static_cast<double>(logs.size());
  }
  return means;
}

std::map<std::string, double> by_unit(const Logs& logs) {
  std::map<std::string, double> means;
  for (const auto& [unit, rounds] : logs) means[unit] = mean_log(rounds);
  return means;
}

std::vector<double> values_of(const std::map<std::string, double>& means) {
  std::vector<double> values;
  values.reserve(means.size());
  for (const auto& [name, value] : means) values.push_back(value);
  std::sort(values.begin(), values.end());
  return values;
}

// Pairs when both arms have a name in common; what only one of them has is then left out.
Replicates paired_or_not(const std::map<std::string, double>& base,
                         const std::map<std::string, double>& other) {
  Replicates pairs;
  for (const auto& [name, value] : base) {
    const auto found = other.find(name);
    if (found == other.end()) continue;
    pairs.base.push_back(value);
    pairs.other.push_back(found->second);
  }
  pairs.paired = !pairs.base.empty();
  if (pairs.paired) return pairs;
  return {.base = values_of(base), .other = values_of(other), .paired = false, .lacking = {}};
}

std::string too_few(const Replicates& replicates, const char* what, const char* advice) {
  const std::size_t least = std::min(replicates.base.size(), replicates.other.size());
  if (least >= 2) return {};
  if (replicates.paired)
    return fmt::format("there is 1 pair of {}, and 2 are needed; {}", what, advice);
  return fmt::format("there are {} and {} {}, and 2 of each arm are needed; {}",
                     replicates.base.size(), replicates.other.size(), what, advice);
}

// Sums of squares of a one-way layout: units, and their rounds.
class Layout {
 public:
  void add(const Logs& logs) {
    if (logs.empty()) return;
    double grand = 0;
    double cells = 0;
    for (const auto& [unit, rounds] : logs) {
      for (const auto& [round, value] : rounds) grand += value;
      cells += static_cast<double>(rounds.size());
    }
    grand /= cells;
    for (const auto& [unit, rounds] : logs) {
      const double mean = mean_log(rounds);
      for (const auto& [round, value] : rounds) m_within += (value - mean) * (value - mean);
      m_between += static_cast<double>(rounds.size()) * (mean - grand) * (mean - grand);
    }
    m_cells += cells;
    m_units += static_cast<double>(logs.size());
    ++m_arms;
  }

  std::optional<Scatter> scatter() const {
    if (m_cells <= m_units || m_units <= m_arms) return std::nullopt;
    const double within = m_within / (m_cells - m_units);
    const double rounds = m_cells / m_units;
    const double between = (m_between / (m_units - m_arms) - within) / rounds;
    return Scatter{.between = std::sqrt(std::max(0.0, between)),
                   .within = std::sqrt(within),
                   .rounds = rounds};
  }

  Spread spread() const {
    Spread spread;
    if (m_cells > m_units) {
      spread.within_degrees = m_cells - m_units;
      spread.within = std::sqrt(m_within / spread.within_degrees);
    }
    if (m_units > m_arms) {
      const auto known = scatter();
      spread.between_degrees = m_units - m_arms;
      spread.between = known ? known->between : std::sqrt(m_between / spread.between_degrees);
    }
    return spread;
  }

 private:
  double m_within = 0;
  double m_between = 0;
  double m_cells = 0;
  double m_units = 0;
  double m_arms = 0;
};

Logs differences_of(const Logs& base, const Logs& other) {
  Logs differences;
  for (const auto& [unit, rounds] : base) {
    const auto same = other.find(unit);
    if (same == other.end()) continue;
    for (const auto& [round, value] : rounds) {
      const auto found = same->second.find(round);
      if (found != same->second.end()) differences[unit][round] = found->second - value;
    }
  }
  return differences;
}

}  // namespace

Replicates rounds_of(const Question& question) {
  auto replicates =
      paired_or_not(by_round(logs_of(question.base)), by_round(logs_of(question.other)));
  replicates.lacking =
      too_few(replicates, "rounds in which every OSD was measured", "measure in several rounds");
  return replicates;
}

Replicates units_of(const Question& question) {
  auto replicates =
      paired_or_not(by_unit(logs_of(question.base)), by_unit(logs_of(question.other)));
  replicates.lacking = too_few(replicates, "OSDs (pools, images)", "measure more of the kind");
  return replicates;
}

std::optional<Scatter> scatter_of(const Question& question) {
  const Logs base = logs_of(question.base);
  const Logs other = logs_of(question.other);
  Layout layout;
  const Logs differences = differences_of(base, other);
  if (differences.empty()) {
    layout.add(base);
    layout.add(other);
  } else {
    layout.add(differences);
  }
  return layout.scatter();
}

Spread spread_of(std::span<const std::vector<Sample>> arms) {
  Layout layout;
  for (const std::vector<Sample>& arm : arms) layout.add(logs_of(arm));
  return layout.spread();
}

}  // namespace radosload::stats
