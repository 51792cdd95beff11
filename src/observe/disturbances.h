// What disturbed a measurement: rules over the answers of a cluster, in the order of time. Pure;
// the room `watch` asks, and decides what a missing answer means.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/op.h"
#include "radosload/result.h"
#include "radosload/units.h"

#include "observe/cluster_status.h"
#include "placement/osd_map.h"

namespace radosload::observe {

// From harmless to worst.
enum class Harm : std::uint8_t { noted, contaminated, void_run };

struct Disturbance {
  Harm harm = Harm::noted;
  std::string kind = {};      // one word: "scrub", "restart", "mon"
  std::string what = {};      // "PG 2.1f was deep-scrubbed (osd.1)"
  std::string pg = {};        // "2.1f"; empty: it is about none
  std::int32_t osd = no_osd;  // no_osd: about none
  Time from{0};               // when it was first and last seen
  Time to{0};
  bool operator==(const Disturbance&) const = default;
};

// What is measured. Other PGs and OSDs are not looked at.
struct Measured {
  std::int64_t pool = -1;
  std::set<std::uint32_t> pgs = {};    // of the pool, by their seeds
  std::set<std::int32_t> osds = {};    // that serve these PGs, replicas as well
  std::set<std::int32_t> pinned = {};  // those that the figures are about; empty: the whole pool
  // Pools of which all PGs count, because it is unknown which PGs the run uses: those of a file
  // system, with the file system whose MDSs count.
  std::set<std::int64_t> whole_pools = {};
  std::int64_t file_system = -1;
  // That of the headers of images, whose data is elsewhere; -1: there is none.
  std::int64_t header_pool = -1;
  // There is no run, only `osds` whose counters are watched: what disturbs them counts in every
  // pool, and no single event makes the figures of all OSDs void.
  bool counters_only = false;

  // OSDs that any PG disturbs, of the pool or not.
  const std::set<std::int32_t>& chosen() const { return counters_only ? osds : pinned; }
};

// A PG that does something besides serving clients.
struct BusyPg {
  std::int64_t pool = -1;
  std::uint32_t seed = 0;
  std::string state = {};  // "active+clean+scrubbing+deep"
  std::int32_t primary = no_osd;
  std::vector<std::int32_t> acting = {};
};

// When a PG was last scrubbed, by the clock of its OSD, and how long that took.
struct ScrubbedPg {
  std::int64_t pool = -1;
  std::uint32_t seed = 0;
  std::int32_t primary = no_osd;
  std::vector<std::int32_t> acting = {};
  std::string scrubbed = {};       // as Ceph prints it
  std::string deep_scrubbed = {};  // the same
  std::optional<Time> took = {};   // the last scrub of either kind; empty: older releases
};

// A change of the settings that the mons keep, as `ceph config set` makes it.
struct SettingChange {
  std::uint64_t version = 0;
  std::string section = {};  // "osd", "osd.3", "osd/class:hdd"
  std::string name = {};
  std::string before = {};  // empty: it was not set
  std::string after = {};
};

struct Balancer {
  bool active = false;
  std::string last_start = {};  // of its last attempt to find a better distribution
  bool has_plan = false;        // and whether it found one
};

// `pg ls`, of which only the PGs with such a state are kept.
Result<std::vector<BusyPg>> parse_busy_pgs(const std::string& json);
// `balancer status`
Result<Balancer> parse_balancer_turn(const std::string& json);
// `pg ls`, of all its PGs.
Result<std::vector<ScrubbedPg>> parse_scrubbed_pgs(const std::string& json);
// `config log`: the newest first.
Result<std::vector<SettingChange>> parse_config_log(const std::string& json);

// Whether a PG in this state does work that competes with the load.
bool is_busy(std::string_view pg_state);
// How many PGs of the cluster are in such a state.
std::uint64_t busy_pgs(const ClusterStatus& status);
// The command that lists them: of one pool, or of all when `pool` is negative.
std::string busy_pgs_command(std::int64_t pool);
// The commands that list the PGs that matter, busy or not. None: there are too many.
std::vector<std::string> all_pgs_commands(const Measured& measured);
// The last `count` changes of settings.
std::string config_log_command(std::uint64_t count);

class Disturbances {
 public:
  explicit Disturbances(Measured measured) : m_measured(std::move(measured)) {}

  // What was known before stays the state from which a change is a change.
  void forget();
  // Each takes an answer, and when its question was asked; in the order of time.
  void add(const ClusterStatus& status, Time at);
  void add(const placement::OsdMap& map, Time at);
  void add(const std::vector<BusyPg>& pgs, Time at);
  void add(const Balancer& balancer, Time at);
  void add(const std::vector<SettingChange>& changes, Time at);
  // The maps between the last one and `last`, which is added next: what changed for a moment.
  void add_between(const std::vector<placement::OsdMap>& maps, const placement::OsdMap& last,
                   Time at);

  // The span of a measurement, with the wall clock of its begin.
  struct Span {
    Time from{0};
    Time to{0};
    Time wall{0};  // since 1970
  };
  // Scrubs that no look has shown, by the stamps before and after. They contaminate together from
  // 1 % of the span on, and where it is unknown how long they took.
  void compare_scrubs(const std::vector<ScrubbedPg>& before, const std::vector<ScrubbedPg>& after,
                      const Span& span);

  // Those of these PGs of the run's pool.
  void forget_moves(const std::set<std::uint32_t>& pgs);

  // What other rooms report.
  void add(Disturbance found) { note(std::move(found)); }

  // Those that were first seen since the last call.
  std::vector<Disturbance> take_new();
  // The names of the pools, by the last map.
  std::map<std::int64_t, std::string> pools() const;
  // All, as they were found.
  const std::vector<Disturbance>& all() const { return m_found; }

 private:
  // `found.from` is both ends. One that is known is prolonged; of what is only noted, the first
  // text of its kind is kept (the number of slow operations changes all the time).
  void note(Disturbance found);
  void compare_mons(const ClusterStatus& status, Time at);
  void compare_checks(const ClusterStatus& status, Time at);
  void compare_osd(std::int32_t osd, const placement::OsdMap& map, Time at);
  void compare_mds(const ClusterStatus& status, Time at);
  void compare_pool(std::int64_t pool, const placement::OsdMap& map, Time at);
  void compare_pg_num(const placement::Pool& now, Time at);
  void compare_all_pools(const placement::OsdMap& map, Time at);
  void compare_settings(const placement::Pool& before, const placement::Pool& now, Time at);
  // Whether its operations are the run's: the pool's, or those of any pool on a watched OSD.
  bool concerns_pool(std::int64_t pool) const;
  bool concerns(std::int64_t pool, std::uint32_t seed,
                const std::vector<std::int32_t>& acting) const;
  bool concerns(const SettingChange& change) const;
  void compare_places(const placement::OsdMap& before, const placement::OsdMap& now, Time at);

  Measured m_measured;
  std::vector<Disturbance> m_found;
  std::size_t m_taken = 0;
  std::optional<ClusterStatus> m_status;  // the last answers
  std::optional<placement::OsdMap> m_map;
  std::optional<Balancer> m_balancer;
  std::optional<std::uint64_t> m_settings;  // the version of the last change that is known
};

// "2.1f"
std::string pg_name(std::int64_t pool, std::uint32_t seed);

}  // namespace radosload::observe
