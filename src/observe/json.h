// Reading the JSON of Ceph's commands leniently: releases add and drop keys, so a key that is not
// there is not an error, but a document that is no JSON object is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "observe/health.h"

#include <nlohmann/json.hpp>

namespace radosload::observe {

using Json = nlohmann::json;

// `what` is the command, for the message.
Result<Json> parse_object(std::string_view what, const std::string& text);

// The member, whatever type it should have had; null when it is missing.
const Json& member(const Json& object, std::string_view key);
// 0 when it is no number; negative numbers are 0 as well.
std::uint64_t number(const Json& object, std::string_view key);
std::uint32_t small_number(const Json& object, std::string_view key);
std::string text(const Json& object, std::string_view key);
std::vector<std::string> texts(const Json& object, std::string_view key);

// What `health detail` says, and the member "health" of `status`.
Health health_from(const Json& health);

}  // namespace radosload::observe
