// What the report of a cleanup says as a whole.

#include <algorithm>

#include "footprint/cleanup.h"

namespace radosload::footprint {

std::set<std::string> CleanupReport::removable() const {
  std::set<std::string> found;
  for (const RunCleanup& run : runs) {
    if (run.fate == Fate::would) found.insert(run.run);
  }
  return found;
}

std::uint64_t CleanupReport::removed() const {
  std::uint64_t sum = 0;
  for (const RunCleanup& run : runs) sum += run.count.removed;
  return sum;
}

bool CleanupReport::complete() const {
  return !interrupted && std::none_of(runs.begin(), runs.end(), [](const RunCleanup& run) {
    return run.fate == Fate::failed || run.fate == Fate::unreadable;
  });
}

}  // namespace radosload::footprint
