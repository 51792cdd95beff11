// The texts of each command in --help and its man page, besides those of its options: its group, a
// description, and examples.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace radosload::cli {

struct CommandText {
  std::string_view command;
  std::string_view group;     // the title under which the program's help lists it
  std::string_view about;     // paragraphs, separated by an empty line
  std::string_view examples;  // lines
};

std::span<const CommandText> command_texts();

// The text as CLI11 keeps it: in the footer of a command.
std::string footer_of(const CommandText& text);

}  // namespace radosload::cli
