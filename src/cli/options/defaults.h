// Reads defaults from config files: /etc/radosload/radosload.conf, and with priority the user's own
// file. Defaults become words of the command line, so an option means the same in both. `radosload
// help config` explains the rules to users.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "radosload/result.h"

namespace radosload::cli {

struct ConfigPaths {
  std::filesystem::path system;
  std::filesystem::path user;  // empty: unknown
};

// By RADOSLOAD_CONFIG, XDG_CONFIG_HOME and HOME.
ConfigPaths config_paths();

struct Defaults {
  std::vector<std::string> words;            // "--time=2m"
  std::set<std::string> options;             // the options they set: "time"
  std::map<std::string, std::string> pools;  // the user's names for pools
  std::vector<std::string> files;            // the files that set any option
};

// The defaults that config files add to this command line, whose first word is a command. Empty if
// the command line cannot be parsed, so that the error is about the command line. Files may be
// missing; an invalid entry is an error, even in sections that this command does not use.
Result<Defaults> defaults_for(const std::vector<std::string>& words, const ConfigPaths& paths);

}  // namespace radosload::cli
