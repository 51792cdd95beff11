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
  // There is no run, only `osds` whose counters are watched: what disturbs them counts in every
  // pool, and no single event makes the figures of all OSDs void.
  bool counters_only = false;
};

// A PG that does something besides serving clients.
struct BusyPg {
  std::int64_t pool = -1;
  std::uint32_t seed = 0;
  std::string state = {};  // "active+clean+scrubbing+deep"
  std::int32_t primary = no_osd;
  std::vector<std::int32_t> acting = {};
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

// Whether a PG in this state does work that competes with the load.
bool is_busy(std::string_view pg_state);
// How many PGs of the cluster are in such a state.
std::uint64_t busy_pgs(const ClusterStatus& status);
// The command that lists them: of one pool, or of all when `pool` is negative.
std::string busy_pgs_command(std::int64_t pool);

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

  // What other rooms report.
  void add(Disturbance found) { note(std::move(found)); }

  // Those that were first seen since the last call.
  std::vector<Disturbance> take_new();
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
  bool concerns(const BusyPg& pg) const;

  Measured m_measured;
  std::vector<Disturbance> m_found;
  std::size_t m_taken = 0;
  std::optional<ClusterStatus> m_status;  // the last answers
  std::optional<placement::OsdMap> m_map;
  std::optional<Balancer> m_balancer;
};

// "2.1f"
std::string pg_name(std::int64_t pool, std::uint32_t seed);

}  // namespace radosload::observe
