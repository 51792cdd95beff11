#include "base/ceph_json.h"

#include <limits>

#include "radosload/units.h"

#include <fmt/format.h>

namespace radosload::ceph_json {

namespace {

tl::unexpected<Error> unreadable(std::string_view what, std::string_view shape) {
  return fail({.attempt = fmt::format("read the answer to '{}'", what),
               .reason = fmt::format("it is not a JSON {}", shape),
               .exit = Exit::no_cluster});
}

}  // namespace

Result<Json> parse_object(std::string_view what, const std::string& text) {
  Json parsed = Json::parse(text, nullptr, false);
  if (!parsed.is_object()) return unreadable(what, "object");
  return parsed;
}

Result<Json> parse_array(std::string_view what, const std::string& text) {
  Json parsed = Json::parse(text, nullptr, false);
  if (!parsed.is_array()) return unreadable(what, "array");
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
  if (value.is_string()) return parse_count(value.get_ref<const std::string&>()).value_or(0);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (!value.is_number()) return 0;
  constexpr double too_large = 18446744073709551616.0;  // 2^64
  const auto real = value.get<double>();
  return real > 0 && real < too_large ? static_cast<std::uint64_t>(real) : 0;
}

std::uint32_t small_number(const Json& object, std::string_view key) {
  return static_cast<std::uint32_t>(number(object, key));
}

std::optional<std::int32_t> id_of(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  if (!value.is_number_integer()) return {};
  using Limits = std::numeric_limits<std::int32_t>;
  if (value.is_number_unsigned()) {
    const auto id = value.get<std::uint64_t>();
    if (id > static_cast<std::uint64_t>(Limits::max())) return {};
    return static_cast<std::int32_t>(id);
  }
  const auto id = value.get<std::int64_t>();
  if (id < Limits::min()) return {};
  return static_cast<std::int32_t>(id);
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

}  // namespace radosload::ceph_json
