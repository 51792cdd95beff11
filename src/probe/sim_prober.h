// A simulated cluster to probe, by the model of --sim: one operation at a time, so its queues are
// not simulated. Slow OSDs (slow=3:1.5) are healthy for the first 40 rounds, so that there is a
// change to find.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "base/random.h"
#include "probe/prober.h"
#include "target/sim_model.h"

namespace radosload::probe {

// Jumps from task to task.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(Time wall) : m_wall(wall) {}
  Time now() const override { return m_now; }
  Time wall() const override { return m_wall + m_now; }
  bool sleep_until(Time due) override;
  bool ended() const override { return m_ended && m_ended(); }

  void pass(Time time) { m_now += time; }
  void jump_wall(Time by) { m_wall += by; }
  void end_when(std::function<bool()> ended) { m_ended = std::move(ended); }

 private:
  Time m_now{0};
  Time m_wall;
  std::function<bool()> m_ended;
};

inline constexpr std::uint64_t healthy_rounds = 40;

class SimProber final : public Prober {
 public:
  // `by_pool`: the OSDs as one. `wait`: how the time of an operation passes.
  SimProber(target::SimModel model, bool by_pool, std::uint64_t seed,
            std::function<void(Time)> wait);

  Result<Survey> survey() override;
  Answer probe(const Target& target, Kind kind, std::uint64_t turn) override;
  unsigned at_once() const override { return 1; }

 private:
  target::SimModel m_model;
  bool m_by_pool;
  Random m_random;
  std::function<void(Time)> m_wait;
  std::uint64_t m_rounds = 0;
};

}  // namespace radosload::probe
