// A study as people and programs read it: what it asked, how far it is, and its verdicts, with and
// without the contaminated cells; and the schedule of one that has not begun. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

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

// What is known before a study begins.
struct StudyOutlook {
  study::StudyDocument document;
  std::optional<Time> length;        // of all cells; nothing: not limited in time
  std::vector<std::string> space;    // a line for each place
  std::vector<std::string> lacking;  // what cannot be assessed, and what is missing
};
std::string outlook_text(const StudyOutlook& outlook);

}  // namespace radosload::views
