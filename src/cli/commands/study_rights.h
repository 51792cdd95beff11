// What a saved study may not decide by itself when it is continued: which commands of a file run,
// and by which user and config the cluster is asked.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "study/study_draft.h"
#include "study/study_plan.h"

namespace radosload::cli {

// How the study that is continued was named, and what else was given.
struct Resumed {
  std::string name;
  std::filesystem::path path;
  ClusterOptions cluster;
  std::set<std::string> named;  // the options of the command line, without those of config files
  bool yes = false;

  bool is_file() const;
};

// Of a study in the store, which has its own connection: refuses another one.
Status check_connection(const Resumed& resumed);

// Of a file, which may come from another user: refuses to run its commands without --yes. The
// refusal shows them.
Status permit_commands(const Resumed& resumed, const study::StudyPlan& plan);
// Of a file: user and config become those of the command line, and nothing may be overwritten.
Status take_rights_from_words(const Resumed& resumed, study::StudyRunPlans& plans);

}  // namespace radosload::cli
