// Two or more runs side by side, figure by figure: value, difference and ratio. No verdict: a
// difference between single runs may be chance. Warns of everything else in which the runs differ.
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
    std::string metric;  // "IOPS", "p99 us", ...: one statistic, the same of every run
    std::vector<std::optional<double>> values;  // one for each run, in their order

    // Of a run to the first: value - first, and value / first. Absent when either is, or the ratio
    // has nothing to divide by. difference(a, b) = -difference(b, a).
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
