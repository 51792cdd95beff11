#include "base/label_value.h"

#include "radosload/printable.h"

namespace radosload::base {

std::string label_value(std::string_view text) {
  std::string value;
  for (const char letter : printable(text)) {
    if (letter == '\\' || letter == '"') value += '\\';
    value += letter;
  }
  return value;
}

}  // namespace radosload::base
