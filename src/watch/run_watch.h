// Everything that is asked of a cluster while a run goes on, for its prefill and its measured pass:
// health, the map, where operations went, what the OSDs count, what disturbed it. Questions are
// asked on threads of their own, so that no call from the ticking thread waits.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/object_placement.h"
#include "radosload/target.h"

#include "engine/engine.h"
#include "observe/health.h"
#include "prepare/cluster_session.h"
#include "prepare/object_naming.h"
#include "record/client_load.h"
#include "record/interval.h"
#include "record/osd_window.h"
#include "record/routing.h"
#include "record/run_record.h"
#include "record/slow_op.h"
#include "watch/client_meter.h"
#include "watch/cluster_watch.h"
#include "watch/counter_window.h"
#include "watch/health_guard.h"
#include "watch/map_guard.h"
#include "watch/routing_proof.h"
#include "watch/slow_op_finder.h"

namespace radosload::watch {

class RunWatch {
 public:
  // What is known after the last answer.
  struct Findings {
    std::vector<std::string> changes = {};   // of the cluster, since the last look
    std::vector<std::string> warnings = {};  // what could not be checked
    record::Grade grade = {};
    record::Routing routing = {};
    std::vector<record::OsdWindow> counters = {};
    std::optional<record::SlowSearch> slow_search = {};  // none: no OSD was asked for them
    record::ClientLoad client = {};
  };

  // The session and the names outlive it. `locations`: none when it is unknown where the objects
  // lie.
  RunWatch(const prepare::ClusterSession& session, const prepare::ObjectNaming& names,
           std::shared_ptr<ObjectPlacement> locations);

  // Before the first operation of the measured pass, which may be a warm-up's. Waits for answers.
  // `planned`: the length of the measured phase; 0: unknown. `single`: ask for single operations.
  void begin(Time planned, bool single);
  // When a phase of the measured pass begins; never waits.
  void enter(Phase phase, Time now);
  // Each second of the measured pass, before it is looked at.
  void on_interval(const record::Interval& interval);
  // Once a second in every pass: what has changed, and whether the load should stop. Never waits.
  observe::HealthWatch::Finding poll(Time now);
  // After the last answer; waits for the last questions. `measured`: what each OSD answered in the
  // measured phase. `slowest`: where these operations waited is filled in.
  Findings finish(const engine::EngineEnd& end, const std::vector<record::Cell>& measured,
                  std::vector<record::SlowOp>& slowest);
  // The PGs that have moved, by their seeds.
  std::set<std::uint32_t> moved() const;

 private:
  void finish_map(Findings& findings);
  // What the run uses; and why that is not known completely, for the grade.
  observe::Measured measured();

  const prepare::ClusterSession& m_session;
  const prepare::ObjectNaming& m_names;
  std::shared_ptr<ObjectPlacement> m_locations;
  std::shared_ptr<AdminCommands> m_commands;
  std::vector<std::string> m_unwatched;  // why the grade cannot be clean
  std::optional<MapGuard> m_map;         // none: the placement of the objects is unknown
  std::optional<RoutingProof> m_proof;   // of the measured pass, as the next
  std::optional<ClusterWatch> m_disturbed;
  std::unique_ptr<CounterWindow> m_counters;  // null: no observer, or no placement
  std::unique_ptr<SlowOpFinder> m_slow_ops;   // null: the same, or not wanted
  std::optional<ClientMeter> m_client;
  HealthGuard m_health;  // last: its thread asks for the map
};

// Keeps the worse of both values, and the reasons of both.
void add_to(record::Grade& grade, record::Grade more);

}  // namespace radosload::watch
