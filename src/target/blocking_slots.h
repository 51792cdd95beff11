// The operations and the memory of the slots of one pass, for targets whose operations block.
// Private to the targets of drives and of files.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "radosload/result.h"

#include "target/blocking_op.h"

namespace radosload::target {

class BlockingSlots {
 public:
  // Gives each slot its operation (Slot::driver) and a buffer that O_DIRECT may use. Once.
  Status serve(std::span<Slot> slots);
  // Completes all that are in flight.
  void give_up() noexcept;

 private:
  struct Freed {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };

  std::unique_ptr<std::byte, Freed> m_memory;
  std::vector<BlockingOp> m_ops;
};

}  // namespace radosload::target
