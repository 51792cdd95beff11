#include "placement/osd_settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/ceph_json.h"
#include "placement/osd_inventory.h"

#include <fmt/format.h>

namespace radosload::placement {

namespace {

using ceph_json::text;

// What every OSD has of its own without being another kind of OSD for it.
constexpr std::array<std::string_view, 8> who_and_where = {
    "container_image", "crush_location", "public_addr", "cluster_addr",
    "public_network",  "host",           "log_file",    "osd_crush_initial_weight"};

bool part_fits(std::string_view part, const Osd& osd) {
  const std::size_t colon = part.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string type(part.substr(0, colon));
  const std::string_view name = part.substr(colon + 1);
  if (type == "class") return osd.device_class == name;
  const auto found = osd.location.find(type);
  return found != osd.location.end() && found->second == name;
}

bool mask_fits(std::string_view mask, const Osd& osd) {
  while (!mask.empty()) {
    const std::size_t slash = std::min(mask.find('/'), mask.size());
    if (!part_fits(mask.substr(0, slash), osd)) return false;
    mask.remove_prefix(std::min(slash + 1, mask.size()));
  }
  return true;
}

// What one section has for the OSD; of two options of a name that with a mask, else the later one.
std::map<std::string, const ConfigOption*> options_for(const Osd& osd,
                                                       const std::vector<ConfigOption>& section) {
  std::map<std::string, const ConfigOption*> found;
  for (const ConfigOption& option : section) {
    if (!mask_fits(option.mask, osd)) continue;
    if (std::find(who_and_where.begin(), who_and_where.end(), option.name) != who_and_where.end())
      continue;
    const ConfigOption*& known = found[option.name];
    if (known != nullptr && !known->mask.empty() && option.mask.empty()) continue;
    known = &option;
  }
  return found;
}

}  // namespace

Result<ConfigOptions> parse_config_dump(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto parsed, ceph_json::parse_array("config dump", json));
  ConfigOptions options;
  for (const auto& listed : parsed) {
    options[text(listed, "section")].push_back({.mask = text(listed, "mask"),
                                                .name = text(listed, "name"),
                                                .value = text(listed, "value")});
  }
  return options;
}

std::map<std::string, std::string> settings_of(const Osd& osd, const ConfigOptions& options) {
  std::map<std::string, std::string> settings;
  // The narrower ones last, so that they win.
  for (const std::string& section :
       {std::string("global"), std::string("osd"), fmt::format("osd.{}", osd.id)}) {
    const auto found = options.find(section);
    if (found == options.end()) continue;
    for (const auto& [name, option] : options_for(osd, found->second)) {
      settings[name] = option->value;
    }
  }
  return settings;
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || value <= 0) return {};
  return value;
}

}  // namespace radosload::placement
