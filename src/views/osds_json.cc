#include "views/json_values.h"
#include "views/osds_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using Json = nlohmann::ordered_json;
using placement::Confounder;
using placement::KindMatch;
using placement::Osd;
using placement::OsdDrive;
using placement::OsdPair;

Json drive_json(const OsdDrive& drive) {
  return {{"devices", or_null(drive.names)},
          {"model", or_null(drive.model)},
          {"rotational", or_null(drive.rotational)},
          {"size_bytes", or_null(drive.size)},
          {"shared_by_osds", drive.shared_by == 0 ? Json(nullptr) : Json(drive.shared_by)}};
}

Json osd_json(const Osd& osd) {
  const bool apart =
      osd.kind != placement::OsdKind::plain && osd.kind != placement::OsdKind::unknown;
  const bool known = osd.kind != placement::OsdKind::unknown;
  return {{"id", osd.id},
          {"up", osd.up},
          {"in", osd.in},
          {"kind", known ? Json(placement::kind_name(osd.kind)) : Json(nullptr)},
          {"class", or_null(osd.device_class)},
          {"host", or_null(osd.host())},
          {"hostname", or_null(osd.hostname)},
          {"location", osd.location},
          {"data", drive_json(osd.data)},
          {"fast", apart ? drive_json(osd.fast) : Json(nullptr)},
          {"min_alloc_size_bytes", or_null(osd.allocation)},
          {"version", or_null(osd.version)},
          {"made_by_version", or_null(osd.made_by)},
          {"cpu", or_null(osd.cpu)},
          {"kernel", or_null(osd.kernel)},
          {"memory_bytes", or_null(osd.memory)},
          {"fill", or_null(osd.fill)},
          {"pgs", or_null(osd.pgs)},
          {"primaries", or_null(osd.primaries)},
          {"mclock_capacity_iops", or_null(osd.mclock_iops)},
          {"settings", osd.settings},
          {"complaints", osd.complaints}};
}

const char* gravity_name(Confounder::Gravity gravity) {
  switch (gravity) {
    case Confounder::Gravity::unknown:
      return "unknown";
    case Confounder::Gravity::bends:
      return "bends";
    case Confounder::Gravity::unfair:
      return "unfair";
  }
  return "";
}

Json pair_json(const OsdPair& pair) {
  Json json = {{"osds", Json::array({pair.a, pair.b})}, {"burden", placement::burden(pair.found)}};
  json["confounders"] = Json::array();
  for (const Confounder& one : pair.found) {
    json["confounders"].push_back({{"what", one.what},
                                   {"values", Json::array({or_null(one.a), or_null(one.b)})},
                                   {"gravity", gravity_name(one.gravity)}});
  }
  return json;
}

Json match_json(const KindMatch& match) {
  Json json;
  json["kinds"] = Json::array({placement::kind_name(match.a), placement::kind_name(match.b)});
  json["class"] = or_null(match.device_class);
  json["osds"] = Json::array({Json(match.of_a), Json(match.of_b)});
  json["pairs"] = Json::array();
  for (const OsdPair& pair : match.pairs) json["pairs"].push_back(pair_json(pair));
  json["nearest"] = match.nearest ? pair_json(*match.nearest) : Json(nullptr);
  json["obstacles"] = match.obstacles;
  json["scope"] = placement::scope_text(match.pairs.size());
  return json;
}

}  // namespace

std::string osds_json(const placement::OsdInventory& inventory, const Matches& matches) {
  Json json = {{"schema", "radosload.osds/1"}};
  json["osds"] = Json::array();
  for (const Osd& osd : inventory.osds) json["osds"].push_back(osd_json(osd));
  json["unseen"] = inventory.unseen;
  json["matches"] = nullptr;
  if (matches) {
    json["matches"] = Json::array();
    for (const KindMatch& match : *matches) json["matches"].push_back(match_json(match));
  }
  return json_text(json);
}

}  // namespace radosload::views
