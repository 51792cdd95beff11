#include "base/json_reading.h"

#include <fmt/format.h>

namespace radosload {

namespace {

// Only correct for valid JSON; the parser refuses anything else afterwards.
bool is_too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (in_string) {
      if (letter == '\\') ++i;
      if (letter == '"') in_string = false;
    } else if (letter == '"') {
      in_string = true;
    } else if (letter == '{' || letter == '[') {
      if (++depth > deepest_json) return true;
    } else if ((letter == '}' || letter == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
}

template <typename Json>
Result<Json> read(std::string_view text) {
  const auto unreadable = [](std::string reason) {
    return fail({.attempt = "read JSON", .reason = std::move(reason)});
  };
  if (is_too_deep(text)) {
    return unreadable(fmt::format("it is nested more than {} levels deep", deepest_json));
  }
  try {
    return Json::parse(text);
  } catch (const typename Json::exception& error) {
    return unreadable(error.what());
  }
}

}  // namespace

Result<nlohmann::json> read_json(std::string_view text) {
  return read<nlohmann::json>(text);
}

Result<nlohmann::ordered_json> read_ordered_json(std::string_view text) {
  return read<nlohmann::ordered_json>(text);
}

}  // namespace radosload
