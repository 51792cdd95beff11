#include "html/escape.h"

#include "radosload/printable.h"

namespace radosload::html {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : printable_lines(text)) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

}  // namespace radosload::html
