// A cluster for tests of scratch pools that obeys their commands, keeps what they make, and can be
// told to refuse the one or the other.
#pragma once

#include <cerrno>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"

#include "footprint/scratch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::footprint::testing {

using nlohmann::json;

class ScratchCluster final : public AdminCommands {
 public:
  ScratchCluster() {
    add_rule("replicated_rule", "default");
    add_pool("hdd", "replicated_rule", 3, 8);
  }

  std::map<std::string, std::string> settings = {{"mon_allow_pool_size_one", "true"},
                                                 {"mon_allow_pool_delete", "true"},
                                                 {"mon_max_pg_per_osd", "250"}};
  std::map<std::string, std::string> database = {};  // where it differs from them
  std::string oldest_client = "luminous";
  bool mgr_away = false;
  bool pgs_stay = false;                   // nothing that upmaps say is done
  std::map<std::string, int> errors = {};  // by prefix: the errno
  std::function<void(const std::string& prefix)> before = [](const std::string&) {};
  std::vector<std::string> told = {};  // the prefixes of what changes something
  std::uint32_t size_made = 1;         // of pools that are made

  void add_rule(const std::string& name, const std::string& take) {
    m_rules.push_back({{"rule_id", m_next_rule++},
                       {"rule_name", name},
                       {"steps", json::array({{{"op", "take"}, {"item_name", take}}})}});
  }
  void add_pool(const std::string& name, const std::string& rule, std::uint32_t size,
                std::uint32_t pg_num) {
    m_pools.push_back({{"pool", m_next_pool++},
                       {"pool_name", name},
                       {"size", size},
                       {"pg_num", pg_num},
                       {"crush_rule", rule_id(rule)},
                       {"application_metadata", json::object()}});
  }
  void mark(const std::string& name, const json& metadata) {
    (*pool(name))["application_metadata"] = metadata;
  }
  void mark(const std::string& name, const ScratchMark& mark) {
    this->mark(name, {{"radosload", {{"scratch", encode_mark(mark)}}}});
  }
  void resize(const std::string& name, std::uint32_t size) { (*pool(name))["size"] = size; }
  void drop_pool(const std::string& name) { drop(m_pools, "pool_name", name); }
  bool has_pool(const std::string& name) { return pool(name) != nullptr; }
  bool has_rule(const std::string& name) const { return rule_id(name) >= 0; }
  const json& pools() const { return m_pools; }
  const json& rules() const { return m_rules; }
  void rename_pool(const std::string& from, const std::string& to) {
    (*pool(from))["pool_name"] = to;
  }
  // Ceph refuses a name that is taken.
  int rename_rule(const std::string& from, const std::string& to) {
    if (rule_id(to) >= 0) return change_failed = EEXIST;
    for (json& rule : m_rules) {
      if (rule["rule_name"] == from) rule["rule_name"] = to;
    }
    return 0;
  }
  // In the names and metadata of all pools and rules.
  void replace_text(const std::string& from, const std::string& to) {
    for (json* const all : {&m_pools, &m_rules}) {
      std::string text = all->dump();
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
      }
      *all = json::parse(text);
    }
  }
  std::string applications_of(const std::string& name) {
    return (*pool(name))["application_metadata"].dump();
  }
  // What there is, but for numbers: "hdd replicated_rule".
  std::string contents() const {
    std::string text;
    for (const json& pool : m_pools) text += pool["pool_name"].get<std::string>() + " ";
    for (const json& rule : m_rules) text += rule["rule_name"].get<std::string>() + " ";
    for (const auto& [pg, osd] : m_upmaps) text += fmt::format("{}:{} ", pg, osd);
    if (!text.empty()) text.pop_back();
    return text;
  }
  std::set<std::string> weightless() const { return m_weightless; }

  Result<std::string> mon(const std::string& command) override {
    const json asked = json::parse(command);
    const std::string prefix = asked["prefix"];
    before(prefix);
    if (const auto found = errors.find(prefix); found != errors.end()) return no(found->second);
    if (prefix == "osd dump") return dump();
    if (prefix == "osd crush rule dump") return m_rules.dump();
    if (prefix == "quorum_status") return std::string(R"({"quorum_leader_name":"a"})");
    if (prefix == "config get") {
      const auto stored = database.find(asked["key"]);
      return stored == database.end() ? settings[asked["key"]] : stored->second;
    }
    told.push_back(prefix);
    return change(prefix, asked) == 0 ? Result<std::string>("") : no(change_failed);
  }
  Result<std::string> mgr(const std::string& command) override {
    if (mgr_away) return no(ETIMEDOUT);
    const json asked = json::parse(command);
    if (asked["prefix"] == "config show") return settings[asked["key"]] + "\n";
    return pgs_brief();
  }
  Result<std::string> osd(int, const std::string&) override { return no(EACCES); }

 private:
  static Result<std::string> no(int errnum) {
    return fail({.attempt = "get it from",
                 .subject = "the mons",
                 .reason = "so it is",
                 .errnum = errnum,
                 .exit = Exit::no_cluster});
  }
  int rule_id(const std::string& name) const {
    for (const json& rule : m_rules) {
      if (rule["rule_name"] == name) return rule["rule_id"];
    }
    return -1;
  }
  json* pool(const std::string& name) {
    for (json& pool : m_pools) {
      if (pool["pool_name"] == name) return &pool;
    }
    return nullptr;
  }
  int change(const std::string& prefix, const json& asked) {
    if (prefix == "osd crush rule create-replicated") {
      // As Ceph does: one that is there already is no error.
      if (rule_id(asked["name"]) < 0) add_rule(asked["name"], asked["root"]);
    } else if (prefix == "osd crush rule rm") {
      const int id = rule_id(asked["name"]);
      for (const json& pool : m_pools) {
        if (pool["crush_rule"] == id) return change_failed = EBUSY;
      }
      drop(m_rules, "rule_name", asked["name"]);
    } else if (prefix == "osd pool create") {
      // As Ceph does: one that is there already is no error.
      if (pool(asked["pool"]) == nullptr) {
        add_pool(asked["pool"], asked["rule"], size_made, asked["pg_num"]);
      }
    } else if (prefix == "osd pool delete") {
      if (settings["mon_allow_pool_delete"] != "true") return change_failed = EPERM;
      if (pool(asked["pool"]) == nullptr) return 0;  // Ceph agrees
      const std::string lead = fmt::format("{}.", (*pool(asked["pool"]))["pool"].get<int>());
      std::erase_if(m_upmaps, [&](const auto& one) { return one.first.starts_with(lead); });
      drop(m_pools, "pool_name", asked["pool"]);
    } else if (prefix == "osd pool rename") {
      if (pool(asked["destpool"]) != nullptr) return change_failed = EEXIST;
      if (pool(asked["srcpool"]) == nullptr) return change_failed = ENOENT;
      (*pool(asked["srcpool"]))["pool_name"] = asked["destpool"];
    } else if (prefix == "osd crush rule rename") {
      return rename_rule(asked["srcname"], asked["dstname"]);
    } else if (prefix == "osd crush weight-set reweight") {
      m_weightless.insert(asked["item"]);
    } else if (prefix == "osd pg-upmap") {
      m_upmaps[asked["pgid"]] = asked["id"][0];
    } else {
      return change_pool(prefix, asked);
    }
    return 0;
  }
  int change_pool(const std::string& prefix, const json& asked) {
    json* const found = pool(asked["pool"]);
    if (found == nullptr) return change_failed = ENOENT;
    json& metadata = (*found)["application_metadata"];
    if (prefix == "osd pool set") (*found)["size"] = 1;
    if (prefix == "osd pool application enable") metadata["radosload"] = json::object();
    if (prefix == "osd pool application set") metadata["radosload"][asked["key"]] = asked["value"];
    return 0;
  }
  static void drop(json& list, const char* key, const json& value) {
    json kept = json::array();
    for (const json& one : list) {
      if (one[key] != value) kept.push_back(one);
    }
    list = kept;
  }
  std::string dump() const {
    json upmaps = json::array();
    for (const auto& [pg, osd] : m_upmaps) {
      upmaps.push_back({{"pgid", pg}, {"osds", json::array({osd})}});
    }
    return json{{"pools", m_pools},
                {"pg_upmap", upmaps},
                {"pg_upmap_items", json::array()},
                {"require_min_compat_client", oldest_client}}
        .dump();
  }
  std::string pgs_brief() const {
    json pgs = json::array();
    for (const json& pool : m_pools) {
      for (std::uint32_t seed = 0; seed < pool["pg_num"].get<std::uint32_t>(); ++seed) {
        const std::string id = fmt::format("{}.{:x}", pool["pool"].get<int>(), seed);
        const auto upmap = m_upmaps.find(id);
        const int osd = upmap == m_upmaps.end() || pgs_stay ? 9 : upmap->second;
        pgs.push_back({{"pgid", id},
                       {"state", "active+clean"},
                       {"acting", json::array({osd})},
                       {"acting_primary", osd}});
      }
    }
    return json{{"pg_stats", pgs}}.dump();
  }

  json m_pools = json::array();
  json m_rules = json::array();
  std::map<std::string, int> m_upmaps;
  std::set<std::string> m_weightless;
  int m_next_pool = 1;
  int m_next_rule = 0;
  int change_failed = 0;
};

}  // namespace radosload::footprint::testing
