#include "html/elements.h"

#include <algorithm>

#include "html/charts.h"
#include "html/escape.h"
#include "html/style.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

std::string section(std::string_view title, const std::string& body) {
  if (body.empty()) return {};
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(title), body);
}

std::string scrolled(std::string_view name, const std::string& body) {
  return fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n",
      escaped(name), body);
}

std::string figure(std::string_view name, const std::string& picture, std::string_view caption,
                   const std::string& chart) {
  if (picture.empty()) return {};
  const std::string below =
      caption.empty() ? "" : fmt::format("<figcaption>{}</figcaption>\n", escaped(caption));
  return fmt::format("<figure>\n{}{}{}</figure>\n", scrolled(name, picture), chart, below);
}

std::string preformatted(std::string_view name, const std::string& text) {
  if (text.empty()) return {};
  return scrolled(name, "<pre>" + escaped(text) + "</pre>\n");
}

std::string folded(std::string_view summary, const std::string& body) {
  if (body.empty()) return {};
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", escaped(summary), body);
}

std::string word_row(std::string_view name, const std::string& text) {
  if (text.empty()) return {};
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(name),
                     escaped(text));
}

std::string word_table(std::string_view name, const std::string& rows, std::string_view caption) {
  if (rows.empty()) return {};
  const std::string head =
      caption.empty() ? "" : fmt::format("<caption>{}</caption>\n", escaped(caption));
  return fmt::format("<table class=\"words\" aria-label=\"{}\">\n{}{}</table>\n", escaped(name),
                     head, rows);
}

std::string figure_table(std::string_view name, std::string_view caption,
                         const std::vector<std::string>& heads,
                         const std::vector<FigureRow>& rows) {
  std::string head;
  for (const std::string& text : heads) {
    head += text.empty() ? "<td></td>" : fmt::format("<th scope=\"col\">{}</th>", escaped(text));
  }
  std::string body;
  for (const FigureRow& row : rows) {
    body += row.style.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", row.style);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string cell = escaped(row.cells[i]);
      body += i == 0 ? "<th scope=\"row\">" + cell + "</th>" : "<td>" + cell + "</td>";
    }
    body += "</tr>\n";
  }
  return scrolled(name, fmt::format("<table>\n<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n"
                                    "<tbody>\n{}</tbody>\n</table>\n",
                                    escaped(caption), head, body));
}

std::string list(const std::vector<std::string>& lines, std::string_view element) {
  if (lines.empty()) return {};
  std::string body;
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) {
    body += fmt::format("<li>{}</li>\n", escaped(lines[i]));
  }
  std::string result = fmt::format("<{0}>\n{1}</{0}>\n", element, body);
  if (lines.size() > most_lines) {
    result += fmt::format("<p>{} more are in the records.</p>\n",
                          report::grouped(lines.size() - most_lines));
  }
  return result;
}

std::string_view grade_class(record::GradeValue grade) {
  switch (grade) {
    case record::GradeValue::clean:
      return "clean";
    case record::GradeValue::contaminated:
      return "contaminated";
    case record::GradeValue::void_run:
      return "void";
    case record::GradeValue::unwatched:
      break;
  }
  return "soft";
}

std::string document(const std::string& title, const std::string& body, const std::string& data) {
  // Pages without charts permit no script at all.
  const bool charts = has_charts(body);
  const std::string script =
      charts ? fmt::format("<script>{}</script>\n", chart_script()) : std::string();
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; " +
         (charts ? fmt::format("script-src {}; ", chart_script_source()) : std::string()) +
         "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" +
         escaped(title) + "</title>\n<style>" + (charts ? std::string(chart_style()) : "") +
         std::string(page_style) + "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n" +
         data + script + "</body>\n</html>\n";
}

}  // namespace radosload::html
