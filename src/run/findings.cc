#include "run/findings.h"

#include "radosload/outcome.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

std::string expected(const engine::Finding& finding) {
  if (finding.floor == finding.ceiling) return fmt::format("{}", finding.floor);
  return fmt::format("{} to {}", finding.floor, finding.ceiling);
}

std::string meaning(const engine::Finding& finding, const ObjectName& object_name) {
  switch (finding.rc) {
    case rc_lost_write:
      return fmt::format(
          "it returned generation {}, but a newer write was acknowledged before; expected {}",
          finding.found, expected(finding));
    case rc_never_sent:
      return fmt::format("it returned generation {}, which this run never sent; expected {}",
                         finding.found, expected(finding));
    case rc_torn:
      return finding.found == finding.other
                 ? "a stamp does not match the bytes that it covers"
                 : fmt::format("it returned parts of generations {} and {}", finding.found,
                               finding.other);
    case rc_misdirected:
      return fmt::format("it returned generation {} of {} at offset {}", finding.found,
                         object_name(finding.meant_object), finding.meant_offset);
    case rc_stale:
      return "it returned data of another data set";
    case rc_hole:
      return "it returned zeros";
    case rc_short_read:
      return "it returned fewer bytes than were written there";
    default:
      return "it returned bytes that radosload did not write";
  }
}

}  // namespace

std::string finding_text(const engine::Finding& finding, const ObjectName& object_name) {
  return fmt::format("{}: read of {} bytes from {} at offset {}, wrong from byte {}: {}",
                     rc_name(finding.rc), finding.op.length, object_name(finding.op.object),
                     finding.op.offset, finding.offset, meaning(finding, object_name));
}

}  // namespace radosload::run
