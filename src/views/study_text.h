// A study as people and programs read it: what it asked, how far it is, and its verdicts, with and
// without the contaminated cells. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "radosload/result.h"

#include "report/list.h"
#include "study/document.h"
#include "views/verdicts.h"

namespace radosload::views {

struct StudyShown {
  study::StudyDocument document;
  std::string saved_as;  // empty: nowhere
  // Why there is no verdict (yet), or the verdicts.
  Result<Verdicts> all;
  // Only when a cell that counts is contaminated.
  std::optional<Result<Verdicts>> without_contaminated;
};

// Judges what has been measured so far.
StudyShown study_shown(study::StudyDocument document, std::string saved_as);

std::string study_text(const StudyShown& shown);
std::string study_markdown(const StudyShown& shown);
// The document of the study (study/document), with "tally", "verdicts" and
// "verdicts_without_contaminated".
std::string study_json(const StudyShown& shown);

// What became of the process that measures a cell.
enum class StudyProcess : std::uint8_t { none, runs, gone, unknown };
// Complete; running; cut off, when the process has ended in the middle of a cell; else open.
report::ListRow study_list_row(const study::StudyDocument& document, StudyProcess process);

}  // namespace radosload::views
