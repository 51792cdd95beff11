// The form of a config file: sections, and in them keys with values. What they mean is settled in
// defaults.h. Pure.
//
//   # a comment
//   [run]
//   time = 2m      # another
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

namespace radosload::cli {

struct ConfigEntry {
  std::string section;
  std::string key;
  std::string value;
  std::string file;
  int line = 0;

  std::string where() const;  // "FILE:LINE"
};

// The entries in their order. Refuses, with file and line, what is no section, key or comment, a
// key set twice in its section, and secrets.
Result<std::vector<ConfigEntry>> parse_config(std::string_view text, const std::string& file);

// The error of that entry.
Error config_error(const ConfigEntry& entry, std::string reason, std::string hint = {});

}  // namespace radosload::cli
