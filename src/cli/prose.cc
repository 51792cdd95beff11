#include "cli/prose.h"

#include <algorithm>
#include <utility>

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

std::string indented(std::string_view lines, std::size_t indent) {
  std::string result;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    if (end > 0) result += std::string(indent, ' ');
    result += fmt::format("{}\n", lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return result;
}

// A list whose terms are all at most this wide has them in a column; longer terms get their own
// line.
constexpr std::size_t short_term = 22;

std::string term_text(const Block& block, std::size_t width, std::size_t columns) {
  const bool beside = report::text_width(block.head) <= width;
  const std::string above = beside ? "" : fmt::format("  {}\n", block.head);
  return above + report::paragraph(beside ? block.head : "", block.text, 2, width + 2, columns);
}

// The width of the column of terms for the list that starts here.
std::size_t list_width(const Prose& prose, std::size_t begin) {
  std::size_t width = 0;
  for (std::size_t i = begin; i < prose.size() && prose[i].kind == Block::Kind::term; ++i) {
    const std::size_t head = report::text_width(prose[i].head);
    if (head <= short_term) width = std::max(width, head);
  }
  return std::max<std::size_t>(width, 4);
}

}  // namespace

Block heading(std::string text) {
  return {.kind = Block::Kind::heading, .head = {}, .text = std::move(text)};
}

Block paragraph(std::string text) {
  return {.kind = Block::Kind::paragraph, .head = {}, .text = std::move(text)};
}

Block term(std::string head, std::string text) {
  return {.kind = Block::Kind::term, .head = std::move(head), .text = std::move(text)};
}

Block code(std::string text) {
  return {.kind = Block::Kind::code, .head = {}, .text = std::move(text)};
}

std::string plain_text(const Prose& prose, std::size_t columns) {
  std::string text;
  std::size_t width = 0;
  for (std::size_t i = 0; i < prose.size(); ++i) {
    const Block& block = prose[i];
    const bool in_list = i > 0 && prose[i - 1].kind == Block::Kind::term;
    const bool list_goes_on = in_list && block.kind == Block::Kind::term;
    if (!text.empty() && !list_goes_on) text += '\n';
    switch (block.kind) {
      case Block::Kind::heading:
        text += block.text + "\n";
        break;
      case Block::Kind::paragraph:
        text += report::paragraph("", block.text, 0, 0, columns);
        break;
      case Block::Kind::term:
        if (!list_goes_on) width = list_width(prose, i);
        text += term_text(block, width, columns);
        break;
      case Block::Kind::code:
        text += indented(block.text, 4);
        break;
    }
  }
  return text;
}

}  // namespace radosload::cli
