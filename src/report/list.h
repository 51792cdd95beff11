// The table of saved runs, series, studies and timings: its rows, and the rows as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/run_record.h"
#include "record/series.h"

namespace radosload::report {

enum class Saved : std::uint8_t { run, series, study, timing };

struct ListRow {
  Saved kind = Saved::run;
  std::string id = {};
  std::string started = {};  // ISO 8601 in UTC
  std::string pool = {};     // empty: none, as with --target sim
  std::string pattern = {};  // of a series and a timing, the requested pattern
  Time measured{0};  // of a series and a study, of all its runs; of a timing, of all measurements
  // Only of a run: the rates of several runs have no meaningful sum.
  std::optional<double> iops = {};
  std::optional<double> mib_per_s = {};
  std::optional<Time> p99 = {};  // also empty with too few operations
  std::uint64_t errors = 0;
  std::string status = {};
  std::string grade = {};  // of a run only
  std::size_t steps = 0;   // of a series; of a study, its cells; of a timing, its measurements
  std::size_t steps_done = 0;
  std::vector<std::string> made_of = {};  // of a study: the IDs of its runs and timings
  Labels labels = {};                     // of a series, those of its first step

  bool is_run() const { return kind == Saved::run; }
  std::string_view type() const {
    if (kind == Saved::timing) return "timing";
    if (kind == Saved::study) return "study";
    return kind == Saved::series ? "series" : "run";
  }
};

// The series, studies and timings to list, and whether their runs are listed too.
struct Listed {
  std::vector<record::Series> series = {};
  // Already as rows, because this room cannot read timings. A study has no figures of its runs.
  std::vector<ListRow> timings = {};
  std::vector<ListRow> studies = {};
  bool steps = false;  // the runs that are steps of a series
  bool cells = false;  // the runs and timings that are cells of a study
};

// Newest first.
std::vector<ListRow> list_rows(const std::vector<record::RunRecord>& runs,
                               const Listed& others = {});

// Keeps the rows that have all these labels.
std::vector<ListRow> with_labels(std::vector<ListRow> rows, const Labels& wanted);

// A line for each row; "no saved runs" if there are none. The column of labels is shown only if a
// run has one.
std::string list_text(const std::vector<ListRow>& rows);

}  // namespace radosload::report
