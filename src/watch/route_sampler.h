// Samples, while a run measures, the OSD of each operation in flight, by asking the clients of this
// process on a separate thread. A client (librados) locks its operations while it lists them, so
// the pause is proportional to the time that takes, and p99.9 is not affected.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "radosload/object_placement.h"

#include "prepare/object_naming.h"
#include "watch/poll.h"
#include "watch/route_tally.h"

namespace radosload::watch {

class RouteSampler {
 public:
  static constexpr Time period = std::chrono::seconds(1);
  // The pause between two samples, as a multiple of a sample's duration. A lane is therefore
  // blocked for at most 0.05 % of a run, which affects at most half of its slowest 0.1 % of
  // operations.
  static constexpr int pause = 2000;

  // `sockets`: the admin sockets of the clients.
  RouteSampler(std::vector<std::string> sockets, prepare::ObjectNaming names,
               std::shared_ptr<const ObjectPlacement> locations, std::vector<std::int32_t> pinned,
               std::uint32_t pg_num);

  // Takes a sample when it is time. Never waits. Returns whether a sample has arrived.
  bool poll(Time now);
  // Adds the samples, or why there are none. Waits for a sample that is under way; the last call.
  void finish(record::Routing& routing, const std::set<std::uint32_t>& moved);

 private:
  struct Asked {
    std::size_t ours = 0;  // operations of the run that were in flight
    Time held{0};          // the longest time that the client was busy with the sample
  };

  // The longest time that a client's operations were held up.
  Time sample();
  Result<Asked> ask(const std::string& socket);

  std::vector<std::string> m_sockets;
  prepare::ObjectNaming m_names;
  std::shared_ptr<const ObjectPlacement> m_locations;
  std::uint32_t m_pg_num;  // the number of PGs when the run began
  Time m_not_before{0};

  std::mutex m_mutex;
  RouteTally m_tally;                // guarded by it
  std::string m_trouble;             // guarded by it: the last one
  std::optional<Poll<Time>> m_poll;  // last: its thread uses the rest
};

}  // namespace radosload::watch
