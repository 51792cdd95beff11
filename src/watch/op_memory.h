// What OSDs have told of the run's operations, over all the times that they were asked, and how far
// their clocks are ahead of ours. Bounded, whatever they tell. Pure.
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

// Between these bounds an OSD's clock is ahead of ours.
struct ClockBounds {
  Time least{0};
  Time most{0};
  Time at{0};  // by our clock: when this was found

  Time middle() const { return least + (most - least) / 2; }
  Time half() const { return (most - least) / 2; }
};

// When an OSD was asked and did not answer, by our clock.
struct Silence {
  Time from{0};
  Time until{0};
  bool goes_on = false;  // the last question was given up, and no other was answered since
};

// An answer that took longer than this counts as a silence until it came.
inline constexpr Time prompt_answer = std::chrono::milliseconds(100);

// Clocks drift apart by less than this: 50 us each second.
inline constexpr int drift_divisor = 20'000;

class OpMemory {
 public:
  // With more operations than this the shorter half is forgotten.
  static constexpr std::size_t most_kept = 20'000;
  static constexpr std::size_t most_silences = 1000;  // of one OSD

  // `clients`: the instance IDs of our own.
  explicit OpMemory(std::set<std::uint64_t> clients) : m_clients(std::move(clients)) {}

  // `asked` and `answered` by our wall clock.
  void add(std::int32_t osd, observe::OsdOps told, Time asked, Time answered);
  void add_silence(std::int32_t osd, Time asked, Time given_up);

  // Those of clients, on one OSD.
  std::vector<const observe::OsdOp*> ops_on(std::int32_t osd) const;
  // The part that this OSD had in a client's operation.
  const observe::OsdOp* part_on(std::int32_t osd, const observe::OsdOp& op) const;
  std::optional<ClockBounds> clock_of(std::int32_t osd) const;
  const std::map<std::int32_t, ClockBounds>& clocks() const { return m_clocks; }
  // For how much of this time the OSD did not answer: from a question that was given up until the
  // next one is answered or the last one is given up.
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
