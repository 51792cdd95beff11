#include "report/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "radosload/printable.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {
// Continuation bytes of a UTF-8 character take no column.
bool continues(char letter) {
  return (static_cast<unsigned char>(letter) & 0xc0U) == 0x80U;
}

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::string spaces(width - std::min(width, text_width(text)), ' ');
  return align == Align::left ? text + spaces : spaces + text;
}

// Messages of several lines are joined, and then wrapped like any text.
std::string in_one_line(std::string_view text) {
  std::string result;
  bool began = false;  // false: only the indentation of the line was read so far
  for (const char letter : text) {
    if (letter == '\n') {
      result += ' ';
      began = true;
    } else if (!began || letter != ' ') {
      result += letter;
      began = false;
    }
  }
  return result;
}

// The end of the first `columns` characters of the text.
std::size_t end_of(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  for (std::size_t used = 0; end < text.size(); ++end) {
    if (!continues(text[end]) && ++used > columns) break;
  }
  return end;
}

}  // namespace

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char letter) { return !continues(letter); }));
}

std::string cut(std::string_view given, std::size_t columns) {
  constexpr std::string_view more = "...";
  std::string text = printable(given);
  if (end_of(text, columns) == text.size()) return text;
  if (columns <= more.size()) return text.substr(0, end_of(text, columns));
  return text.substr(0, end_of(text, columns - more.size())).append(more);
}

Table::Table(std::vector<Column> columns) : m_columns(std::move(columns)) {
  for (Column& column : m_columns) column.head = printable(column.head);
}

void Table::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable(cell);
  m_rows.push_back(std::move(cells));
}

std::string Table::text(std::size_t margin) const {
  std::vector<std::string> heads;
  std::vector<std::size_t> widths;
  for (const Column& column : m_columns) {
    heads.push_back(column.head);
    widths.push_back(text_width(column.head));
  }
  for (const auto& row : m_rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text_width(row[i]));
  }
  const auto line_of = [&](const std::vector<std::string>& cells) {
    std::string result(margin, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) result += "  ";
      result += padded(cells[i], widths[i], m_columns[i].align);
    }
    result.erase(result.find_last_not_of(' ') + 1);
    return result + "\n";
  };
  std::string result = line_of(heads);
  for (const auto& row : m_rows) result += line_of(row);
  return result;
}

std::string paragraph(std::string_view label, std::string_view given, std::size_t margin,
                      std::size_t label_width, std::size_t width) {
  const std::string shown = printable(in_one_line(given));
  std::string_view text = shown;
  std::string result;
  std::string last = std::string(margin, ' ') + padded(printable(label), label_width, Align::left);
  bool fresh = true;  // the line holds only its margin so far
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!fresh && text_width(last) + 1 + text_width(word) > width) {
      result += last + "\n";
      last.assign(margin + label_width, ' ');
      fresh = true;
    }
    if (!fresh) last += ' ';
    last += word;
    fresh = false;
  }
  last.erase(last.find_last_not_of(' ') + 1);
  return result + last + "\n";
}

std::string line(std::string_view label, std::string_view text) {
  constexpr std::size_t label_width = 10;
  return text.empty() ? std::string() : paragraph(label, text, indent, label_width);
}

std::string grouped(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string rate_text(double value) {
  if (!std::isfinite(value) || value < 0) return "-";
  if (value >= 99.95) return grouped(static_cast<std::uint64_t>(std::llround(value)));
  if (value >= 9.995) return fmt::format("{:.1f}", value);
  return value == 0 ? "0" : fmt::format("{:.2f}", value);
}

std::string time_text(std::optional<Time> time) {
  return time ? human_text(*time) : "-";
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string too_few_text() {
  return fmt::format(
      "percentiles shown as - have too few operations (p99 needs {}, p99.9 needs {})",
      grouped(record::operations_needed(record::p99)),
      grouped(record::operations_needed(record::p999)));
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace radosload::report
