// Shows what is known of a study before it starts. What it could find is computed from saved runs
// and studies that the user names; the rest is in study/study_draft.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "cli/commands/study_plans.h"
#include "study/document.h"
#include "study/outlook.h"

namespace radosload::cli {

// What the study could find. `like`: names of saved runs, series and studies whose scatter is used;
// without any, the study's own measurements, or the last study in the store with the same name and
// figures of the same loads.
Result<study::Outlook> what_it_could_find(const study::StudyDocument& document,
                                          const StudyRunPlans& plans,
                                          const std::vector<std::string>& like);

// --dry-run. `format`: text or json. `refusal`: why the study would not start.
Result<Exit> show_outlook(const study::StudyDocument& document, const StudyRunPlans& plans,
                          study::Outlook findable, const std::string& format,
                          std::optional<Error> refusal);

// The same without asking the cluster, for a study whose pilot has been measured.
Result<Exit> show_findable(const study::StudyDocument& document, const StudyRunPlans& plans,
                           study::Outlook findable, const std::string& format);

// Prints a summary of it on stderr before the first cell.
void tell_outlook(const study::Outlook& findable);

}  // namespace radosload::cli
