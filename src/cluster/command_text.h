// A command of Ceph's JSON interface as a person would type it, for messages and the log.
#pragma once

#include <string>

namespace radosload::cluster {

// {"prefix": "osd map", ...} -> "osd map"
std::string command_name(const std::string& command);
// {"prefix": "osd map", "pool": "hdd", "format": "json"} -> "osd map pool=hdd"
std::string command_text(const std::string& command);

}  // namespace radosload::cluster
