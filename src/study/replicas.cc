#include "study/replicas.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "record/cell.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

// A run is divided into this number of stretches to see whether an effect persists. More stretches
// would narrow the intervals little (Student's factor), and each should contain most groups.
constexpr std::size_t stretches = 20;

bool is_change(std::uint8_t op) {
  switch (static_cast<OpKind>(op)) {
    case OpKind::write:
    case OpKind::omap_set:
    case OpKind::create:
    case OpKind::remove:
      return true;
    default:
      return false;
  }
}

// Sent, and without an answer: an OSD on which writes time out must not look the better for it.
bool was_lost(const trace::TraceRow& row) {
  return trace::is_unanswered(row) || record::Lost::holds({.rc = row.rc, .bytes = 0});
}

bool has_hole(const placement::Pg& pg) {
  return std::find(pg.acting.begin(), pg.acting.end(), placement::no_shard) != pg.acting.end();
}

bool same_place(const placement::Pg& a, const placement::Pg& b) {
  return a.primary == b.primary &&
         std::equal(a.acting.begin(), a.acting.end(), b.acting.begin(), b.acting.end());
}

}  // namespace

bool changes_objects(const Pattern& pattern) {
  if (!pattern.metadata) return pattern.writes_data();
  return is_change(static_cast<std::uint8_t>(*pattern.metadata));
}

ReplicaRows::ReplicaRows(const run::PgSets& sets, Time measured) : m_measured(measured) {
  m_result.pool_pgs = sets.pgs.size();
  for (std::size_t i = 0; i < sets.pgs.size(); ++i) {
    m_result.set_size = std::max(m_result.set_size, sets.pgs.at(i).acting.size());
  }
  for (std::size_t i = 0; i < sets.pgs.size(); ++i) {
    const placement::Pg pg = sets.pgs.at(i);
    if (pg.seed >= m_locations.size()) m_locations.resize(pg.seed + 1);
    Home& home = m_locations[pg.seed];
    home.place = Place::used;
    if (sets.moved.contains(pg.seed)) {
      home.place = Place::moved;
    } else if (pg.acting.size() < m_result.set_size || has_hole(pg)) {
      home.place = Place::incomplete;
    }
    if (home.place != Place::used) continue;
    home.group = static_cast<std::uint32_t>(m_groups.size());
    m_groups.push_back({.members = {pg.acting.begin(), pg.acting.end()},
                        .stretches = std::vector<stats::Moments>(stretches)});
  }
}

Status check_separable(const run::PgSets& sets) {
  auto groups = ReplicaRows(sets, Time(0)).groups();
  for (stats::Group& group : groups) {
    for (stats::Moments& moments : group.stretches) moments.count = 1;
  }
  RADOSLOAD_ASSIGN(const auto told, stats::tell_members_apart(groups));
  for (const stats::Member& member : told.members) {
    if (member.told != stats::Verdict::inseparable) return {};
  }
  return fail({.attempt = "name the slow replica",
               .subject = "of pool " + sets.pool,
               .reason = "its OSDs always share the same acting sets, so the effect of a single "
                         "OSD on writes cannot be separated",
               .hint = "compare reads with 'radosload run --osd LIST --each', or writes in a pool "
                       "of size 1 or on more OSDs than replicas",
               .exit = Exit::refused});
}

void ReplicaRows::add(std::span<const trace::TraceRow> rows) {
  for (const trace::TraceRow& row : rows) {
    const bool counts = row.rc == 0 || was_lost(row);
    if (counts && is_change(row.op) && trace::is_measured(row)) add_write(row);
  }
}

void ReplicaRows::add_write(const trace::TraceRow& row) {
  const Home home = home_of(row.pg);
  switch (home.place) {
    case Place::unknown:
      ++m_result.left_out.unknown;
      return;
    case Place::moved:
      ++m_result.left_out.moved;
      return;
    case Place::incomplete:
      ++m_result.left_out.incomplete;
      return;
    case Place::used:
      break;
  }
  // Not the response time: waiting before submission is not caused by the OSDs.
  const std::int64_t latency = std::max<std::int64_t>(1, row.complete_ns - row.submit_ns);
  const double share = static_cast<double>(std::max<std::int64_t>(0, row.submit_ns)) /
                       static_cast<double>(std::max<std::int64_t>(1, m_measured.count()));
  const auto stretch = std::min(stretches - 1, static_cast<std::size_t>(share * stretches));
  stats::Moments& moments = m_groups[home.group].stretches[stretch];
  ++moments.count;
  moments.sum += std::log(static_cast<double>(latency));
  if (!was_lost(row)) return m_tail.add(home.group, Time(latency));
  m_tail.add_lost(home.group, Time(latency));
  ++m_result.lost;
}

// The pool's tail on the acting sets without any OSD of a member.
std::vector<std::optional<stats::TailTime>> ReplicaRows::tails_without(
    const stats::Membership& told) const {
  std::vector<std::optional<stats::TailTime>> tails;
  tails.reserve(told.members.size());
  for (const stats::Member& member : told.members) {
    std::vector<bool> marked(m_groups.size());
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
      const auto& osds = m_groups[i].members;
      marked[i] = std::find(osds.begin(), osds.end(), member.ids.front()) != osds.end();
    }
    tails.push_back(m_tail.p99_without(marked, told.operations - member.operations));
  }
  return tails;
}

Result<Replicas> ReplicaRows::tell(const stats::MembershipRules& rules) {
  RADOSLOAD_ASSIGN(auto told, stats::tell_members_apart(m_groups, rules));
  m_tail.sort();
  m_result.p99 = m_tail.p99();
  m_result.p99_without = tails_without(told);
  m_result.told = std::move(told);
  return std::move(m_result);
}

Result<Replicas> replicas_of(const trace::TraceFile& trace, const run::PgSets& sets, Time measured,
                             const stats::MembershipRules& rules) {
  ReplicaRows rows(sets, measured);
  const Status read = trace.each_piece(0, trace.rows(), [&rows](std::uint64_t, auto piece) {
    rows.add(piece);
    return true;
  });
  if (!read) return fail(read.error());
  return rows.tell(rules);
}

void note_moved(const placement::PgMap& later, run::PgSets& sets) {
  for (std::size_t i = 0; i < sets.pgs.size(); ++i) {
    const placement::Pg before = sets.pgs.at(i);
    const auto after = later.find(before.seed);
    if (!after || !same_place(before, *after)) sets.moved.insert(before.seed);
  }
}

}  // namespace radosload::study
