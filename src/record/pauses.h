// Times in which this process did not run, because it was stopped, its machine suspended, or it had
// no CPU. What an operation waits in one is not the cluster's doing. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "radosload/units.h"

namespace radosload::record {

enum class PauseCause : std::uint8_t {
  unknown,    // stopped by a signal, for example
  suspended,  // the whole machine
  throttled,  // by the CPU limit of its cgroup
  stolen,     // the hypervisor gave the CPU to others
};
inline constexpr std::size_t pause_cause_count = 4;
std::string_view pause_cause_name(PauseCause cause);
std::optional<PauseCause> pause_cause_from_name(std::string_view name);

struct Pause {
  Time from{0};  // from the start of the measured phase
  Time length{0};
  PauseCause cause = PauseCause::unknown;
  bool operator==(const Pause&) const = default;
};

struct Pauses {
  static constexpr std::size_t most_listed = 256;

  std::uint64_t count = 0;
  Time sum{0};
  // Of what the operations of the run waited, what lies in pauses: 0 to 1.
  double share = 0;
  std::vector<Pause> longest = {};  // in the order of time
  bool operator==(const Pauses&) const = default;

  void add(const Pause& pause);
};

// How much of a time lies in pauses.
Time paused_within(const Pauses& pauses, Time from, Time to);

}  // namespace radosload::record
