// Reads the JSON that Ceph's commands print, tolerantly: a missing key is allowed, because
// releases add and drop keys; a document of the wrong type is refused. Numbers that Ceph prints as
// strings (metadata, profiles) are read as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include <nlohmann/json.hpp>

namespace radosload::ceph_json {

using Json = nlohmann::json;

// `what` is the command, for the message.
Result<Json> parse_object(std::string_view what, const std::string& text);
Result<Json> parse_array(std::string_view what, const std::string& text);

// The member, of any type; null when it is missing.
const Json& member(const Json& object, std::string_view key);
// 0 when the member is not a number or is negative.
std::uint64_t number(const Json& object, std::string_view key);
std::uint32_t small_number(const Json& object, std::string_view key);
// The ID of an OSD or bucket (buckets count down from -1). Empty when the member is not a whole
// number or is too large for an ID.
std::optional<std::int32_t> id_of(const Json& object, std::string_view key);
std::string text(const Json& object, std::string_view key);
std::vector<std::string> texts(const Json& object, std::string_view key);

}  // namespace radosload::ceph_json
