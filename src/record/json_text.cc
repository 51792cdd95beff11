#include "record/json_text.h"

#include <utility>

#include "base/json_reading.h"

#include <nlohmann/json.hpp>

namespace radosload::record {

namespace {
// Null when there is nothing at that path.
nlohmann::json value_at(const std::string& text, std::string_view path) {
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  const nlohmann::json::json_pointer pointer("/" + std::string(path));
  return document.contains(pointer) ? document.at(pointer) : nlohmann::json();
}

std::string leaf_text(const nlohmann::json& leaf) {
  if (leaf.is_null()) return {};
  return leaf.is_string() ? leaf.get<std::string>() : leaf.dump();
}
}  // namespace

Result<JsonText> JsonText::parse(std::string_view text) {
  auto document = read_json(text);
  if (!document) {
    document.error().subject = std::string(text.substr(0, 40));
    return tl::make_unexpected(std::move(document).error());
  }
  JsonText result;
  result.m_text = document->dump();
  return result;
}

std::string JsonText::text_at(std::string_view path) const {
  return leaf_text(value_at(m_text, path));
}

std::optional<double> JsonText::number_at(std::string_view path) const {
  const nlohmann::json value = value_at(m_text, path);
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

std::map<std::string, std::string> JsonText::leaves() const {
  std::map<std::string, std::string> result;
  const nlohmann::json flat = nlohmann::json::parse(m_text, nullptr, false).flatten();
  for (const auto& [path, leaf] : flat.items()) {
    result[path.empty() ? path : path.substr(1)] = leaf_text(leaf);
  }
  return result;
}

}  // namespace radosload::record
