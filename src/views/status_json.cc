#include "views/json_values.h"
#include "views/status_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using Json = nlohmann::ordered_json;

Json optional_bytes(const std::optional<Bytes>& bytes) {
  return bytes ? Json(bytes->count) : Json(nullptr);
}

Json pool_json(const placement::Pool& pool) {
  Json json = {{"id", pool.id},
               {"name", pool.name},
               {"type", pool.erasure ? "erasure" : "replicated"},
               {"size", pool.size},
               {"min_size", pool.min_size},
               {"overwrites", pool.overwrites},
               {"pg_num", pool.pg_num},
               {"pg_num_target", pool.pg_num_target},
               {"autoscale", pool.autoscale},
               {"crush_rule", pool.crush_rule},
               {"full", pool.full},
               {"quota_bytes", pool.quota_bytes.count},
               {"quota_objects", pool.quota_objects},
               {"stored_bytes", optional_bytes(pool.stored)},
               {"max_avail_bytes", optional_bytes(pool.max_avail)}};
  if (pool.erasure) {
    json["k"] = pool.k;
    json["m"] = pool.m;
  }
  return json;
}

}  // namespace

std::string status_json(const observe::ClusterStatus& status) {
  Json json = {{"schema", "radosload.status/1"}, {"fsid", status.fsid}, {"health", status.health}};
  json["checks"] = Json::array();
  for (const auto& check : status.checks) {
    json["checks"].push_back({{"code", check.code},
                              {"severity", check.severity},
                              {"summary", check.summary},
                              {"muted", check.muted}});
  }
  json["versions"] = status.versions;
  json["quorum"] = status.quorum;
  json["mons"] = status.mons;
  json["mgr_available"] = status.mgr_available;
  json["osds"] = {{"total", status.osds}, {"up", status.osds_up}, {"in", status.osds_in}};
  json["osdmap_epoch"] = status.osdmap_epoch;
  json["flags"] = status.osdmap.flags;
  json["pg_states"] = status.pg_states;
  json["bytes_total"] = status.total.count;
  json["bytes_available"] = status.available.count;
  json["client_ops_per_second"] = status.client_ops_per_second;
  json["balancer_active"] = status.balancer_active ? Json(*status.balancer_active) : Json(nullptr);
  json["pools"] = Json::array();
  for (const auto& pool : status.osdmap.pools) json["pools"].push_back(pool_json(pool));
  json["distortions"] = Json::array();
  for (const auto& distortion : observe::distortions(status)) {
    json["distortions"].push_back({{"what", distortion.what}, {"advice", distortion.advice}});
  }
  json["unseen"] = status.unseen;
  return json_text(json);
}

}  // namespace radosload::views
