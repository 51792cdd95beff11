// How what a run read was checked, and how much of what it wrote.
#pragma once

#include <cstdint>

namespace radosload {

// Where blocks were followed: of a run that reads what it writes, and looks for lost writes. A
// write that was lost and overwritten before anybody read it is not seen.
struct Verification {
  std::uint64_t blocks = 0;
  std::uint64_t followed = 0;  // of these, to the end
  std::uint64_t given_up = 0;  // were followed: too many writes failed to know what is in them
  // Writes to followed blocks, warm-up included.
  std::uint64_t acknowledged = 0;
  std::uint64_t read_back = 0;  // of these, returned by a read
  bool operator==(const Verification&) const = default;
};

}  // namespace radosload
