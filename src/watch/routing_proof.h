// Shows where the operations of a run went, by samples of the clients' operations in flight and by
// the OSDs' counters. Never ends a run, and delays it by seconds at most.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "radosload/object_placement.h"
#include "radosload/target.h"

#include "engine/engine.h"
#include "prepare/cluster_session.h"
#include "prepare/object_naming.h"
#include "record/routing.h"
#include "watch/counter_watch.h"
#include "watch/route_sampler.h"

namespace radosload::watch {

class RoutingProof {
 public:
  // `locations`: null when the places of the objects are unknown.
  RoutingProof(const prepare::ClusterSession& session, const prepare::ObjectNaming& names,
               const std::shared_ptr<const ObjectPlacement>& locations);

  // Call before the first operation; reads the counters.
  void begin();
  // For the thread that ticks; these never wait.
  void enter(Phase phase, Time now);
  void poll(Time now);
  // Call after the last answer. `measured`: the operations per OSD of the measured phase.
  record::Routing finish(const engine::EngineEnd& end, const std::vector<record::Cell>& measured,
                         const std::set<std::uint32_t>& moved);

 private:
  std::string m_unsampled;
  std::string m_uncounted;
  std::optional<RouteSampler> m_sampler;
  std::optional<CounterWatch> m_counters;
  bool m_measuring = false;
};

}  // namespace radosload::watch
