// The table of saved runs and series: what stands in it, and how it looks as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/run_record.h"
#include "record/series.h"

namespace radosload::report {

struct ListRow {
  bool is_series = false;
  std::string id = {};
  std::string started = {};  // ISO 8601 in UTC
  std::string pool = {};     // empty: none, as with --target sim
  std::string pattern = {};  // of a series, what was asked for
  Time measured{0};          // of a series, of all its steps
  // Nothing for a series: figures of different steps have no meaningful sum.
  std::optional<double> iops = {};
  std::optional<double> mib_per_s = {};
  std::optional<Time> p99 = {};  // nothing with too few operations either
  std::uint64_t errors = 0;
  std::string status = {};
  std::string grade = {};  // empty for a series
  std::size_t steps = 0;   // of a series
  std::size_t steps_done = 0;

  std::string_view type() const { return is_series ? "series" : "run"; }
};

// Newest first. Runs that are steps of a series are left out unless `steps` is true.
std::vector<ListRow> list_rows(const std::vector<record::RunRecord>& runs,
                               const std::vector<record::Series>& series = {}, bool steps = false);

// A line for each; "no saved runs" when there are none.
std::string list_text(const std::vector<ListRow>& rows);

}  // namespace radosload::report
