#include "placement/pg_place.h"

#include <nlohmann/json.hpp>

namespace radosload::placement {

namespace {

using Json = nlohmann::json;

tl::unexpected<Error> senseless(const char* command) {
  return fail({.attempt = "read the answer to",
               .subject = command,
               .reason = "it makes no sense",
               .exit = Exit::no_cluster});
}

}  // namespace

Result<PgPlace> parse_osd_map(const std::string& json) {
  const Json document = Json::parse(json, nullptr, false);
  if (!document.is_object()) return senseless("'osd map'");
  const auto epoch = document.find("epoch");
  const auto primary = document.find("acting_primary");
  const auto acting = document.find("acting");
  if (epoch == document.end() || !epoch->is_number_unsigned() || primary == document.end() ||
      !primary->is_number_integer() || acting == document.end() || !acting->is_array()) {
    return senseless("'osd map'");
  }
  PgPlace place{.epoch = epoch->get<std::uint64_t>(), .primary = primary->get<std::int32_t>()};
  for (const Json& osd : *acting) {
    if (!osd.is_number_integer()) return senseless("'osd map'");
    place.acting.push_back(osd.get<std::int32_t>());
  }
  return place;
}

Result<std::uint64_t> parse_epoch(const std::string& json) {
  const Json document = Json::parse(json, nullptr, false);
  if (!document.is_object()) return senseless("'osd stat'");
  const auto epoch = document.find("epoch");
  if (epoch == document.end() || !epoch->is_number_unsigned()) return senseless("'osd stat'");
  return epoch->get<std::uint64_t>();
}

}  // namespace radosload::placement
