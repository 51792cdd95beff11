// Defaults from config files: /etc/radosload/radosload.conf, and over it the user's own. They
// become words of the command line, behind those that were given, so an option means the same
// wherever it stands. `radosload help config` tells people the rules.
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
  std::filesystem::path user;  // empty: nobody knows where
};

// By RADOSLOAD_CONFIG, XDG_CONFIG_HOME and HOME.
ConfigPaths config_paths();

struct Defaults {
  std::vector<std::string> words;            // "--time=2m"
  std::set<std::string> options;             // the options they set: "time"
  std::map<std::string, std::string> pools;  // names of people's own for pools
  std::vector<std::string> files;            // those that had anything to say
};

// What the files add to these words, the first of which names a subcommand. Nothing when the words
// cannot be parsed: then they are what is to be complained of. Files that are not there are fine;
// whatever else is wrong with one is an error, also where this command would not have looked.
Result<Defaults> defaults_for(const std::vector<std::string>& words, const ConfigPaths& paths);

}  // namespace radosload::cli
