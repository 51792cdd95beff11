// What a page keeps for programs: the records that it shows, as the JSON documents that they are
// elsewhere too, in one element that browsers take for data. `radosload report` and `radosload
// compare` read a page as they read a record. Pure, except that memory is limited.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "record/run_record.h"
#include "record/series.h"
#include "study/arm_figures.h"

namespace radosload::html {

inline constexpr std::string_view page_schema = "radosload.page/1";

// Of a page of verdicts: the figures as they were judged.
struct KeptComparison {
  stats::ArmRules rules;
  std::vector<study::ArmFigure> figures;
  std::vector<std::string> warnings;
  bool withheld = false;  // unlike plans, without --force
};

// A series, or runs.
struct Kept {
  std::vector<record::RunRecord> runs = {};
  std::vector<std::string> arms = {};  // of a comparison: for each run
  std::optional<record::Series> series = {};
  std::optional<KeptComparison> comparison = {};
};

// What will be kept; the records are those of the caller.
struct EmbeddedRecords {
  std::vector<const record::RunRecord*> runs = {};
  std::vector<std::string> arms = {};  // of a comparison: for each run
  const record::Series* series = nullptr;
  const KeptComparison* comparison = nullptr;
};

// What a page of radosload begins with, so that it is not taken for JSON.
bool is_page(std::string_view beginning);

// The element (HTML). What is long is packed, and reduced as reduced.h says.
std::string data_element(const EmbeddedRecords& embedded);

// Larger pages are refused, and so are larger data.
inline constexpr std::size_t most_page_bytes = 64U << 20U;
// `subject`: the file, for errors.
Result<Kept> kept_in(std::string_view page, const std::string& subject);

}  // namespace radosload::html
