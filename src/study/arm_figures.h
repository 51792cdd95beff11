// The figures that arms are compared by: of each arm, unit (OSD, pool or image) and round a value
// of each metric. Read from CSV, or taken from records. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "stats/arms.h"

namespace radosload::study {

struct ArmFigure {
  std::string arm;
  std::string unit;
  std::string round;  // may be empty
  std::string metric;
  double value = 0;  // above 0
  bool lower_is_better = true;
  bool at_least = false;  // as in stats::Sample
  bool operator==(const ArmFigure&) const = default;
};

// Whether less of a metric is better, by its last word: "read p99", "op_w_latency", "IOPS". Nothing
// for a metric that is not known.
std::optional<bool> lower_is_better(std::string_view metric);

inline constexpr std::size_t most_csv_bytes = 16U << 20U;
inline constexpr std::size_t most_csv_rows = 200'000;
inline constexpr std::size_t most_names = 50;  // of arms, and of metrics

// The columns are arm, unit, round, metric, value and, if given, better; the first line names them,
// in any order. Quotes as in RFC 4180. `subject`: the file, for errors, which name the line.
Result<std::vector<ArmFigure>> figures_of_csv(std::string_view text, const std::string& subject);

// An arm against the first one, by one metric.
struct Contest {
  std::string base;
  std::string other;
  stats::Answer answer;
};

// Every other arm against the first one, by each metric that both have. Fails with fewer than two
// arms, and when the primary metric is not among the metrics.
Result<std::vector<Contest>> judge_figures(const std::vector<ArmFigure>& figures,
                                           const stats::ArmRules& rules);

// Each metric once, in the order of its first figure.
std::vector<std::string> metrics_in(const std::vector<ArmFigure>& figures);

}  // namespace radosload::study
