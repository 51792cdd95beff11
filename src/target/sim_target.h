// A simulated cluster: latencies from a law, OSDs of different speed, stalls, errors, answers out
// of order or never. In virtual time on one loop to test logic; on several real loops with a thread
// each to test for races.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "radosload/loop.h"
#include "radosload/target.h"

#include "base/random.h"
#include "target/sim_contents.h"
#include "target/sim_model.h"

namespace radosload::target {

class SimTarget final : public Target {
 public:
  // Slots are distributed over the loops; each slot completes on its own loop. The loops must
  // outlive the target. With a payload, and a model that keeps content, reads return what was
  // written.
  SimTarget(SimModel model, std::uint64_t seed, std::vector<Loop*> loops,
            const std::optional<workload::Payload>& payload = std::nullopt);
  // The loops must run no more: they may still have tasks of the target.
  ~SimTarget() override;
  SimTarget(const SimTarget&) = delete;
  SimTarget& operator=(const SimTarget&) = delete;
  SimTarget(SimTarget&&) = delete;
  SimTarget& operator=(SimTarget&&) = delete;

  Status attach(std::span<Slot> slots) override;
  void submit(Slot& slot) noexcept override;
  void cancel() noexcept override;
  bool carries_data() const noexcept override { return m_contents != nullptr; }

 private:
  // Each slot has its own random numbers, so that results do not depend on the order of threads.
  struct Driver {
    Slot* slot = nullptr;
    Loop* loop = nullptr;
    Random luck{0};
    Outcome outcome;
    std::atomic<bool> pending{false};
    bool never = false;
  };
  // One OSD that works on a limited number of operations at a time.
  struct Queue {
    std::mutex mutex;
    std::vector<Time> free_at;  // by server
  };

  void send(Driver& driver, bool unanswered);
  void finish(Driver& driver, Outcome outcome);
  void take_back(Driver& driver);
  // Carries out a write at some time between now and its answer. Unanswered writes are carried out
  // too, and every second failed one.
  void execute_prepared(Driver& driver, Time now, Time due);
  Time completion_time(Driver& driver, Time now);

  SimModel m_model;
  std::uint64_t m_seed;
  std::vector<Loop*> m_loops;
  std::atomic<bool> m_cancelled{false};
  std::vector<std::vector<Driver>> m_sets;  // one for each attach
  std::vector<Queue> m_queues;
  std::unique_ptr<SimContents> m_contents;  // null: reads return nothing
};

}  // namespace radosload::target
