// A cluster without daemons. What its mons, mgr and OSDs answer follows from its state, which a
// test changes while a run asks. It has two pools with the same number of PGs: `pool`, which tests
// load, and `other_pool`.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "radosload/admin_connection.h"
#include "radosload/units.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

class SimulatedCluster {
 public:
  struct Shape {
    std::int32_t osds = 4;
    std::uint32_t replicas = 2;
    std::uint32_t pgs = 8;  // of each pool
  };
  static constexpr std::int64_t pool = 2;
  static constexpr std::int64_t other_pool = 3;
  static constexpr const char* pool_name = "data";
  static constexpr const char* other_pool_name = "other";

  SimulatedCluster() : SimulatedCluster(Shape()) {}
  explicit SimulatedCluster(Shape shape);

  // To be asked by any thread. The cluster must outlive it.
  std::unique_ptr<AdminConnection> connect();
  // How often something was asked, by the first words of the command: "osd dump".
  int asked(const std::string& prefix) const;
  // The OSDs that hold a PG now, its primary first.
  std::vector<std::int32_t> acting(std::uint32_t pg) const;
  bool has_pool() const;

  // The osdmap. A PG whose OSD is down is served by its other OSDs.
  void osd_goes_down(std::int32_t osd);
  void osd_comes_back(std::int32_t osd);  // the same process
  void osd_restarts(std::int32_t osd);    // another process, up at once
  void pg_moves(std::int64_t of_pool, std::uint32_t pg, std::vector<std::int32_t> to);
  // The map says so; it is served by the OSDs of before.
  void pg_is_mapped(std::uint32_t pg, std::vector<std::int32_t> to);
  void pool_splits(std::uint32_t pgs);
  void pool_is_deleted();
  void pool_is_full();  // by its quota, with the health check of that
  void map_changes();   // in nothing that matters
  void osd_is_weighted(std::int32_t osd, double weight);
  void pool_option_is(std::int64_t of_pool, const std::string& name, const std::string& value);

  // What a PG does beside serving clients, as in "active+clean+scrubbing"; empty: nothing.
  void pg_is(std::int64_t of_pool, std::uint32_t pg, const std::string& state);
  // By the wall clock of now. `took`: as in seconds, for releases that tell.
  void pg_was_scrubbed(std::int64_t of_pool, std::uint32_t pg, std::optional<double> took);
  // As `ceph config set` does: "osd/osd_max_scrubs".
  void setting_is(const std::string& path, const std::string& value);
  void health_says(const std::string& code, const std::string& summary,
                   const std::string& severity = "HEALTH_WARN", std::uint64_t count = 1,
                   const std::string& detail = {});
  void health_check_is_over(const std::string& code);
  void mons_elect();
  void mon_leaves(const std::string& name);
  void balancer_moves_pgs();
  // Operations of other clients.
  void pool_serves(std::int64_t of_pool, std::uint64_t operations, std::uint64_t kb_each = 4);

  // From now on the daemon answers with an errno, for example ETIMEDOUT or EACCES; 0: it answers.
  void mons_answer_with(int errnum);
  void mgr_answers_with(int errnum);
  void osd_answers_with(std::int32_t osd, int errnum);

  // What the OSDs count.
  void osd_serves(std::int32_t osd, std::uint64_t operations = 1);
  void osd_compacts(std::int32_t osd);
  void osd_counters_are_reset(std::int32_t osd);

 private:
  using Json = nlohmann::json;
  class Connection;
  struct Osd {
    bool up = true;
    std::uint64_t up_from = 5;
    std::uint64_t nonce = 1;
    int errnum = 0;
    std::uint64_t operations = 100'000;  // of others, before
    std::uint64_t compactions = 0;
    double weight = 1;
  };
  struct Pg {
    std::vector<std::int32_t> home;  // its OSDs when all are up
    std::string busy = {};
    std::vector<std::int32_t> crush = {};   // by CRUSH alone
    std::vector<std::int32_t> mapped = {};  // where the map says; differs from `crush`: an upmap
    std::string scrubbed = "2026-11-01T00:00:00.000000+0000";
    std::optional<double> scrub_took = {};
  };
  using Pgs = std::map<std::uint32_t, Pg>;

  // Keeps the osdmap as it is; call it before a change.
  void next_epoch();
  void change_osd(std::int32_t osd, bool up, bool other_process);
  std::vector<std::int32_t> acting(const Pg& pg) const;
  std::string state_of(const Pg& pg) const;
  Json mon_answer(const Json& command) const;
  Json mgr_answer(const Json& command) const;
  Json osd_answer(const Osd& osd, const Json& command) const;
  Json status() const;
  Json health() const;
  Json osd_dump() const;
  Json osd_map(const Json& command) const;
  Json osd_tree() const;
  Json osd_metadata() const;
  // `of_osd`: those that it holds; negative: any.
  Json pool_stats() const;
  Json listed_pgs(std::int64_t of_pool, bool busy_only, std::int32_t of_osd = -1) const;

  Shape m_shape;
  mutable std::mutex m_mutex;  // guards all below
  std::map<std::string, int> m_asked;
  std::uint64_t m_epoch = 10;
  std::map<std::uint64_t, Json> m_past_maps;
  std::map<std::int64_t, Json> m_options;  // of pools
  struct Served {
    std::uint64_t operations = 1'000'000;  // before
    std::uint64_t kb = 4'000'000;
  };
  std::map<std::int64_t, Served> m_served = {{pool, {}}, {other_pool, {}}};
  Json m_config_log = Json::array({{{"version", 1}, {"changes", Json::array()}}});
  std::map<std::int32_t, Osd> m_osds;
  std::map<std::int64_t, Pgs> m_pools;
  std::map<std::string, Json> m_checks;  // by code
  std::vector<std::string> m_quorum = {"a", "b", "c"};
  std::uint64_t m_elections = 3;
  std::uint64_t m_balancer_turns = 0;
  bool m_pool_full = false;
  int m_mons_errnum = 0;
  int m_mgr_errnum = 0;
};

}  // namespace radosload::test
