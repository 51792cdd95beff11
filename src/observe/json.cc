#include "observe/json.h"

#include <algorithm>

#include <fmt/format.h>

namespace radosload::observe {

Result<Json> parse_object(std::string_view what, const std::string& text) {
  Json parsed = Json::parse(text, nullptr, false);
  if (!parsed.is_object()) {
    return fail({.attempt = fmt::format("read the answer to '{}'", what),
                 .reason = "it is not a JSON object",
                 .exit = Exit::no_cluster});
  }
  return parsed;
}

const Json& member(const Json& object, std::string_view key) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::uint64_t number(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (!value.is_number()) return 0;
  constexpr double too_large = 18446744073709551616.0;  // 2^64
  const auto real = value.get<double>();
  return real > 0 && real < too_large ? static_cast<std::uint64_t>(real) : 0;
}

std::uint32_t small_number(const Json& object, std::string_view key) {
  return static_cast<std::uint32_t>(number(object, key));
}

std::string text(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::vector<std::string> texts(const Json& object, std::string_view key) {
  std::vector<std::string> all;
  for (const Json& value : member(object, key)) {
    if (value.is_string()) all.push_back(value.get<std::string>());
  }
  return all;
}

}  // namespace radosload::observe
