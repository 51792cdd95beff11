#include "base/ceph_json.h"

#include <limits>
#include <utility>

#include "radosload/units.h"

#include "base/json_reading.h"

#include <fmt/format.h>

namespace radosload::ceph_json {

namespace {

tl::unexpected<Error> unreadable(std::string_view what, std::string reason) {
  return fail({.attempt = fmt::format("read the answer to '{}'", what),
               .reason = std::move(reason),
               .exit = Exit::no_cluster});
}

Result<Json> parse(std::string_view what, std::string_view text, Json::value_t type) {
  auto parsed = read_json(text);
  if (!parsed) return unreadable(what, parsed.error().reason);
  if (parsed->type() == type) return parsed;
  return unreadable(what, fmt::format("it is not a JSON {}", Json(type).type_name()));
}

}  // namespace

Result<Json> parse_object(std::string_view what, const std::string& text) {
  return parse(what, text, Json::value_t::object);
}

Result<Json> parse_array(std::string_view what, const std::string& text) {
  return parse(what, text, Json::value_t::array);
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
