// The command line as plain data, taken from its declaration: what man pages and completion are
// written from. Nothing but declared.cc knows CLI11.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace radosload::pages {

// What completion may offer for a value, beside its choices.
enum class Offer : std::uint8_t { nothing, files, folders, patterns, topics, runs };

struct Option {
  std::vector<std::string> names;  // "-p", "--pool"; one without dashes for a positional
  std::string value;               // "POOL"; empty for a switch
  std::vector<std::string> choices;
  Offer offer = Offer::nothing;
  std::string help;
  std::string initial;  // what it is when it is not given; may be empty
  bool required = false;
  bool positional = false;
};

struct Group {
  std::string title;  // empty: no title of its own
  std::vector<Option> options;
};

struct Command {
  std::string name;  // of the program itself: "radosload"
  std::string summary;
  std::vector<Group> groups;
  std::string examples;  // lines

  std::vector<Option> options() const;  // of all groups
};

struct Program {
  std::string version;  // "radosload 0.1.0"
  Command own;
  std::vector<Command> commands;
};

Program declared(const cli::CommandLine& line);

}  // namespace radosload::pages
