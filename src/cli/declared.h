// The command line as plain data, read from its declaration in CLI11. --help, man pages and
// completion are made from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace radosload::cli {

// What completion offers for a value, besides its choices.
enum class Offer : std::uint8_t { nothing, files, folders, patterns, topics, runs };

struct Option {
  std::vector<std::string> names;  // "-p", "--pool"; one without dashes for a positional
  std::string value;               // "POOL", "text|json"; empty for a switch
  std::vector<std::string> choices;
  Offer offer = Offer::nothing;
  std::string help;
  std::string initial;  // the default; may be empty
  bool required = false;
  bool positional = false;
  bool repeated = false;  // takes several values
};

struct OptionGroup {
  std::string title;  // empty: no title of its own
  std::vector<Option> options;
};

struct Command {
  std::string name;     // of the program itself: "radosload"
  std::string group;    // the heading of the command in the program's help
  std::string summary;  // one line
  std::string about;    // paragraphs, separated by an empty line
  std::vector<OptionGroup> groups;
  std::string examples;  // lines

  std::vector<Option> options() const;  // of all groups
};

struct Program {
  Command own;
  std::vector<Command> commands;
};

Command declared_command(const CLI::App& command);
Program declared(const CLI::App& program);

}  // namespace radosload::cli
