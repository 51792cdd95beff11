#include "placement/pg_place.h"

#include "base/ceph_json.h"

namespace radosload::placement {

using ceph_json::Json;
using ceph_json::member;

namespace {

tl::unexpected<Error> senseless(const char* command) {
  return fail({.attempt = "read the answer to",
               .subject = command,
               .reason = "it has an unexpected form",
               .exit = Exit::no_cluster});
}

}  // namespace

Result<PgPlace> parse_osd_map(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto document, ceph_json::parse_object("osd map", json));
  const Json& epoch = member(document, "epoch");
  const Json& primary = member(document, "acting_primary");
  const Json& acting = member(document, "acting");
  if (!epoch.is_number_unsigned() || !primary.is_number_integer() || !acting.is_array()) {
    return senseless("'osd map'");
  }
  PgPlace place{.epoch = epoch.get<std::uint64_t>(), .primary = primary.get<std::int32_t>()};
  for (const Json& osd : acting) {
    if (!osd.is_number_integer()) return senseless("'osd map'");
    place.acting.push_back(osd.get<std::int32_t>());
  }
  return place;
}

Result<std::uint64_t> parse_epoch(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto document, ceph_json::parse_object("osd stat", json));
  const Json& epoch = member(document, "epoch");
  if (!epoch.is_number_unsigned()) return senseless("'osd stat'");
  return epoch.get<std::uint64_t>();
}

}  // namespace radosload::placement
