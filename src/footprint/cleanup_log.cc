#include "footprint/cleanup_log.h"

#include <string>

#include "base/log.h"

namespace radosload::footprint {

void log_decision(const RunCleanup& run) {
  const std::string why = run.detail.empty() ? "" : ": " + run.detail;
  switch (run.fate) {
    case Fate::removed:
      return base::log_info("removed what run {} made ({} objects deleted, {} did not exist){}",
                            run.run, run.count.removed, run.count.missing, why);
    case Fate::would:
      return base::log_info("dry run: the objects or images of run {} can be removed", run.run);
    case Fate::held:
      return base::log_info("left run {} alone: in use by {}", run.run, run.detail);
    case Fate::kept:
      return base::log_info("left run {} alone: it is kept", run.run);
    case Fate::unreadable:
      return base::log_warning("left run {} alone: its manifest cannot be read{}", run.run, why);
    case Fate::failed:
      return base::log_warning("could not remove all of run {}{}", run.run, why);
  }
}

}  // namespace radosload::footprint
