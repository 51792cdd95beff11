// Internal: the figures that `rados bench` prints below its rows, defined once for both text and
// JSON. (In rados bench itself the two outputs disagree.)
#pragma once

#include <string>
#include <vector>

#include "record/run_record.h"

namespace radosload::report {

// rados bench counts 2^20 bytes as one MB.
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
  std::size_t column = 0;        // the text column in which their values begin
};

// Writes and reads have forms of their own. For operations that rados bench does not have (mixes,
// omap, ...), the form of writes is used, with "ops" instead of "writes".
BenchSummary bench_summary(const record::RunRecord& record);

}  // namespace radosload::report
