// Starts or continues a study: its document in the store, the lock on it, and the environment in
// which its cells are measured.
#pragma once

#include <filesystem>
#include <string>

#include "radosload/result.h"

#include "cli/commands/study_plans.h"
#include "study/document.h"

namespace radosload::cli {

struct StudyManner {
  std::string phase;  // the phase that the user has confirmed; empty: none
  std::string format = "text";
  std::string fail_if;
  bool yes = false;
  bool force = false;
  bool no_progress = false;
  bool pilot = false;  // only the first rounds, and then what the study could find
};

// Makes a study with its seed, units, cells and ID.
Result<study::StudyDocument> new_study(study::StudyPlan plan, const StudyRunPlans& plans);

// Measures the missing cells, and prints the verdict. `path`: its document, which must exist.
Result<Exit> conduct_study(study::StudyDocument document, StudyRunPlans plans,
                           const std::filesystem::path& path, const StudyManner& manner);

// Saves the document of a new study.
Result<std::filesystem::path> save_new_study(const study::StudyDocument& document);

}  // namespace radosload::cli
