// Asks our own clients, now and then while a run measures, which OSD each operation in flight is on
// its way to. On a thread of its own; a client that lists its operations holds its lanes up for as
// long as that takes, so what takes long is asked for less often.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "radosload/homes.h"

#include "run/poll.h"
#include "run/route_tally.h"
#include "run/whereabouts.h"

namespace radosload::run {

class RouteSampler {
 public:
  static constexpr Time period = std::chrono::seconds(1);
  // Between two samples so many times as long as one takes: no more than half a percent of a run.
  static constexpr int pause = 200;

  // `sockets`: those of the clients.
  RouteSampler(std::vector<std::string> sockets, ObjectNames names,
               std::shared_ptr<const Homes> homes, std::vector<std::int32_t> pinned,
               std::uint32_t pg_num);

  // Takes a sample when it is time for one. Never waits.
  void look(Time now);
  // Adds what was seen, and why nothing was. Waits for the sample that is being taken; the last
  // call.
  void finish(record::Routing& routing, const std::set<std::uint32_t>& moved);

 private:
  // How long operations were held up for it.
  Time sample();
  // How many operations the client listed.
  Result<std::size_t> ask(const std::string& socket);

  std::vector<std::string> m_sockets;
  ObjectNames m_names;
  std::shared_ptr<const Homes> m_homes;
  std::uint32_t m_pg_num;  // as the homes have it
  Time m_not_before{0};

  std::mutex m_mutex;
  RouteTally m_tally;                // guarded by it
  std::string m_trouble;             // guarded by it: the last one
  std::optional<Poll<Time>> m_poll;  // last: its thread uses the rest
};

}  // namespace radosload::run
