// Checks config files against the declared command line: which options exist, which a file may set,
// and which the command line has set already.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/options/config_file.h"

namespace radosload::cli {

// The section for cluster options, which every command that contacts a cluster uses.
inline constexpr const char* cluster_section = "cluster";
// The section of the user's names for pools.
inline constexpr const char* pools_section = "pools";

// The options of one command by their long names, and whether each is a switch.
using Declared = std::map<std::string, bool>;

struct Given {
  std::string command;
  Declared declared;
  std::set<std::string> options;  // on the command line, by their long names
  bool without_cluster = false;   // the target is not a cluster
  bool pretended = false;         // nor a drive
  bool reads_config = true;
};

// Empty if the words cannot be parsed, or ask for help.
std::optional<Given> given_by(const std::vector<std::string>& words);

// Fails if a file must not set this option, or if the value is invalid. The error names the line.
Status check_entry(const ConfigEntry& entry);

// The entry as a word of the command line; empty for a switch that is off.
std::string word_of(const ConfigEntry& entry, bool is_switch);

}  // namespace radosload::cli
