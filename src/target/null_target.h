// The target that does nothing, at once: what is left is what the program itself costs. So that
// recording has as much to do as with a cluster, answers may pretend to come from several OSDs and
// to have taken their time.
#pragma once

#include <string_view>
#include <vector>

#include "radosload/target.h"

#include "target/sim_model.h"

namespace radosload::target {

class NullTarget final : public Target {
 public:
  NullTarget() = default;
  // Only OSDs and latencies of the model count.
  explicit NullTarget(const SimModel& pretended);

  Status attach(std::span<Slot>) override { return {}; }
  void submit(Slot& slot) noexcept override {
    slot.received = {};
    if (!m_latencies.empty()) pretend(slot);
    slot.complete({.rc = 0, .bytes = slot.op.length});
  }
  void cancel() noexcept override {}
  bool carries_data() const noexcept override { return false; }

 private:
  // An operation that was sent earlier has taken longer: that costs no second look at the clock.
  void pretend(Slot& slot) const noexcept;

  std::uint32_t m_osds = 1;
  std::vector<Time> m_latencies;  // a power of two of them; empty: nothing is pretended
};

// What --sim may say of the null target.
Result<SimModel> parse_pretended(std::string_view sim);

}  // namespace radosload::target
