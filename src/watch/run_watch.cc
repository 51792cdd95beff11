#include "watch/run_watch.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "observe/space.h"
#include "placement/pg_map.h"
#include "watch/counted_osds.h"
#include "watch/one_at_a_time.h"
#include "watch/route_tally.h"
#include "watch/window_signs.h"

namespace radosload::watch {

namespace {

// The time limit for a request; after it the run reports that the cluster does not answer.
constexpr Time patience = std::chrono::seconds(5);

// The time limit for an OSD to report its counters.
constexpr Time osd_patience = std::chrono::seconds(3);

// Null without an observer, or when the places of the objects are unknown.
std::unique_ptr<CounterWindow> counters_of(const prepare::ClusterSession& session,
                                           const std::shared_ptr<ObjectPlacement>& locations,
                                           Time planned) {
  if (!session.observer || !locations) return nullptr;
  auto leading = session.pinned.empty() ? leading_osds(*locations) : session.pinned;
  const std::size_t most = std::max(CounterWindow::most_osds, session.pinned.size());
  return std::make_unique<CounterWindow>(
      session.observer->within(osd_patience),
      counted_osds(std::move(leading), *locations, session.space.pgs, most), planned);
}

// An object in each PG of the run.
GuardedPgs guarded_pgs(const prepare::ClusterSession& session, const prepare::ObjectNaming& names,
                       const ObjectPlacement& locations) {
  GuardedPgs guarded{.pool = session.space.pool.name,
                     .pool_id = session.space.pool.id,
                     .nspace = names.nspace,
                     .object_in = {},
                     .pinned = !session.pinned.empty()};
  const auto pgs = locations.pgs();
  for (std::size_t i = 0; i < pgs.size(); ++i) {
    if (guarded.object_in.contains(pgs[i])) continue;
    guarded.object_in[pgs[i]] = names.name_of(locations.number(i));
  }
  return guarded;
}

std::optional<MapGuard> map_guard(const prepare::ClusterSession& session,
                                  const std::shared_ptr<AdminCommands>& commands,
                                  const prepare::ObjectNaming& names,
                                  const std::shared_ptr<ObjectPlacement>& locations) {
  if (!locations) return std::nullopt;
  return std::optional<MapGuard>(std::in_place, commands, guarded_pgs(session, names, *locations),
                                 locations);
}

observe::Work done_in(const std::vector<record::Cell>& cells) {
  observe::Work done;
  for (const record::Cell& cell : cells) {
    done.ops += static_cast<double>(cell.finished.ops);
    done.bytes += static_cast<double>(cell.finished.bytes);
  }
  return done;
}

}  // namespace

void add_to(record::Grade& grade, record::Grade more) {
  grade.value = std::max(grade.value, more.value);
  std::move(more.reasons.begin(), more.reasons.end(), std::back_inserter(grade.reasons));
}

RunWatch::RunWatch(const prepare::ClusterSession& session, const prepare::ObjectNaming& names,
                   std::shared_ptr<ObjectPlacement> locations)
    : m_session(session),
      m_names(names),
      m_locations(std::move(locations)),
      m_commands(std::make_shared<OneAtATime>(session.admin->within(patience))),
      m_map(map_guard(session, m_commands, names, m_locations)),
      m_health(m_commands, observe::HealthWatch(session.status.checks, session.space.pool.name),
               [this] {
                 if (m_map) m_map->ask();
               }) {}

observe::Measured RunWatch::measured() {
  observe::Measured uses{.pool = m_session.space.pool.id,
                         .pinned = {m_session.pinned.begin(), m_session.pinned.end()}};
  if (auto lane = m_session.lanes.front(); lane.connection) {
    uses.header_pool = lane.pool.get_id();
  }
  if (m_session.file_system) {
    add_file_system(*m_session.file_system, uses);
    return uses;
  }
  if (!m_locations) {
    m_unwatched.emplace_back("it is unknown which PGs the run used");
    return uses;
  }
  const auto pgs = m_locations->pgs();
  uses.pgs.insert(pgs.begin(), pgs.end());
  uses.osds = uses.pinned;
  for (const std::uint32_t seed : uses.pgs) {
    const auto pg = m_session.space.pgs.find(seed);
    if (!pg) {
      m_unwatched.emplace_back("it is unknown which OSDs hold the PGs of the run");
      break;
    }
    uses.osds.insert(pg->acting.begin(), pg->acting.end());
  }
  uses.osds.erase(placement::no_shard);
  return uses;
}

void RunWatch::add_file_system(const observe::FileSystem& system, observe::Measured& uses) {
  uses.file_system = system.id;
  uses.whole_pools = {uses.pool, system.metadata_pool};
  // The session has those of the data.
  const auto of_metadata = observe::fetch_pgs(*m_commands, system.metadata_pool);
  if (!of_metadata) {
    m_unwatched.push_back("it is unknown which OSDs hold the file system: " +
                          one_line(of_metadata.error()));
    return;
  }
  for (const placement::PgMap* const pgs : {&m_session.space.pgs, &*of_metadata}) {
    if (pgs->empty()) m_unwatched.emplace_back("it is unknown which OSDs hold the PGs of the run");
    for (std::size_t i = 0; i < pgs->size(); ++i) {
      const auto& acting = pgs->at(i).acting;
      uses.osds.insert(acting.begin(), acting.end());
    }
  }
  uses.osds.erase(placement::no_shard);
}

void RunWatch::begin(Time planned, bool single) {
  m_proof.emplace(m_session, m_names, m_locations);
  m_proof->begin();
  m_counters = counters_of(m_session, m_locations, planned);
  if (m_counters) m_counters->begin();
  m_client.emplace(meter_clients(m_session));
  if (single) m_slow_ops = find_slow_ops(m_session, m_names, m_locations);
  m_disturbed.emplace(m_commands, measured());
  m_disturbed->begin();
}

void RunWatch::enter(Phase phase, Time now) {
  if (m_proof) m_proof->enter(phase, now);
  if (m_counters) m_counters->enter(phase, now);
  if (m_client) m_client->enter(phase);
  if (m_slow_ops) m_slow_ops->enter(phase, now);
  if (m_disturbed && phase == Phase::measure) m_disturbed->open(now);
}

void RunWatch::on_interval(const record::Interval& interval) {
  if (m_counters) m_counters->on_interval(interval);
}

observe::HealthWatch::Finding RunWatch::poll(Time now, Time oldest) {
  auto finding = m_health.poll(now);
  const auto tell = [&](std::vector<std::string> texts) {
    std::move(texts.begin(), texts.end(), std::back_inserter(finding.changes));
  };
  if (m_map) tell(m_map->poll());
  if (m_proof) m_proof->poll(now);
  if (m_counters) m_counters->poll(now);
  if (m_slow_ops) m_slow_ops->poll(now, oldest);
  if (m_disturbed) tell(m_disturbed->poll(now));
  return finding;
}

bool RunWatch::waiting() {
  return m_health.waiting() || (m_counters && m_counters->waiting()) ||
         (m_slow_ops && m_slow_ops->waiting()) || (m_disturbed && m_disturbed->waiting());
}

RunWatch::Findings RunWatch::finish(const engine::EngineEnd& end,
                                    const std::vector<record::Cell>& measured,
                                    std::vector<record::SlowOp>& slowest) {
  Findings findings;
  if (m_client) findings.client = m_client->finish();
  finish_map(findings);
  if (m_counters) findings.counters = m_counters->finish();
  if (m_disturbed) {
    for (const auto& signs : {compactions_in, resets_in, others_in}) {
      for (auto& one : signs(findings.counters, end.measure_start)) {
        m_disturbed->add(std::move(one));
      }
    }
    const Time measured_until = end.measure_start + end.measured;
    m_disturbed->known_moves(moved());
    add_to(findings.grade, m_disturbed->finish(measured_until, m_unwatched, done_in(measured)));
  }
  if (m_proof) {
    findings.routing = m_proof->finish(end, measured, moved());
    add_to(findings.grade, grade_of(findings.routing, !m_session.pinned.empty()));
  }
  if (m_slow_ops) findings.slow_search = m_slow_ops->finish(slowest);
  return findings;
}

void RunWatch::finish_map(Findings& findings) {
  if (!m_map) return;
  // Finds the moves since the map was last checked.
  m_map->ask_rest();
  if (auto left = m_map->unwatched(); !left.empty()) {
    findings.warnings.push_back(left);
    m_unwatched.push_back(std::move(left));
  }
  findings.changes = m_map->poll();
  findings.grade = m_map->grade();
}

std::set<std::uint32_t> RunWatch::moved() const {
  return m_map ? m_map->moved() : std::set<std::uint32_t>();
}

}  // namespace radosload::watch
