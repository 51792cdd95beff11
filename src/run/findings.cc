#include "run/findings.h"

#include "radosload/outcome.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

std::string expected(const engine::Finding& finding) {
  if (finding.floor == finding.ceiling) return fmt::format("{}", finding.floor);
  return fmt::format("{} to {}", finding.floor, finding.ceiling);
}

std::string meaning(const engine::Finding& finding) {
  switch (finding.rc) {
    case rc_lost_write:
      return fmt::format(
          "it returned generation {}, and a write that was acknowledged before is newer; possible "
          "was {}",
          finding.found, expected(finding));
    case rc_never_sent:
      return fmt::format("it returned generation {}, which this run has not sent; possible was {}",
                         finding.found, expected(finding));
    case rc_torn:
      return finding.found == finding.other
                 ? "a stamp and the bytes it stands for do not belong together"
                 : fmt::format("it returned parts of generations {} and {}", finding.found,
                               finding.other);
    case rc_misdirected:
      return "it returned what was written to another place";
    case rc_stale:
      return "it returned what belongs to another data set";
    case rc_hole:
      return "it returned zeros";
    case rc_short_read:
      return "it returned fewer bytes than were written there";
    default:
      return "it returned bytes that radosload has not written";
  }
}

}  // namespace

std::string finding_text(const engine::Finding& finding, const std::string& object) {
  return fmt::format("{}: read of {} bytes of {} at {}, wrong from byte {}: {}",
                     rc_name(finding.rc), finding.op.length, object, finding.op.offset,
                     finding.offset, meaning(finding));
}

}  // namespace radosload::run
