#include "watch/routing_proof.h"

#include <algorithm>
#include <string>

#include "watch/counted_osds.h"
#include "watch/route_tally.h"

namespace radosload::watch {

namespace {

constexpr const char* no_locations = "it is unknown which OSD serves which operation";

// The time limit for an OSD to report its counters.
constexpr Time observer_patience = std::chrono::seconds(3);

// The OSDs that the run is meant to load.
std::vector<std::int32_t> osds_of(const prepare::ClusterSession& session,
                                  const ObjectPlacement& locations) {
  if (!session.pinned.empty()) return session.pinned;
  auto first = leading_osds(locations);
  first.resize(std::min(first.size(), CounterWatch::most_osds));
  return first;
}

}  // namespace

RoutingProof::RoutingProof(const prepare::ClusterSession& session,
                           const prepare::ObjectNaming& names,
                           const std::shared_ptr<const ObjectPlacement>& locations)
    : m_unsampled(locations ? session.unsampled : no_locations) {
  if (locations && session.sockets) {
    m_sampler.emplace(session.client_sockets, names, locations, session.pinned,
                      session.space.pool.pg_num);
  }
  if (!session.observer) return;
  if (!locations) {
    m_uncounted = no_locations;
    return;
  }
  m_counters.emplace(session.observer->within(observer_patience), osds_of(session, *locations));
}

void RoutingProof::begin() {
  if (m_counters) m_counters->begin();
}

void RoutingProof::enter(Phase phase, Time now) {
  m_measuring = phase == Phase::measure;
  poll(now);
}

void RoutingProof::poll(Time now) {
  if (m_measuring && m_sampler) m_sampler->poll(now);
}

record::Routing RoutingProof::finish(const engine::EngineEnd& end,
                                     const std::vector<record::Cell>& measured,
                                     const std::set<std::uint32_t>& moved) {
  record::Routing routing;
  routing.unsampled = m_unsampled;
  routing.uncounted = m_uncounted;
  add_sent(routing, measured, end.unmeasured);
  if (m_sampler) m_sampler->finish(routing, moved);
  if (m_counters) m_counters->finish(routing);
  return routing;
}

}  // namespace radosload::watch
