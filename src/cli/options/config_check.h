// Checks config files against the declaration of the command line: which options exist, which a
// file may set, and which the command line has set already.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/options/config_file.h"

namespace radosload::cli {

// Options for reaching a cluster, for every command that talks to one.
inline constexpr const char* cluster_section = "cluster";
// The user's names for pools.
inline constexpr const char* pools_section = "pools";

// The options of one command by their long names, and whether each is a switch.
using Declared = std::map<std::string, bool>;

struct Given {
  std::string command;
  Declared declared;
  std::set<std::string> options;  // on the command line, by their long names
  bool simulated = false;         // the target is no cluster
  bool reads_config = true;
};

// Nothing if the words cannot be parsed, or ask for help.
std::optional<Given> given_by(const std::vector<std::string>& words);

// Fails if a file may not set this, or if the value is invalid. The error has the line.
Status check_entry(const ConfigEntry& entry);

// The entry as a word of the command line; empty for a switch that is off.
std::string word_of(const ConfigEntry& entry, bool is_switch);

}  // namespace radosload::cli
