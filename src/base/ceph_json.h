// Reading the JSON of Ceph's commands leniently: releases add and drop keys, so a key that is not
// there is not an error, but a document of another shape than the command has is. Where Ceph prints
// numbers as strings (metadata, profiles) they are numbers all the same.
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

// The member, whatever type it should have had; null when it is missing.
const Json& member(const Json& object, std::string_view key);
// 0 when it is no number; negative numbers are 0 as well.
std::uint64_t number(const Json& object, std::string_view key);
std::uint32_t small_number(const Json& object, std::string_view key);
// The id of an OSD or bucket: buckets count down from -1. Nothing when it is no whole number or too
// large for one.
std::optional<std::int32_t> id_of(const Json& object, std::string_view key);
std::string text(const Json& object, std::string_view key);
std::vector<std::string> texts(const Json& object, std::string_view key);

}  // namespace radosload::ceph_json
