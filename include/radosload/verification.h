// How much of what a run read and wrote was checked.
#pragma once

#include <cstdint>

namespace radosload {

// The blocks that were followed, in a run that reads what it writes and looks for lost writes. A
// lost write that is overwritten before it is read is not seen.
struct Verification {
  std::uint64_t blocks = 0;
  std::uint64_t followed = 0;  // of these, to the end
  std::uint64_t given_up = 0;  // no longer followed, after too many failed writes
  // Writes to followed blocks, warm-up included.
  std::uint64_t acknowledged = 0;
  std::uint64_t read_back = 0;  // of these, returned by a read
  bool operator==(const Verification&) const = default;
};

}  // namespace radosload
