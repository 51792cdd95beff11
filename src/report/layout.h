// Text in columns and paragraphs: the one place that pads, aligns and wraps, by the width that
// UTF-8 takes on a terminal. Pure.
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

// No line of text is wider, so that it fits a mail.
inline constexpr std::size_t page_width = 100;

enum class Align : std::uint8_t { left, right };

class Table {
 public:
  struct Column {
    std::string head;
    Align align = Align::right;
  };
  // Names of others stand in heads and cells: a terminal must not obey them.
  explicit Table(std::vector<Column> columns);
  // As many cells as there are columns.
  void add(std::vector<std::string> cells);
  // Columns as wide as they must be, two spaces between them, none at the end of a line.
  std::string text(std::size_t margin) const;
  const std::vector<Column>& columns() const { return m_columns; }
  const std::vector<std::vector<std::string>>& rows() const { return m_rows; }

 private:
  std::vector<Column> m_columns;
  std::vector<std::vector<std::string>> m_rows;
};

// Tables with their titles, and lines among them, before they become text or HTML.
struct SheetPart {
  std::string title;                // of a table, without a colon; the label of a line
  std::optional<Table> table = {};  // nothing: a line
  std::string text = {};            // of a line
};
using Sheet = std::vector<SheetPart>;

// "  label   text", continued below itself at page_width. The label takes label_width columns.
std::string paragraph(std::string_view label, std::string_view given, std::size_t margin,
                      std::size_t label_width, std::size_t width = page_width);

// The same as all results have it: nothing at all for an empty text.
inline constexpr std::size_t indent = 2;
std::string line(std::string_view label, std::string_view text);

// How many columns of a terminal a text takes, in UTF-8.
std::size_t text_width(std::string_view text);
// As much of one line as there is room for, with "..." where it was cut. Control characters become
// escapes, and no character is cut in two.
std::string cut(std::string_view given, std::size_t columns);

// "45,012"
std::string grouped(std::uint64_t count);
// A rate or bandwidth for eyes: "12,345", "812", "81.2", "8.12", "0".
std::string rate_text(double value);
// human_text, or "-" for what is not known.
std::string time_text(std::optional<Time> time);
using record::ranked_text;
// "12 operations", "1 operation"
std::string counted(std::uint64_t count, std::string_view noun);
// Below a table with percentiles shown as "-".
std::string too_few_text();
std::string joined(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace radosload::report
