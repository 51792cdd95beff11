#include "record/json_text.h"

#include <utility>

#include "base/json_reading.h"

#include <nlohmann/json.hpp>

namespace radosload::record {

using Json = nlohmann::json;

namespace {
// Null when there is nothing at that path.
Json value_at(const std::string& text, std::string_view path) {
  const Json document = Json::parse(text, nullptr, false);
  const Json::json_pointer pointer("/" + std::string(path));
  return document.contains(pointer) ? document.at(pointer) : Json();
}

std::string leaf_text(const Json& leaf) {
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
  const Json value = value_at(m_text, path);
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

std::map<std::string, std::string> JsonText::leaves() const {
  std::map<std::string, std::string> result;
  const Json flat = Json::parse(m_text, nullptr, false).flatten();
  for (const auto& [path, leaf] : flat.items()) {
    result[path.empty() ? path : path.substr(1)] = leaf_text(leaf);
  }
  return result;
}

}  // namespace radosload::record
