// What --help and the man page say about each command beside its options: where it is listed, a
// paragraph about it, and examples.
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

// In the form in which CLI11 keeps it: the footer of a command.
std::string footer_of(const CommandText& text);

}  // namespace radosload::cli
