#include "study/cell_figures.h"
#include "views/json_values.h"
#include "views/study_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using StudyJson = nlohmann::ordered_json;

// What compare prints of verdicts; null with the reason beside it where there is none.
StudyJson verdicts_or_null(const Result<Verdicts>& verdicts) {
  return verdicts ? StudyJson::parse(verdicts_json(*verdicts))["verdicts"] : StudyJson(nullptr);
}

}  // namespace

std::string study_json(const StudyShown& shown) {
  StudyJson json = StudyJson::parse(study::study_json(shown.document));
  const study::StudyTally tally = study::tally_of(shown.document);
  json["tally"] = {{"cells", tally.cells},
                   {"measured", tally.measured},
                   {"contaminated", tally.contaminated},
                   {"given_up", tally.given_up},
                   {"left_out", tally.repeats}};
  json["verdicts"] = verdicts_or_null(shown.all);
  json["no_verdict"] = shown.all ? StudyJson(nullptr) : StudyJson(one_line(shown.all.error()));
  json["verdicts_without_contaminated"] = shown.without_contaminated
                                              ? verdicts_or_null(*shown.without_contaminated)
                                              : StudyJson(nullptr);
  return json_text(json);
}

}  // namespace radosload::views
