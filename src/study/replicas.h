// Finds the slow replica in the rows of an ordinary run: groups the writes by acting set and
// estimates the effect of each OSD. Pure except for replicas_of(), which reads the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "run/run.h"
#include "stats/slow_members.h"
#include "stats/tail.h"
#include "trace/trace_file.h"
#include "trace/trace_row.h"

namespace radosload::study {

// Whether a run of this pattern changes objects: reads are served by one OSD and show nothing of
// the replicas.
bool changes_objects(const Pattern& pattern);

// Checks before any load whether the acting sets of a pool allow a comparison of its OSDs: if all
// PGs use the same OSDs, no run can tell. The Error names the alternatives.
Status check_separable(const run::PgSets& sets);

// Rows that were not used, by the reason.
struct LeftOut {
  std::uint64_t moved = 0;       // their PG did not stay where it was
  std::uint64_t incomplete = 0;  // their acting set lacks an OSD
  std::uint64_t unknown = 0;     // their PG is unknown
};

struct Replicas {
  stats::Membership told;
  std::optional<stats::TailTime> p99;                       // of the writes that were used
  std::vector<std::optional<stats::TailTime>> p99_without;  // as told.members
  std::size_t pool_pgs = 0;                                 // whether written to or not
  std::size_t set_size = 0;                                 // OSDs of a complete set
  // Of the writes that were used: cancelled, timed out or never answered. They count with the time
  // they had waited, so effects and percentiles are at least as large as they are told.
  std::uint64_t lost = 0;
  LeftOut left_out;
};

// Takes the rows of a run, in any order.
class ReplicaRows {
 public:
  ReplicaRows(const run::PgSets& sets, Time measured);

  // The usable PGs, without their writes.
  const std::vector<stats::Group>& groups() const { return m_groups; }
  void add(std::span<const trace::TraceRow> rows);
  // Ends it.
  Result<Replicas> tell(const stats::MembershipRules& rules);

 private:
  // Whether and why a PG is used or left out.
  enum class Place : std::uint8_t { unknown, used, moved, incomplete };
  struct Home {
    Place place = Place::unknown;
    std::uint32_t group = 0;
  };

  void add_write(const trace::TraceRow& row);
  Home home_of(std::uint32_t pg) const {
    return pg < m_locations.size() ? m_locations[pg] : Home{};
  }
  std::vector<std::optional<stats::TailTime>> tails_without(const stats::Membership& told) const;

  Time m_measured;
  std::vector<Home> m_locations;  // by the PG's seed
  std::vector<stats::Group> m_groups;
  stats::Tail m_tail;
  Replicas m_result;
};

Result<Replicas> replicas_of(const trace::TraceFile& trace, const run::PgSets& sets, Time measured,
                             const stats::MembershipRules& rules);

// Adds the PGs that are elsewhere in `later`, a map from after the run, to those that moved.
void note_moved(const placement::PgMap& later, run::PgSets& sets);

}  // namespace radosload::study
