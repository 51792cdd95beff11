// The verification of reads, as JSON.
#include "record/codec.h"

#include <nlohmann/json.hpp>

namespace radosload::record::codec {

Json verification_json(const std::optional<Verification>& verification) {
  if (!verification) return {};
  return {{"blocks", verification->blocks},
          {"followed", verification->followed},
          {"given_up", verification->given_up},
          {"writes_acknowledged", verification->acknowledged},
          {"writes_read_back", verification->read_back}};
}

std::optional<Verification> verification_from(const Json& object) {
  // Older records have none.
  if (!object.contains("verification") || object.at("verification").is_null()) return std::nullopt;
  const Json& json = object.at("verification");
  return Verification{.blocks = count_at(json, "blocks"),
                      .followed = count_at(json, "followed"),
                      .given_up = count_at(json, "given_up"),
                      .acknowledged = count_at(json, "writes_acknowledged"),
                      .read_back = count_at(json, "writes_read_back")};
}

}  // namespace radosload::record::codec
