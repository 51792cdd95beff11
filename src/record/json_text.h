// A JSON document that the record carries without knowing what is in it: the plan and the
// environment. Keeps the JSON library out of every header; reading a key parses the text, so it is
// for reports and not for loops.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "radosload/result.h"

namespace radosload::record {

class JsonText {
 public:
  // An empty object.
  JsonText() = default;
  // Canonical form (compact, keys sorted), so that equal documents have equal texts.
  static Result<JsonText> parse(std::string_view text);

  const std::string& text() const { return m_text; }
  // What stands at a path like "pool/name" or "osds/0/id": a string as it is, anything else as JSON
  // text. Empty when there is nothing, or null.
  std::string text_at(std::string_view path) const;
  std::optional<double> number_at(std::string_view path) const;
  // Every leaf by its path.
  std::map<std::string, std::string> leaves() const;

  bool operator==(const JsonText&) const = default;

 private:
  std::string m_text = "{}";
};

}  // namespace radosload::record
