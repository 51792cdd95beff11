#include "views/cleanup_text.h"

#include "radosload/printable.h"
#include "radosload/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::views {

using footprint::Fate;
using footprint::RunCleanup;

namespace {

std::string counted(const RunCleanup& run) {
  std::string text = fmt::format("{} objects removed", run.count.removed);
  if (run.count.missing > 0) text += fmt::format(", {} did not exist", run.count.missing);
  for (const auto& [rc, times] : run.count.failed) {
    text += fmt::format(", {} failed with {}", times, errno_name(rc));
  }
  if (run.count.unanswered > 0) text += fmt::format(", {} unanswered", run.count.unanswered);
  return text;
}

std::string line(const RunCleanup& run) {
  std::string name = printable(run.run);
  const std::string found = run.by_scan ? " (found by --scan)" : "";
  switch (run.fate) {
    case Fate::removed:
      return fmt::format("{}: {}{}", name, run.detail.empty() ? counted(run) : run.detail, found);
    case Fate::would:
      if (!run.images.empty()) {
        return fmt::format("{}: would be removed: {}", name,
                           printable(fmt::format("{}", fmt::join(run.images, ", "))));
      }
      return fmt::format("{}: up to {} objects would be removed{}", name, run.objects, found);
    case Fate::held:
      return fmt::format("{}: left alone, it is in use by {}", name, printable(run.detail));
    case Fate::kept:
      return fmt::format("{0}: left alone, it is kept; --run {0} removes it", name);
    case Fate::unreadable:
      return fmt::format("{}: left alone: {}", name, run.detail);
    case Fate::failed:
      return fmt::format("{}: NOT removed: {} ({})", name, run.detail, counted(run));
  }
  return name;
}

}  // namespace

// An error's message has lines of its own; what others named in it is escaped where it is made.
std::string cleanup_line(const RunCleanup& run) {
  return printable_lines(line(run));
}

}  // namespace radosload::views
