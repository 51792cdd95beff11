// Lists of OSDs as people write them, in `osds LIST` and --osd. Two steps: the text is parsed
// without a cluster, then the OSDs are looked up in an inventory. Pure.
//
//   0,3-5,osd.7               by number
//   host=NAME  class=hdd  kind=wal    all of that host (in CRUSH, or as it calls itself), ...
//   kind=wal/host=NAME        what is both
//   all
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "placement/osd_inventory.h"

namespace radosload::placement {

struct OsdTerm {
  enum class By : std::uint8_t { all, id, range, host, device_class, kind };
  By by = By::all;
  std::int32_t first = 0;  // of a range; the id itself
  std::int32_t last = 0;
  std::string name = {};  // of the host or class
  OsdKind kind = OsdKind::unknown;
};

// OSDs that fit every term of at least one of the groups.
struct OsdSelection {
  std::vector<std::vector<OsdTerm>> groups;
};

// An invalid word is a usage error that names it, and what was probably meant.
Result<OsdSelection> parse_osd_selection(std::string_view text);

// The ids, ascending, each once. A number that no OSD has, and words that fit none, are errors that
// list the known ones; of a range, one OSD is enough.
Result<std::vector<std::int32_t>> select_osds(const OsdSelection& selection,
                                              const OsdInventory& inventory);

// The inventory with those OSDs alone.
OsdInventory only(OsdInventory inventory, const std::vector<std::int32_t>& ids);

// "0-3, 7"
std::string ids_text(const std::vector<std::int32_t>& ids);

}  // namespace radosload::placement
