#include "observe/fetch_osd_map.h"

#include <string>

namespace radosload::observe {

Result<placement::OsdMap> fetch_osd_map(AdminCommands& commands) {
  RADOSLOAD_ASSIGN(const auto dump, commands.mon(std::string(osd_dump_command)));
  return placement::parse_osd_dump(dump);
}

}  // namespace radosload::observe
