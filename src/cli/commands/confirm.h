// Asks before something is removed. Without a terminal the removal is refused.
#pragma once

#include <string>

#include "radosload/result.h"

#include "base/interrupts.h"

namespace radosload::cli {

struct Removal {
  std::string attempt;  // for the error: "clean up pool"
  std::string subject;  // "hdd"
  std::string shown;    // lines that list what will be removed
};

// Succeeds when the user answered y or yes. The list and the question go to stderr, so that the
// user sees them even if stdout is a file. Without a terminal on stdin and stderr the list goes to
// stdout and the removal is refused, like `scratch create` without --yes.
Status confirm_removal(const Removal& removal, const base::Interrupts& interrupts);

}  // namespace radosload::cli
