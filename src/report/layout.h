// Text in columns and paragraphs: the only code that pads, aligns and wraps, by the width of UTF-8
// on a terminal. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/units.h"

#include "record/ranks.h"

namespace radosload::report {

// The limit for lines of text, so that a report fits an e-mail.
inline constexpr std::size_t page_width = 100;

enum class Align : std::uint8_t { left, right };

class Table {
 public:
  struct Column {
    std::string head;
    Align align = Align::right;
  };
  // Escapes control characters in heads and cells, because names may come from untrusted sources.
  explicit Table(std::vector<Column> columns);
  // Takes one cell for each column.
  void add(std::vector<std::string> cells);
  // Columns are as wide as their widest cell, with two spaces between them and none at the end of a
  // line.
  std::string text(std::size_t margin) const;
  const std::vector<Column>& columns() const { return m_columns; }
  const std::vector<std::vector<std::string>>& rows() const { return m_rows; }

 private:
  std::vector<Column> m_columns;
  std::vector<std::vector<std::string>> m_rows;
};

// A table with its title, or a line of text, before it is printed as text or HTML.
struct SheetPart {
  std::string title;                // of a table, without a colon; the label of a line
  std::optional<Table> table = {};  // empty: a line
  std::string text = {};            // of a line
};
using Sheet = std::vector<SheetPart>;

// "  label   text", wrapped at page_width below itself. The label takes label_width columns.
std::string paragraph(std::string_view label, std::string_view given, std::size_t margin,
                      std::size_t label_width, std::size_t width = page_width);

// The same with the label width of all results; empty for an empty text.
inline constexpr std::size_t indent = 2;
std::string line(std::string_view label, std::string_view text);

// The number of terminal columns of a UTF-8 text.
std::size_t text_width(std::string_view text);
// The beginning of a line that fits into `columns`, with "..." if it was cut. Control characters
// are escaped, and no character is cut in half.
std::string cut(std::string_view given, std::size_t columns);

// "45,012"
std::string grouped(std::uint64_t count);
// A rate or bandwidth, rounded for people: "12,345", "812", "81.2", "8.12", "0".
std::string rate_text(double value);
// human_text, or "-" if the time is unknown.
std::string time_text(std::optional<Time> time);
using record::ranked_text;
// "12 operations", "1 operation"
std::string counted(std::uint64_t count, std::string_view noun);
// The line below a table that shows percentiles as "-".
std::string too_few_text();
std::string joined(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace radosload::report
