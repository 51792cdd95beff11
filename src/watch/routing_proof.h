// The proof of where the operations of a run went: samples of the clients' operations in flight,
// and the OSDs' own counters. Neither may ever end a run, or delay one for more than seconds.
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
  // `locations`: none when it is unknown where the objects lie.
  RoutingProof(const prepare::ClusterSession& session, const prepare::ObjectNaming& names,
               const std::shared_ptr<const ObjectPlacement>& locations);

  // Before the first operation; asks for counters.
  void begin();
  // From the thread that ticks; never wait.
  void enter(Phase phase, Time now);
  void poll(Time now);
  // After the last answer. `measured`: what each OSD answered in the measured phase.
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
