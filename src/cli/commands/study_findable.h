// Shows what is known of a study before it begins. What it could find is computed from saved runs
// and studies, which users name; the rest is in study/study_draft.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "cli/commands/study_plans.h"
#include "study/document.h"
#include "study/outlook.h"

namespace radosload::cli {

// What it could find. `like`: names of saved runs, series and studies whose scatter is taken;
// without any, what the study itself has measured, or the last study in the store that has the same
// name and figures of the same loads.
Result<study::Outlook> what_it_could_find(const study::StudyDocument& document,
                                          const StudyRunPlans& plans,
                                          const std::vector<std::string>& like);

// --dry-run. `format`: text or json. `refusal`: why it would not begin.
Result<Exit> show_outlook(const study::StudyDocument& document, const StudyRunPlans& plans,
                          study::Outlook findable, const std::string& format,
                          std::optional<Error> refusal);

// The same without a look at the cluster, of a study whose pilot is measured.
Result<Exit> show_findable(const study::StudyDocument& document, const StudyRunPlans& plans,
                           study::Outlook findable, const std::string& format);

// Before the first cell: the same lines in short, on stderr.
void tell_outlook(const study::Outlook& findable);

}  // namespace radosload::cli
