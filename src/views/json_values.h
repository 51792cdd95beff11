// What all JSON of this room has in common: values that are not known are null, and how a document
// is organised.
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

inline nlohmann::ordered_json micros_or_null(const std::optional<Time>& time) {
  constexpr double ns_in_us = 1000;
  return time ? nlohmann::ordered_json(static_cast<double>(time->count()) / ns_in_us)
              : nlohmann::ordered_json(nullptr);
}

// The document, indented, with a newline at the end. Text that is not UTF-8, as a cluster may send
// it, is replaced.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace radosload::views
