// The table of saved runs, series and timings: what stands in it, and how it looks as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/run_record.h"
#include "record/series.h"

namespace radosload::report {

enum class Saved : std::uint8_t { run, series, timing };

struct ListRow {
  Saved kind = Saved::run;
  std::string id = {};
  std::string started = {};  // ISO 8601 in UTC
  std::string pool = {};     // empty: none, as with --target sim
  std::string pattern = {};  // of a series and a timing, what was asked for
  Time measured{0};          // of a series, of all its steps; of a timing, of all measurements
  // Nothing for a series and a timing: their figures have no meaningful sum.
  std::optional<double> iops = {};
  std::optional<double> mib_per_s = {};
  std::optional<Time> p99 = {};  // nothing with too few operations either
  std::uint64_t errors = 0;
  std::string status = {};
  std::string grade = {};  // empty for a series and a timing
  std::size_t steps = 0;   // of a series; of a timing, its measurements
  std::size_t steps_done = 0;
  Labels labels = {};  // of a series, those of its first step

  bool is_run() const { return kind == Saved::run; }
  std::string_view type() const {
    if (kind == Saved::timing) return "timing";
    return kind == Saved::series ? "series" : "run";
  }
};

// Newest first. Runs that are steps of a series are left out unless `steps` is true. `timings` are
// rows already, because this room does not know what is in a timing.
std::vector<ListRow> list_rows(const std::vector<record::RunRecord>& runs,
                               const std::vector<record::Series>& series = {}, bool steps = false,
                               const std::vector<ListRow>& timings = {});

// Leaves the rows that have all these labels.
std::vector<ListRow> with_labels(std::vector<ListRow> rows, const Labels& wanted);

// A line for each; "no saved runs" when there are none. Labels have a column if any run has one.
std::string list_text(const std::vector<ListRow>& rows);

}  // namespace radosload::report
