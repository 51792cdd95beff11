// What the daemons of a simulated cluster answer, as Ceph's JSON. Keys that radosload does not read
// are left out.
#include <algorithm>
#include <string_view>
#include <utility>

#include "placement/object_hash.h"
#include "support/simulated_cluster.h"

#include <fmt/format.h>

namespace radosload::test {

namespace {

using Json = nlohmann::json;

std::string pg_name(std::int64_t pool, std::uint32_t pg) {
  return fmt::format("{}.{:x}", pool, pg);
}

bool does_more_than_serve(std::string_view state) {
  for (const char* const work :
       {"scrubbing", "recovering", "backfilling", "snaptrim", "degraded"}) {
    if (state.find(work) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::string SimulatedCluster::state_of(const Pg& pg) const {
  if (!pg.busy.empty()) return pg.busy;
  const std::size_t osds = acting(pg).size();
  if (osds == pg.home.size()) return "active+clean";
  return osds == 0 ? "stale+active+clean" : "active+undersized+degraded";
}

Json SimulatedCluster::mon_answer(const Json& command) const {
  const std::string prefix = command["prefix"];
  if (prefix == "status") return status();
  if (prefix == "health") return health();
  if (prefix == "osd dump") {
    const auto past = m_past_maps.find(command.value("epoch", m_epoch));
    return past == m_past_maps.end() ? osd_dump() : past->second;
  }
  if (prefix == "config log") {
    Json newest = Json::array();
    for (const Json& entry : m_config_log) {
      if (newest.size() < command.value("num", std::size_t{10})) newest.push_back(entry);
    }
    return newest;
  }
  if (prefix == "osd stat") return {{"epoch", m_epoch}};
  if (prefix == "osd map") return osd_map(command);
  if (prefix == "osd tree") return osd_tree();
  if (prefix == "osd metadata") return osd_metadata();
  if (prefix == "config dump") return Json::array();
  if (prefix == "versions") return {{"overall", Json::object()}};
  if (prefix == "df") return {{"pools", Json::array()}};
  return nullptr;
}

Json SimulatedCluster::mgr_answer(const Json& command) const {
  const std::string prefix = command["prefix"];
  if (prefix == "balancer status") {
    Json plans = Json::array();
    if (m_balancer_turns > 0) plans.push_back("auto");
    return {{"active", true},
            {"last_optimize_started", fmt::format("turn {}", m_balancer_turns)},
            {"plans", plans}};
  }
  if (prefix == "pg ls") {
    return listed_pgs(command.value("pool", std::int64_t{-1}), command.contains("states"));
  }
  if (prefix == "pg ls-by-osd") {
    return listed_pgs(-1, false, std::stoi(command["osd"].get<std::string>()));
  }
  if (prefix == "pg dump" && command["dumpcontents"][0] == "pools") return pool_stats();
  if (prefix == "pg dump") return listed_pgs(-1, false);
  if (prefix == "osd df") return {{"nodes", Json::array()}};
  return nullptr;
}

Json SimulatedCluster::osd_answer(const Osd& osd, const Json& command) const {
  const std::string prefix = command["prefix"];
  if (prefix == "perf dump") {
    return {{"osd", {{"op", osd.operations}, {"op_r", osd.operations}}},
            {"rocksdb", {{"compact", osd.compactions}}}};
  }
  if (prefix.starts_with("dump_")) return {{"ops", Json::array()}};
  return nullptr;
}

Json SimulatedCluster::health() const {
  bool error = false;
  for (const auto& [code, check] : m_checks) error |= check["severity"] == "HEALTH_ERR";
  const char* const bad = error ? "HEALTH_ERR" : "HEALTH_WARN";
  return {{"status", m_checks.empty() ? "HEALTH_OK" : bad}, {"checks", m_checks}};
}

Json SimulatedCluster::status() const {
  std::map<std::string, std::uint32_t> counts;
  for (const auto& [id, pgs] : m_pools) {
    for (const auto& [seed, pg] : pgs) ++counts[state_of(pg)];
  }
  Json states = Json::array();
  for (const auto& [state, count] : counts) {
    states.push_back({{"state_name", state}, {"count", count}});
  }
  return {{"health", health()},
          {"quorum_names", m_quorum},
          {"election_epoch", m_elections},
          {"mgrmap", {{"available", m_mgr_errnum == 0}}},
          {"osdmap", {{"epoch", m_epoch}, {"num_osds", m_osds.size()}}},
          {"pgmap", {{"pgs_by_state", states}}}};
}

Json SimulatedCluster::osd_dump() const {
  Json osds = Json::array();
  for (const auto& [id, osd] : m_osds) {
    osds.push_back({{"osd", id},
                    {"up", osd.up ? 1 : 0},
                    {"in", 1},
                    {"weight", osd.weight},
                    {"primary_affinity", 1},
                    {"up_from", osd.up_from},
                    {"public_addrs", {{"addrvec", {{{"nonce", osd.nonce}}}}}}});
  }
  Json pools = Json::array();
  for (const auto& [id, pgs] : m_pools) {
    pools.push_back({{"pool", id},
                     {"pool_name", id == pool ? pool_name : other_pool_name},
                     {"flags_names", id == pool && m_pool_full ? "hashpspool,full_quota" : ""},
                     {"size", m_shape.replicas},
                     {"options", m_options.contains(id) ? m_options.at(id) : Json::object()},
                     {"pg_num", pgs.size()},
                     {"pg_num_target", pgs.size()}});
  }
  Json upmaps = Json::array();
  for (const auto& [id, pgs] : m_pools) {
    for (const auto& [seed, pg] : pgs) {
      if (pg.mapped == pg.crush) continue;
      upmaps.push_back({{"pgid", pg_name(id, seed)}, {"osds", pg.mapped}});
    }
  }
  return {{"epoch", m_epoch}, {"osds", osds}, {"pools", pools}, {"pg_upmap", upmaps}};
}

Json SimulatedCluster::osd_map(const Json& command) const {
  const bool ours = command["pool"] == pool_name;
  const auto pgs = m_pools.find(ours ? pool : other_pool);
  if (pgs == m_pools.end()) return nullptr;
  placement::ObjectHash hash(command["nspace"].get<std::string>(),
                             static_cast<std::uint32_t>(pgs->second.size()));
  const auto osds = acting(pgs->second.at(hash(command["object"].get<std::string>())));
  return {
      {"epoch", m_epoch}, {"acting", osds}, {"acting_primary", osds.empty() ? -1 : osds.front()}};
}

Json SimulatedCluster::osd_tree() const {
  Json nodes = Json::array();
  for (const auto& [id, osd] : m_osds) {
    nodes.push_back({{"id", id},
                     {"type", "osd"},
                     {"name", fmt::format("osd.{}", id)},
                     {"status", osd.up ? "up" : "down"},
                     {"reweight", 1}});
  }
  return {{"nodes", nodes}, {"stray", Json::array()}};
}

Json SimulatedCluster::osd_metadata() const {
  Json all = Json::array();
  for (const auto& [id, osd] : m_osds) {
    all.push_back({{"id", id},
                   {"osd_objectstore", "bluestore"},
                   {"bluefs", "1"},
                   {"bluefs_dedicated_db", "0"},
                   {"bluefs_dedicated_wal", "0"}});
  }
  return all;
}

Json SimulatedCluster::pool_stats() const {
  Json pools = Json::array();
  for (const auto& [id, served] : m_served) {
    pools.push_back({{"poolid", id},
                     {"stat_sum",
                      {{"num_read", served.operations / 2},
                       {"num_read_kb", served.kb / 2},
                       {"num_write", served.operations - served.operations / 2},
                       {"num_write_kb", served.kb - served.kb / 2}}}});
  }
  return {{"pool_stats", pools}};
}

Json SimulatedCluster::listed_pgs(std::int64_t of_pool, bool busy_only, std::int32_t of_osd) const {
  Json listed = Json::array();
  for (const auto& [id, pgs] : m_pools) {
    if (of_pool >= 0 && id != of_pool) continue;
    for (const auto& [seed, pg] : pgs) {
      const std::string state = state_of(pg);
      if (busy_only && !does_more_than_serve(state)) continue;
      // The mgr keeps the last word of OSDs that are gone.
      const auto now = acting(pg);
      const auto& osds = now.empty() ? pg.home : now;
      if (of_osd >= 0 && std::find(osds.begin(), osds.end(), of_osd) == osds.end()) continue;
      Json& entry = listed.emplace_back(Json{{"pgid", pg_name(id, seed)},
                                             {"state", state},
                                             {"last_scrub_stamp", pg.scrubbed},
                                             {"acting", osds},
                                             {"acting_primary", osds.empty() ? -1 : osds.front()}});
      if (pg.scrub_took) entry["scrub_duration"] = *pg.scrub_took;
    }
  }
  return {{"pg_stats", listed}};
}

}  // namespace radosload::test
