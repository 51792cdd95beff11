// Internal: writes JSON in fio's layout: one member per line as `"key" : value`, six decimal
// places. Scripts for fio read such lines with grep and awk, and a diff with fio's own output shows
// different values only. The JSON library cannot write this layout.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace radosload::report {

class JsonLines {
 public:
  // Elements of a list and the whole document have no key.
  void begin(std::string_view key = {}) { open(key, '{', '}'); }
  void begin_list(std::string_view key) { open(key, '[', ']'); }
  void end();

  void count(std::string_view key, std::uint64_t value);
  // JSON has neither infinity nor NaN; both are printed as 0.
  void real(std::string_view key, double value);
  void text(std::string_view key, std::string_view value);

  // The document; valid after every begin() has its end().
  const std::string& whole() const { return m_text; }

 private:
  void open(std::string_view key, char bracket, char closing);
  void member(std::string_view key, std::string_view value);

  std::string m_text;
  std::string m_closing;  // the closing brackets of what is open, the innermost last
  bool m_first = true;    // the innermost is still empty
};

}  // namespace radosload::report
