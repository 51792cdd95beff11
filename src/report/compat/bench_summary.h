// Internal: the figures below the rows of `rados bench`, once for its text and its JSON. (There the
// two are written by hand, twice, and disagree.)
#pragma once

#include <string>
#include <vector>

#include "record/run_record.h"

namespace radosload::report {

// What rados bench calls MB.
inline constexpr double bytes_per_mb = 1024.0 * 1024.0;

struct BenchSummary {
  struct Entry {
    std::string label;  // "Total time run"
    std::string text;
    std::string key;  // "total_time_run"
    std::string json;
  };
  std::string preamble;          // above the table
  std::vector<Entry> json_head;  // before "datas"
  std::vector<Entry> entries;    // below the table, in its order
  std::size_t column = 0;        // where their values begin in the text
};

// Writes and reads take their own forms. What rados bench does not do (mixes, omap, ...) takes that
// of a write, with "ops" in the place of "writes".
BenchSummary bench_summary(const record::RunRecord& record);

}  // namespace radosload::report
