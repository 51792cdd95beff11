// Explanations as data: `radosload help TOPIC` and the man pages print the same blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace radosload::cli {

struct Block {
  enum class Kind : std::uint8_t {
    heading,
    paragraph,
    term,  // a word and its explanation
    code,  // lines that are printed unchanged
  };
  Kind kind = Kind::paragraph;
  std::string head;  // of a term
  std::string text;
};

using Prose = std::vector<Block>;

Block heading(std::string text);
Block paragraph(std::string text);
Block term(std::string head, std::string text);
Block code(std::string text);

struct Topic {
  std::string_view name;
  std::string_view summary;  // one line
  Prose (*prose)();
  // The man page with the same text: "radosload-pinning" and 7. Empty: it is part of radosload(1).
  std::string_view page = {};
  int section = 0;
};

// In the order in which help lists them. They live as long as the program.
std::span<const Topic> topics();
const Topic* find_topic(std::string_view name);

// Topics about the files that radosload reads and writes, each in its own source file.
Prose trace_format();
Prose record_format();
Prose study_format();

// Formats the text for a terminal of this width.
std::string plain_text(const Prose& prose, std::size_t columns);

}  // namespace radosload::cli
