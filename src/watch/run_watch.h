// All requests to a cluster during the prefill and the measured pass of a run: health, the map, the
// routes of operations, the OSDs' counters, disturbances. Separate threads send them, so that no
// call from the ticking thread waits.
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
  // The results after the last answer.
  struct Findings {
    std::vector<std::string> changes = {};   // of the cluster, since the last look
    std::vector<std::string> warnings = {};  // what could not be checked
    record::Grade grade = {};
    record::Routing routing = {};
    std::vector<record::OsdWindow> counters = {};
    std::optional<record::SlowSearch> slow_search = {};  // empty: not searched
    record::ClientLoad client = {};
  };

  // The session and the names must outlive it. `locations`: null when the places of the objects are
  // unknown.
  RunWatch(const prepare::ClusterSession& session, const prepare::ObjectNaming& names,
           std::shared_ptr<ObjectPlacement> locations);

  // Call before the first operation of the measured pass, which may belong to a warm-up. Waits for
  // answers. `planned`: the length of the measured phase; 0: unknown. `single`: also collect the
  // slowest single operations.
  void begin(Time planned, bool single);
  // Call when a phase of the measured pass begins; never waits.
  void enter(Phase phase, Time now);
  // Call for each second of the measured pass, before poll().
  void on_interval(const record::Interval& interval);
  // Call once a second in every pass, with the age of the oldest operation in flight: the changes,
  // and whether the load should stop. Never waits.
  observe::HealthWatch::Finding poll(Time now, Time oldest);
  // Whether a request is under way. In virtual time the clock stands still until it is answered.
  bool waiting();
  // Call after the last answer; waits for the last requests. `measured`: the operations per OSD of
  // the measured phase. `slowest`: gets the places where these operations waited.
  Findings finish(const engine::EngineEnd& end, const std::vector<record::Cell>& measured,
                  std::vector<record::SlowOp>& slowest);
  // The seeds of the PGs that have moved.
  std::set<std::uint32_t> moved() const;

 private:
  void finish_map(Findings& findings);
  // What the run uses; adds to m_unwatched what is unknown about it, for the grade.
  observe::Measured measured();
  // A file system: all PGs of its pools, because the places of files are unknown.
  void add_file_system(const observe::FileSystem& system, observe::Measured& uses);

  const prepare::ClusterSession& m_session;
  const prepare::ObjectNaming& m_names;
  std::shared_ptr<ObjectPlacement> m_locations;
  std::shared_ptr<AdminCommands> m_commands;
  std::vector<std::string> m_unwatched;  // why the grade cannot be clean
  std::optional<MapGuard> m_map;         // none: the placement of the objects is unknown
  std::optional<RoutingProof> m_proof;   // of the measured pass, like the next members
  std::optional<ClusterWatch> m_disturbed;
  std::unique_ptr<CounterWindow> m_counters;  // null: no observer, or no placement
  std::unique_ptr<SlowOpFinder> m_slow_ops;   // null: the same, or not requested
  std::optional<ClientMeter> m_client;
  HealthGuard m_health;  // last: its thread asks for the map
};

// Keeps the worse grade, and the reasons of both.
void add_to(record::Grade& grade, record::Grade more);

}  // namespace radosload::watch
