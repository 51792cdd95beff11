// A target that completes every operation at once, to measure the cost of radosload itself. Its
// answers can simulate latencies and several OSDs, so that recording has as much to do as on a
// cluster.
#pragma once

#include <atomic>
#include <string_view>
#include <vector>

#include "radosload/target.h"

#include "target/sim_model.h"
#include "target/sim_osds.h"

namespace radosload::target {

class NullTarget final : public Target {
 public:
  NullTarget() = default;
  // Uses only the OSDs and the latencies of the model.
  explicit NullTarget(const SimModel& pretended);

  Status attach(std::span<Slot>) override {
    m_cancelled = false;
    return {};
  }
  void submit(Slot& slot) noexcept override {
    if (m_cancelled.load(std::memory_order_relaxed)) return slot.complete({.rc = -ECANCELED});
    slot.received = {};
    if (!m_latencies.empty()) pretend(slot);
    slot.complete({.rc = 0, .bytes = slot.op.length});
  }
  void cancel() noexcept override { m_cancelled = true; }
  bool carries_data() const noexcept override { return false; }

 private:
  // Simulates the latency by an earlier submission time, which saves a second reading of the clock.
  void pretend(Slot& slot) const noexcept {
    const std::uint64_t mixed = spread(slot.op.object ^ (slot.op.offset << 20U));
    if (slot.op.osd == no_osd) slot.op.osd = osd_of(slot.op.object, m_osds);
    const Time latency = m_latencies[mixed % latencies];
    slot.submitted -= latency;
    slot.intended -= latency;
  }

  // Enough to reproduce the law up to its 99.9th percentile, and few enough for the L1 cache.
  static constexpr std::size_t latencies = 1024;

  std::atomic<bool> m_cancelled{false};
  std::uint32_t m_osds = 1;
  std::vector<Time> m_latencies;  // number of latencies; empty: none are simulated
};

// Parses --sim for the null target, which supports a part of it.
Result<SimModel> parse_pretended(std::string_view sim);

}  // namespace radosload::target
