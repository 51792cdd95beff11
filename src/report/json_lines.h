// Internal: JSON in the layout of fio, a member a line and `"key" : value`, with its six digits
// after the point. The JSON library writes neither, and scripts for fio read such lines with grep
// and awk; so a diff with fio's own output shows figures only, too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace radosload::report {

class JsonLines {
 public:
  // Within a list, and for the whole document, there is no key.
  void begin(std::string_view key = {}) { open(key, '{', '}'); }
  void begin_list(std::string_view key) { open(key, '[', ']'); }
  void end();

  void count(std::string_view key, std::uint64_t value);
  // JSON has no infinity; what is no number is printed as 0.
  void real(std::string_view key, double value);
  void text(std::string_view key, std::string_view value);

  // All of it, once every begin() has its end().
  const std::string& whole() const { return m_text; }

 private:
  void open(std::string_view key, char bracket, char closing);
  void member(std::string_view key, std::string_view value);

  std::string m_text;
  std::string m_closing;  // of what is open, the innermost last
  bool m_first = true;    // nothing yet stands in the innermost
};

}  // namespace radosload::report
