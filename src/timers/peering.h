// How long the PGs of an OSD are without it when it restarts: from the order to stop until every PG
// is active again. "up" alone is not the end, and the map of before the order says "up" as well.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "footprint/osd_flags.h"
#include "observe/osd_timing.h"
#include "timers/row.h"
#include "timers/world.h"

namespace radosload::timers {

// Follows one OSD and its PGs from the order to stop on. Pure. `since`: from that order; `wall`:
// the time of day.
class PeeringWatch {
 public:
  using Pgs = std::vector<observe::PgTiming>;
  PeeringWatch(const observe::OsdLife& before, const Pgs& pgs);

  void see(const observe::OsdLife& now, Time since, Time wall);
  // The mgr's statistics are those of before for a while: only PGs whose primary knows the map in
  // which the OSD came up count.
  void see(const Pgs& now, Time since, Time wall);

  bool is_up() const { return m_times.up.has_value(); }
  bool is_clean() const { return m_times.clean.has_value(); }
  const PeeringTimes& times() const { return m_times; }
  std::uint64_t active() const;

 private:
  struct One {
    std::optional<Time> active = {};
    std::optional<Time> clean = {};
  };
  // When something happened: by Ceph's stamp, unless that cannot be right; then when it was seen.
  Time happened(std::optional<Time> stamp, Time since, Time wall);

  std::uint64_t m_old_up_from;
  std::uint64_t m_up_from = 0;
  Time m_up_wall{0};
  std::map<std::string, One> m_pgs;
  PeeringTimes m_times;
};

struct PeeringWish {
  std::string restart = {};  // a shell command with {osd}; empty: the mons mark the OSD down
  Time limit = std::chrono::minutes(10);
  footprint::FlagNote note = {};
};
// Sets noout for the OSD before, and unsets it in every ending.
Row time_peering(const World& world, std::int32_t osd, const PeeringWish& wish);

// Every {osd} replaced by the number.
std::string restart_command(const std::string& given, std::int32_t osd);

}  // namespace radosload::timers
