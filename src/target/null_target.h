// The target that does nothing, at once: what is left is what the program itself costs. So that
// recording has as much to do as with a cluster, answers may pretend to come from several OSDs and
// to have taken their time.
#pragma once

#include <string_view>
#include <vector>

#include "radosload/target.h"

#include "target/sim_model.h"
#include "target/sim_osds.h"

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
  void pretend(Slot& slot) const noexcept {
    const std::uint64_t mixed = spread(slot.op.object ^ (slot.op.offset << 20U));
    if (slot.op.osd == no_osd) slot.op.osd = osd_of(slot.op.object, m_osds);
    const Time latency = m_latencies[mixed % latencies];
    slot.submitted -= latency;
    slot.intended -= latency;
  }

  // Enough for the law's shape down to its 99.9th percentile, few enough for the nearest cache.
  static constexpr std::size_t latencies = 1024;

  std::uint32_t m_osds = 1;
  std::vector<Time> m_latencies;  // so many; empty: nothing is pretended
};

// What --sim may say of the null target.
Result<SimModel> parse_pretended(std::string_view sim);

}  // namespace radosload::target
