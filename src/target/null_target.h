// The target that does nothing, at once: what is left is what the program itself costs.
#pragma once

#include "radosload/target.h"

namespace radosload::target {

class NullTarget final : public Target {
 public:
  Status attach(std::span<Slot>) override { return {}; }
  void submit(Slot& slot) noexcept override {
    slot.received = {};
    slot.complete({.rc = 0, .bytes = slot.op.length});
  }
  void cancel() noexcept override {}
  bool carries_data() const noexcept override { return false; }
};

}  // namespace radosload::target
