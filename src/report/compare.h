// Shows two or more runs side by side: value, difference and ratio of each figure. Gives no
// verdict, because a difference between single runs may be chance. Warns about every other
// difference between the runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/run_record.h"

namespace radosload::report {

struct Comparison {
  struct Row {
    std::string kind;    // "read", ..., "all"
    std::string metric;  // "IOPS", "p99 us", ...: the same statistic for every run
    std::vector<std::optional<double>> values;  // one for each run, in the order of the runs
    // Of percentiles that lost operations leave without a value: what it is more than. As many, or
    // none.
    std::vector<std::optional<double>> bounds = {};

    // Difference (value - first) and ratio (value / first) of a run to the first run. Absent when
    // either value is absent; the ratio also when the first value is 0.
    std::optional<double> difference(std::size_t run) const;
    std::optional<double> ratio(std::size_t run) const;
  };
  std::vector<std::string> names;  // run ids
  std::vector<Row> rows;
  std::vector<std::string> warnings;  // what makes the runs less comparable
};

// At least one record.
Comparison compare(const std::vector<record::RunRecord>& runs);
std::string compare_text(const Comparison& comparison);

}  // namespace radosload::report
