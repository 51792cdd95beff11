// Prose for people, as data: `radosload help TOPIC` shows it on a terminal, and man pages are made
// of the same blocks, so that neither knows more than the other.
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
    term,  // a word, and what is to be said of it
    code,  // lines to be shown as they are
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
};

// In the order in which they are listed. Live as long as the program.
std::span<const Topic> topics();
const Topic* find_topic(std::string_view name);

// For a terminal of so many columns.
std::string plain_text(const Prose& prose, std::size_t columns);

}  // namespace radosload::cli
