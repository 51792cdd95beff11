// Pools and CRUSH rules of others in a cluster in memory: as they were when they came, and that
// they still are.
#pragma once

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "scratch_support.h"

namespace radosload::footprint::testing {

class TheirPools {
 public:
  explicit TheirPools(ScratchCluster& cluster) : m_cluster(cluster) {}

  void note_all() {
    for (const json& pool : m_cluster.pools()) note_pool(pool);
    for (const json& rule : m_cluster.rules()) note_rule(rule);
  }
  // They are theirs from now on, as they are.
  void note_pool(const json& pool) { m_pools[pool["pool"]] = pool; }
  void note_rule(const json& rule) { m_rules[rule["rule_id"]] = rule; }
  bool has_pool(const json& pool) const { return m_pools.contains(pool["pool"]); }
  bool has_rule(const json& rule) const { return m_rules.contains(rule["rule_id"]); }

  void add_rule(const std::string& name) {
    m_cluster.add_rule(name, "default");
    note_rule(m_cluster.rules().back());
  }
  // `number`: chooses its rule, which may be one of ours.
  void add_pool(const std::string& name, std::uint32_t size, std::size_t number) {
    const json& rules = m_cluster.rules();
    const std::string rule = rules[number % rules.size()]["rule_name"];
    m_cluster.add_pool(name, rule, size, 16);
    note_pool(m_cluster.pools().back());
  }
  // One of ours, by hand. What is left of a rule with its name shows no more whose it is.
  void drop_pool_of_ours(const json& pool) {
    const int used = pool["crush_rule"];
    for (const json& rule : m_cluster.rules()) {
      const bool orphan = rule["rule_id"] == used;
      if (orphan && !is_ours_alone(rule["rule_name"].get<std::string>())) note_rule(rule);
    }
    m_cluster.drop_pool(std::string(pool["pool_name"]));
  }
  // One of our rules gets another name, and one of theirs its name.
  void replace_rule(const std::string& new_name) {
    for (const json& rule : m_cluster.rules()) {
      const std::string name = rule["rule_name"];
      const bool known = name.starts_with(scratch_prefix) && !is_ours_alone(name);
      if (!known || has_rule(rule)) continue;
      json taken = rule;
      taken["rule_name"] = new_name;
      m_cluster.rename_rule(name, new_name);
      note_rule(taken);
      return add_rule(name);
    }
  }

  // But for the name that one gets for a moment, and keeps until the next removal when this one is
  // killed just then.
  void expect_unchanged() const {
    std::map<int, json> pools;
    for (const json& pool : m_cluster.pools()) pools[pool["pool"]] = pool;
    expect_same(m_pools, pools, "pool_name");
    std::map<int, json> rules;
    for (const json& rule : m_cluster.rules()) rules[rule["rule_id"]] = rule;
    expect_same(m_rules, rules, "rule_name");
  }
  // They have their names, unless somebody else has taken one meanwhile; and there are no others.
  void expect_nothing_else() {
    std::set<int> rules_in_use;
    for (const json& pool : m_cluster.pools()) {
      rules_in_use.insert(pool["crush_rule"].get<int>());
      ASSERT_TRUE(has_pool(pool)) << pool << " is left";
      const std::string name = m_pools[pool["pool"]]["pool_name"];
      EXPECT_TRUE(pool["pool_name"] == name || m_cluster.has_pool(name)) << pool;
    }
    for (const json& rule : m_cluster.rules()) {
      EXPECT_TRUE(has_rule(rule) || rules_in_use.contains(rule["rule_id"])) << rule << " is left";
      if (!has_rule(rule)) continue;
      const std::string name = m_rules[rule["rule_id"]]["rule_name"];
      EXPECT_TRUE(rule["rule_name"] == name || m_cluster.has_rule(name)) << rule;
    }
  }

 private:
  static void expect_same(const std::map<int, json>& theirs, const std::map<int, json>& now,
                          const char* name) {
    for (const auto& [id, was] : theirs) {
      const auto found = now.find(id);
      ASSERT_NE(found, now.end()) << was << " of others is gone";
      json is = found->second;
      if (lasting_name(is[name].get<std::string>()) == was[name].get<std::string>())
        is[name] = was[name];
      EXPECT_EQ(is, was);
    }
  }

  ScratchCluster& m_cluster;
  std::map<int, json> m_pools;
  std::map<int, json> m_rules;
};

}  // namespace radosload::footprint::testing
