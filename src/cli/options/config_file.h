// Parses config files into sections, keys and values. defaults.h interprets them. Pure.
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

// The entries in order. Refuses, with file and line: a line that is not a section, key or comment;
// a key that is set twice in its section; secrets.
Result<std::vector<ConfigEntry>> parse_config(std::string_view text, const std::string& file);

// An error with the file and line of the entry.
Error config_error(const ConfigEntry& entry, std::string reason, std::string hint = {});

}  // namespace radosload::cli
