// What is known of a study before it begins: how long it takes, the space it needs, what it cannot
// assess, and what else than the question makes its arms differ.
#pragma once

#include "radosload/result.h"

#include "cli/study_plans.h"
#include "study/document.h"

namespace radosload::cli {

// Adds to the document's remarks in what OSDs of different arms differ. What makes a comparison
// unfair is refused without `force`; a dry run only shows it.
Status look_ahead(study::StudyDocument& document, const StudyRunPlans& plans, bool force,
                  bool dry_run);

// --dry-run
Result<Exit> show_outlook(const study::StudyDocument& document, const StudyRunPlans& plans);

}  // namespace radosload::cli
