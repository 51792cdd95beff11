#include "radosload/op.h"

#include <algorithm>
#include <array>

#include "radosload/outcome.h"
#include "radosload/result.h"

namespace radosload {

namespace {
constexpr std::array<std::string_view, op_kind_count> kind_names = {
    "read", "write",  "flush",  "discard", "omap-set", "omap-get",
    "stat", "create", "delete", "list",    "sync",
};
}  // namespace

std::string_view op_kind_name(OpKind kind) {
  return kind_names.at(static_cast<std::size_t>(kind));
}

std::optional<OpKind> op_kind_from_name(std::string_view name) {
  const auto* const found = std::find(kind_names.begin(), kind_names.end(), name);
  if (found == kind_names.end()) return std::nullopt;
  return static_cast<OpKind>(found - kind_names.begin());
}

std::string rc_name(int rc) {
  switch (rc) {
    case rc_hole:
      return "HOLE";
    case rc_short_read:
      return "SHORT_READ";
    case rc_stale:
      return "STALE";
    case rc_corrupt:
      return "CORRUPT";
    case rc_lost_write:
      return "LOST_WRITE";
    case rc_never_sent:
      return "NEVER_SENT";
    case rc_misdirected:
      return "MISDIRECTED";
    case rc_torn:
      return "TORN";
    case rc_unanswered:
      return "UNANSWERED";
    case rc_unissued:
      return "UNISSUED";
    default:
      return errno_name(rc);
  }
}

}  // namespace radosload
