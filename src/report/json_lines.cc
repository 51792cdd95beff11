#include "report/json_lines.h"

#include <cmath>

#include <fmt/format.h>

namespace radosload::report {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      result += '\\';
      result += letter;
    } else if (code < ' ') {
      result += fmt::format("\\u{:04x}", code);
    } else {
      result += letter;
    }
  }
  return result + '"';
}

}  // namespace

void JsonLines::member(std::string_view key, std::string_view value) {
  if (!m_closing.empty()) m_text += m_first ? "\n" : ",\n";
  m_text.append(2 * m_closing.size(), ' ');
  if (!key.empty()) m_text += quoted(key) + " : ";
  m_text += value;
  m_first = false;
}

void JsonLines::open(std::string_view key, char bracket, char closing) {
  member(key, std::string(1, bracket));
  m_closing += closing;
  m_first = true;
}

void JsonLines::end() {
  const char closing = m_closing.back();
  m_closing.pop_back();
  if (!m_first) {
    m_text += '\n';
    m_text.append(2 * m_closing.size(), ' ');
  }
  m_text += closing;
  m_first = false;
  if (m_closing.empty()) m_text += '\n';
}

void JsonLines::count(std::string_view key, std::uint64_t value) {
  member(key, fmt::to_string(value));
}

void JsonLines::real(std::string_view key, double value) {
  member(key, fmt::format("{:.6f}", std::isfinite(value) ? value : 0.0));
}

void JsonLines::text(std::string_view key, std::string_view value) {
  member(key, quoted(value));
}

}  // namespace radosload::report
