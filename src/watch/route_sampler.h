// Samples, while a run measures, to which OSD each operation in flight was sent, by asking this
// process's own clients on a separate thread. A client (librados) locks its operations while it
// lists them, so the longer that takes, the less often it is asked: p99.9 stays the same.
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
  // The pause between two samples, as a multiple of what one takes. So a lane is blocked for at
  // most 0.05 % of a run, which affects at most half of its slowest 0.1 % of operations.
  static constexpr int pause = 2000;

  // `sockets`: those of the clients.
  RouteSampler(std::vector<std::string> sockets, prepare::ObjectNaming names,
               std::shared_ptr<const ObjectPlacement> locations, std::vector<std::int32_t> pinned,
               std::uint32_t pg_num);

  // Takes a sample when it is time for one. Never waits. Whether one has come in.
  bool poll(Time now);
  // Adds what was seen, and why nothing was. Waits for the sample that is being taken; the last
  // call.
  void finish(record::Routing& routing, const std::set<std::uint32_t>& moved);

 private:
  struct Asked {
    std::size_t ours = 0;  // operations of the run that were in flight
    Time held{0};          // at most so long was the client busy with it
  };

  // The longest that a client's operations were held up for it.
  Time sample();
  Result<Asked> ask(const std::string& socket);

  std::vector<std::string> m_sockets;
  prepare::ObjectNaming m_names;
  std::shared_ptr<const ObjectPlacement> m_locations;
  std::uint32_t m_pg_num;  // as the locations have it
  Time m_not_before{0};

  std::mutex m_mutex;
  RouteTally m_tally;                // guarded by it
  std::string m_trouble;             // guarded by it: the last one
  std::optional<Poll<Time>> m_poll;  // last: its thread uses the rest
};

}  // namespace radosload::watch
