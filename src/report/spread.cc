#include "report/spread.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace radosload::report {

Spread spread_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.samples = values.size(),
          .mean = mean,
          .deviation = values.size() > 1 ? std::sqrt(squares / (n - 1)) : 0,
          .max = *std::max_element(values.begin(), values.end()),
          .min = *std::min_element(values.begin(), values.end())};
}

std::vector<const record::TimelineRow*> full_seconds(const record::RunRecord& record) {
  constexpr double longest_s = 1.5;
  auto rows = full_rows(record);
  std::vector<const record::TimelineRow*> short_ones;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(short_ones),
               [](const record::TimelineRow* row) { return seconds(row->length) <= longest_s; });
  return short_ones.empty() ? rows : short_ones;
}

std::vector<const record::TimelineRow*> full_rows(const record::RunRecord& record) {
  std::vector<const record::TimelineRow*> rows;
  for (const record::TimelineRow& row : record.timeline) {
    if (is_full_row(record, row)) rows.push_back(&row);
  }
  return rows;
}

bool is_full_row(const record::RunRecord& record, const record::TimelineRow& row) {
  constexpr double stump_s = 0.5;
  return row.start < record.measured && seconds(row.length) >= stump_s;
}

}  // namespace radosload::report
