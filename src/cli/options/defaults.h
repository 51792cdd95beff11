// Defaults from config files: /etc/radosload/radosload.conf, and with priority the user's own file.
// They become words of the command line, so an option means the same wherever it is set.
// `radosload help config` explains the rules to users.
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
  std::filesystem::path user;  // empty: not known
};

// By RADOSLOAD_CONFIG, XDG_CONFIG_HOME and HOME.
ConfigPaths config_paths();

struct Defaults {
  std::vector<std::string> words;            // "--time=2m"
  std::set<std::string> options;             // the options they set: "time"
  std::map<std::string, std::string> pools;  // the user's names for pools
  std::vector<std::string> files;            // those that set anything
};

// What the files add to these words, the first of which names a command. Nothing if the words
// cannot be parsed, so that the error is about them. Files may be missing; anything invalid in them
// is an error, even in sections that this command does not use.
Result<Defaults> defaults_for(const std::vector<std::string>& words, const ConfigPaths& paths);

}  // namespace radosload::cli
