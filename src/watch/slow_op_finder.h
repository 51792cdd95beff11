// Asks the OSDs of a run, once a second while it measures, for their slow operations, and finds the
// run's slowest operations among them. OSDs are asked on a separate thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/object_placement.h"
#include "radosload/target.h"

#include "observe/osd_ops_reader.h"
#include "prepare/cluster_session.h"
#include "prepare/object_naming.h"
#include "record/slow_op.h"
#include "watch/op_memory.h"
#include "watch/poll.h"
#include "watch/slow_op_match.h"

namespace radosload::watch {

class SlowOpFinder {
 public:
  static constexpr Time period = std::chrono::seconds(1);
  // If there are more OSDs than this, only this many are asked.
  static constexpr std::size_t most_osds = 256;
  // The time since 1970, by the system's clock.
  using WallClock = std::function<Time()>;

  // `clients`: the instance IDs of the run's clients.
  SlowOpFinder(std::shared_ptr<AdminCommands> commands, std::vector<std::int32_t> osds,
               std::set<std::uint64_t> clients, OurObjects ours, WallClock wall = system_wall());

  // For the thread that ticks; these never wait.
  void enter(Phase phase, Time now);
  // `oldest`: the age of the oldest operation in flight. Only a slow one is looked for among those
  // in flight at the OSDs: all the rest has ended by the next time.
  void poll(Time now, Time oldest);
  // Whether a request is under way.
  bool waiting() { return m_poll->asking(); }
  // Call after the last answer: asks once more, which may take seconds, and fills in where they
  // waited.
  record::SlowSearch finish(std::vector<record::SlowOp>& slowest);

  static WallClock system_wall();

 private:
  enum class Among : std::uint8_t { ended, all };
  void ask(Among among);
  std::string missing(const std::vector<record::SlowOp>& slowest, std::uint64_t matched) const;

  std::shared_ptr<AdminCommands> m_commands;
  std::vector<std::int32_t> m_osds;
  std::map<std::int32_t, observe::OsdOpsReader> m_readers;  // each is asked by one thread at a time
  OurObjects m_ours;
  WallClock m_wall;
  bool m_measuring = false;
  std::atomic<Among> m_next{Among::ended};  // what the next request is for

  std::mutex m_mutex;
  OpMemory m_memory;                 // guarded by it
  std::string m_trouble;             // guarded by it: the first reason why an OSD did not answer
  std::set<std::int32_t> m_unheard;  // guarded by it: OSDs that failed to answer at least once
  std::optional<Poll<bool>> m_poll;  // last: its thread uses the rest
};

// The OSDs that hold the PGs of the run: primaries first.
std::vector<std::int32_t> osds_to_ask(const prepare::ClusterSession& session,
                                      const ObjectPlacement& locations);

// A finder for a run in this session. Null without an observer, without operations to find, or if
// the OSD of each operation is unknown.
std::unique_ptr<SlowOpFinder> find_slow_ops(
    const prepare::ClusterSession& session, const prepare::ObjectNaming& names,
    const std::shared_ptr<const ObjectPlacement>& locations);

}  // namespace radosload::watch
