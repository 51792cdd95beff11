// The keys in the schema of a run's record, as paths: KIND, OSD and ERROR represent any name of
// these in a record, N a number, and * any word. Tests use them to check that a record has every
// key.
#pragma once

#include <cctype>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/places.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

using nlohmann::json;

class SchemaKeys {
 public:
  // Keys with a value; an object that has keys is not listed itself.
  static std::set<std::string> of_a_run() {
    SchemaKeys keys;
    const json root = file("run.json");
    keys.expand(root, root, "");
    return keys.m_found;
  }

  // Whether a path of a record is this path of the schema, or lies below it.
  static bool covers(const std::string& of_schema, const std::string& of_record) {
    const auto schema = parts(of_schema);
    const auto record = parts(of_record);
    if (record.size() < schema.size()) return false;
    for (std::size_t i = 0; i < schema.size(); ++i) {
      const bool any = schema[i] == "*" || (schema[i] == "N" && is_number(record[i]));
      if (!any && schema[i] != record[i]) return false;
    }
    return true;
  }

 private:
  static json file(const std::string& name) {
    std::ifstream in(in_source("schema/" + name));
    return json::parse(in);
  }
  static std::vector<std::string> parts(const std::string& path) {
    std::vector<std::string> all;
    for (const char letter : path) {
      if (letter == '/') all.emplace_back();
      if (letter != '/') all.back() += letter;
    }
    return all;
  }
  static bool is_number(const std::string& word) {
    return word == "N" || (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0);
  }
  static std::string name_of(const std::string& pattern) {
    if (pattern.starts_with("^osd")) return "OSD";
    return pattern.starts_with("^(read|") ? "KIND" : "*";
  }

  void expand(const json& root, const json& node, const std::string& path) {
    if (node.contains("$ref")) {
      const std::string where = node["$ref"];
      const json other = where.starts_with('#') ? json() : file(where.substr(0, where.find('#')));
      const json& in = other.is_null() ? root : other;
      const auto pointer = where.find('#');
      expand(
          in,
          pointer == std::string::npos ? in : in.at(json::json_pointer(where.substr(pointer + 1))),
          path);
      return;
    }
    bool has_parts = false;
    const auto below = [&](const json& part, const std::string& name) {
      has_parts = true;
      expand(root, part, name.empty() ? path : path + "/" + name);
    };
    const json choices = node.value("anyOf", json::array());
    for (const json& choice : choices) {
      if (choice.value("type", json()) != "null") below(choice, "");
    }
    const json properties = node.value("properties", json::object());
    for (const auto& [name, part] : properties.items()) {
      // In a record, "all" is one of the kinds of operations.
      below(part, name == "all" ? "KIND" : name);
    }
    const json patterns = node.value("patternProperties", json::object());
    for (const auto& [pattern, part] : patterns.items()) below(part, name_of(pattern));
    if (node.value("additionalProperties", json()).is_object()) {
      below(node["additionalProperties"], "*");
    }
    if (node.contains("items") && node["items"].is_object()) below(node["items"], "N");
    if (!has_parts) m_found.insert(path);
  }

  std::set<std::string> m_found;
};

}  // namespace radosload::test
