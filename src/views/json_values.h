// Values that may be unknown, as JSON: null then.
#pragma once

#include <optional>
#include <string>

#include "radosload/units.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

template <typename Value>
nlohmann::ordered_json or_null(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

inline nlohmann::ordered_json or_null(Bytes bytes) {
  return bytes.count == 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(bytes.count);
}

}  // namespace radosload::views
