// What a client (librados) counts of its own operations: those it held back, and sent again.
#pragma once

#include <cstdint>

#include "radosload/units.h"

namespace radosload {

struct ClientCounters {
  std::uint64_t ops_waits = 0;  // for the limit of operations in flight
  Time ops_wait{0};
  std::uint64_t bytes_waits = 0;  // for the limit of bytes in flight
  Time bytes_wait{0};
  std::uint64_t resent = 0;
  std::uint64_t laggy = 0;  // operations in flight to an OSD that is slow to answer
  bool operator==(const ClientCounters&) const = default;
};

}  // namespace radosload
