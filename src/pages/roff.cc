#include "pages/roff.h"

#include <algorithm>

#include <fmt/format.h>

namespace radosload::pages {

std::string escaped(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    // At the beginning of a line these two would make it a request.
    if (line_begins && c == '.') result += "\\&";
    line_begins = c == '\n';
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string roff_code(std::string_view lines) {
  while (lines.ends_with('\n')) lines.remove_suffix(1);
  return fmt::format(".PP\n.RS 4\n.nf\n{}\n.fi\n.RE\n", escaped(lines));
}

std::string roff_term(const std::string& head, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", head, text);
}

std::string roff(const cli::Prose& prose) {
  std::string text;
  for (const cli::Block& block : prose) {
    switch (block.kind) {
      case cli::Block::Kind::heading:
        text += fmt::format(".SS {}\n", escaped(block.text));
        break;
      case cli::Block::Kind::paragraph:
        text += fmt::format(".PP\n{}\n", escaped(block.text));
        break;
      case cli::Block::Kind::term:
        text += roff_term(bold(block.head), escaped(block.text));
        break;
      case cli::Block::Kind::code:
        text += roff_code(block.text);
        break;
    }
  }
  return text;
}

}  // namespace radosload::pages
