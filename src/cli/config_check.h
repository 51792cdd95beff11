// Config files beside the declaration of the command line: which options there are, which of them a
// file may set, and which the words of a command line have set already.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/config_file.h"

namespace radosload::cli {

// How to reach a cluster: read by every command that talks to one.
inline constexpr const char* cluster_section = "cluster";
// Not options but names.
inline constexpr const char* pools_section = "pools";

// The options of one command by their long names, and whether each is a switch.
using Declared = std::map<std::string, bool>;

struct Given {
  std::string command;
  Declared declared;
  std::set<std::string> options;  // given by the words, by their long names
  bool simulated = false;         // no pool of any cluster is meant
  bool reads_config = true;
};

// Nothing when the words cannot be parsed, or ask for help.
std::optional<Given> given_by(const std::vector<std::string>& words);

// Whether a file may set this, and the value can be read. With the entry's place in the error.
Status check_entry(const ConfigEntry& entry);

// The entry as a word of the command line; empty for a switch that is off.
std::string word_of(const ConfigEntry& entry, bool is_switch);

}  // namespace radosload::cli
