// The question before something is removed: asked on a terminal, refused elsewhere.
#pragma once

#include <string>

#include "radosload/result.h"

#include "base/interrupts.h"

namespace radosload::cli {

struct Removal {
  std::string attempt;  // for the error: "clean up pool"
  std::string subject;  // "hdd"
  std::string shown;    // lines that say what will be removed
};

// Succeeds when a person has answered y or yes. The list and the question go to stderr, so that
// they are seen where stdout is a file. Without a terminal on stdin and stderr the list goes to
// stdout and the removal is refused, as `scratch create` without --yes is.
Status confirm_removal(const Removal& removal, const base::Interrupts& interrupts);

}  // namespace radosload::cli
