// Collects what OSDs reported about the run's operations over all requests, and how far the OSDs'
// clocks are ahead of the client's clock. Its size is limited, even if an OSD reports too much.
// Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "radosload/units.h"

#include "observe/historic_ops.h"

namespace radosload::watch {

// The least and the most by which an OSD's clock is ahead of the client's clock.
struct ClockBounds {
  Time least{0};
  Time most{0};
  Time at{0};  // by the client's clock: when this was measured

  Time middle() const { return least + (most - least) / 2; }
  Time half() const { return (most - least) / 2; }
};

// A time in which an OSD did not answer, by the client's clock.
struct Silence {
  Time from{0};
  Time until{0};
  bool goes_on = false;  // the last request had no answer, and none was answered since
};

// An answer that took longer than this counts as a silence until it arrived.
inline constexpr Time prompt_answer = std::chrono::milliseconds(100);

// Clocks drift by less than this from each other: 50 us in each second.
inline constexpr int drift_divisor = 20'000;

class OpMemory {
 public:
  // If more operations are known than this, the shorter half is dropped.
  static constexpr std::size_t most_kept = 20'000;
  static constexpr std::size_t most_silences = 1000;  // of one OSD

  // `clients`: the instance IDs of the run's clients.
  explicit OpMemory(std::set<std::uint64_t> clients) : m_clients(std::move(clients)) {}

  // `asked` and `answered`: by the client's wall clock.
  void add(std::int32_t osd, observe::OsdOps told, Time asked, Time answered);
  void add_silence(std::int32_t osd, Time asked, Time given_up);

  // The operations of the run's clients that this OSD served as primary.
  std::vector<const observe::OsdOp*> ops_on(std::int32_t osd) const;
  // The part of this OSD, as a replica or shard, in a client's operation.
  const observe::OsdOp* part_on(std::int32_t osd, const observe::OsdOp& op) const;
  std::optional<ClockBounds> clock_of(std::int32_t osd) const;
  const std::map<std::int32_t, ClockBounds>& clocks() const { return m_clocks; }
  // How much of this time the OSD did not answer: from a request that was given up until the next
  // one is answered, or the last one is given up.
  Time silence(std::int32_t osd, Time from, Time until) const;
  std::size_t size() const { return m_ops.size(); }

 private:
  // OSD, part, client, tid
  using OpKey = std::tuple<std::int32_t, bool, std::uint64_t, std::uint64_t>;

  void narrow(std::int32_t osd, ClockBounds found);
  void note_answer(std::int32_t osd, Time asked, Time answered);
  void forget_short_ones();

  std::set<std::uint64_t> m_clients;
  std::map<OpKey, observe::OsdOp> m_ops;
  std::map<std::int32_t, ClockBounds> m_clocks;
  std::map<std::int32_t, std::vector<Silence>> m_silences;
};

}  // namespace radosload::watch
