// How much of the client's own machine a run took: were the figures limited by the client? Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "radosload/client_counters.h"
#include "radosload/units.h"

#include "record/pauses.h"

namespace radosload::record {

// Over the measured phase.
struct ClientLoad {
  std::string interface = {};  // the one that leads to the cluster; empty: unknown
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
  std::uint64_t link_mbit = 0;  // its speed in each direction; 0: unknown
  std::uint32_t cpus = 0;       // those that this process may use; 0: unknown
  // For how long its threads were ready to run and had no CPU, summed over them; empty: unknown.
  std::optional<Time> cpu_wait = {};
  std::optional<Pauses> pauses = {};        // empty: unknown
  std::optional<Time> throttled = {};       // how long its cgroups refused it a CPU; empty: unknown
  std::optional<double> stolen = {};        // the share of the machine's CPU time; empty: unknown
  std::optional<double> cpu_pressure = {};  // of the time, in which a thread waited for a CPU
  std::optional<ClientCounters> counters = {};
  std::uint32_t clients = 0;  // whose counters these are; 0: unknown
  std::string missing = {};   // why counters are unknown
  bool operator==(const ClientLoad&) const = default;
};

// From a higher share on, the report says that the client was the limit.
inline constexpr double client_is_limit = 0.9;

// The busier direction; 0 to 1, and empty where the speed or the length is unknown.
std::optional<double> link_share(const ClientLoad& load, Time measured);
std::optional<double> cpu_share(const ClientLoad& load, double cpu_s, Time measured);
// Of the time that its threads wanted to run: how much of it they had no CPU.
std::optional<double> cpu_wait_share(const ClientLoad& load, double cpu_s);
// Of the measured time, in which librados held operations back, in each client on average.
std::optional<double> throttle_share(const ClientLoad& load, Time measured);

}  // namespace radosload::record
