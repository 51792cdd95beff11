// The parts that every page is built of: sections, tables, lists, figures, and the document around
// them. Texts are escaped here, so callers give them as they are. Pure, and internal to the room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "record/run_record.h"

namespace radosload::html {

// Nothing at all for an empty body, which is HTML.
std::string section(std::string_view title, const std::string& body);
// Wide contents (HTML) scroll by themselves; the keyboard can do so too.
std::string scrolled(std::string_view name, const std::string& body);
// A picture (SVG) with a caption; nothing for an empty picture. `chart`: HTML that a script makes a
// chart of, which is then shown instead.
std::string figure(std::string_view name, const std::string& picture, std::string_view caption,
                   const std::string& chart = "");
std::string preformatted(std::string_view name, const std::string& text);
// A body (HTML) that is shown on request; browsers need no script for it.
std::string folded(std::string_view summary, const std::string& body);

// A row of two columns, the second one words; nothing for an empty text.
std::string word_row(std::string_view name, const std::string& text);
// Rows of word_row; nothing without rows. `name` is for screen readers; a caption is seen.
std::string word_table(std::string_view name, const std::string& rows,
                       std::string_view caption = "");

struct FigureRow {
  std::vector<std::string> cells;  // the first one is the row's head
  std::string style = {};          // a class of the page's style
};
std::string figure_table(std::string_view name, std::string_view caption,
                         const std::vector<std::string>& heads, const std::vector<FigureRow>& rows);

// Lists of long runs are cut, and the page says where the rest is.
inline constexpr std::size_t most_lines = 100;
// `element` is ul or ol; nothing without lines.
std::string list(const std::vector<std::string>& lines, std::string_view element);

// The class of the page's style for a grade.
std::string_view grade_class(record::GradeValue grade);

// The whole file. `body` and `data` are HTML.
std::string document(const std::string& title, const std::string& body, const std::string& data);

}  // namespace radosload::html
