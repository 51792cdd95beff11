#include "cluster/command_text.h"

#include "base/json_reading.h"

#include <fmt/format.h>

namespace radosload::cluster {

std::string command_name(const std::string& command) {
  const auto json = read_json(command);
  if (!json || !json->is_object()) return command;
  const auto prefix = json->find("prefix");
  return prefix == json->end() || !prefix->is_string() ? command : prefix->get<std::string>();
}

std::string command_text(const std::string& command) {
  const auto json = read_ordered_json(command);
  if (!json || !json->is_object()) return command;
  std::string text = command_name(command);
  for (const auto& [key, value] : json->items()) {
    if (key == "prefix" || key == "format") continue;
    text += fmt::format(" {}={}", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

}  // namespace radosload::cluster
