// Which options the mons' config database has for an OSD: `config dump`, its sections and masks.
// Pure. Config files on the hosts may override them; only a command to each OSD would show that.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

namespace radosload::placement {

struct Osd;

struct ConfigOption {
  std::string mask = {};  // "host:node1", "class:hdd", "rack:a/class:hdd"; empty: for all
  std::string name = {};
  std::string value = {};
};

// By section: "global", "osd", "osd.3". Every OSD has options of its own there (its mclock
// capacity), so an OSD that had to look through all of them would take seconds on a large cluster.
using ConfigOptions = std::map<std::string, std::vector<ConfigOption>>;

Result<ConfigOptions> parse_config_dump(const std::string& json);

// What holds for the OSD: the narrower section wins, and within one the option with a mask. Options
// that only say who and where an OSD is are left out.
std::map<std::string, std::string> settings_of(const Osd& osd, const ConfigOptions& options);

// A number above 0 as Ceph prints one: "315.000000"; nothing for anything else.
std::optional<double> number_in(std::string_view text);

}  // namespace radosload::placement
