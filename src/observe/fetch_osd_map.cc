#include "observe/fetch_osd_map.h"

#include <string>

#include <fmt/format.h>

namespace radosload::observe {

Result<placement::OsdMap> fetch_osd_map(AdminCommands& commands) {
  RADOSLOAD_ASSIGN(const auto dump, commands.mon(std::string(osd_dump_command)));
  return placement::parse_osd_dump(dump);
}

Result<placement::OsdMap> fetch_osd_map(AdminCommands& commands, std::uint64_t epoch) {
  RADOSLOAD_ASSIGN(const auto dump,
                   commands.mon(fmt::format(
                       R"({{"prefix": "osd dump", "epoch": {}, "format": "json"}})", epoch)));
  return placement::parse_osd_dump(dump);
}

}  // namespace radosload::observe
