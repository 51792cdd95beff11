#include "html/sheets.h"

#include "html/elements.h"
#include "html/escape.h"

#include <fmt/format.h>

namespace radosload::html {

namespace {

std::string cell(std::string_view element, const std::string& text, report::Align align) {
  const std::string_view left = align == report::Align::left ? " class=\"left\"" : "";
  return fmt::format("<{}{}>{}</{}>", element, left, escaped(text),
                     element.substr(0, element.find(' ')));
}

std::string sheet_table(const report::SheetPart& part) {
  const auto& columns = part.table->columns();
  std::string head;
  for (const auto& column : columns) {
    head += column.head.empty() ? "<td></td>" : cell("th scope=\"col\"", column.head, column.align);
  }
  std::string body;
  for (const auto& row : part.table->rows()) {
    body += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      body += cell(i == 0 ? "th scope=\"row\"" : "td", row[i], columns[i].align);
    }
    body += "</tr>\n";
  }
  return scrolled(part.title,
                  fmt::format("<table>\n<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n"
                              "<tbody>\n{}</tbody>\n</table>\n",
                              escaped(part.title), head, body));
}

}  // namespace

std::string sheet_of(const report::Sheet& parts) {
  std::string text;
  std::string lines;  // those that follow each other
  const auto end_lines = [&] {
    text += word_table("Notes", lines);
    lines.clear();
  };
  for (const report::SheetPart& part : parts) {
    if (part.table) {
      end_lines();
      text += sheet_table(part);
    } else if (part.text.empty()) {
      end_lines();
      text += fmt::format("<p>{}.</p>\n", escaped(part.title));
    } else {
      lines += word_row(part.title, part.text);
    }
  }
  end_lines();
  return text;
}

}  // namespace radosload::html
