// Pools for tests that need one of their own: with quotas, or deleted during a load. Also a
// target's slots without an engine.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "radosload/target.h"

#include "cluster/connection.h"
#include "support/wait_for.h"

namespace radosload::test {

// A pool of 8 PGs, ready for I/O; deleted with this object. An unreplicated one has 32, so that
// each OSD of the lab serves some.
class TestPool {
 public:
  enum class Kind { replicated, unreplicated, erasure, erasure_with_overwrites };
  explicit TestPool(const std::string& name, Kind kind = Kind::replicated);
  ~TestPool();
  TestPool(const TestPool&) = delete;
  TestPool& operator=(const TestPool&) = delete;
  TestPool(TestPool&&) = delete;
  TestPool& operator=(TestPool&&) = delete;

  const std::string& name() const { return m_name; }
  // Sets a quota of this many objects, writes one object more, and returns when the pool is flagged
  // full: writes then wait for ever.
  void fill_to_quota();
  void lift_quota();
  void remove();

 private:
  std::string m_name;
};

ClusterOptions options_here();
std::shared_ptr<cluster::Connection> connect_here(
    const cluster::Connection::Settings& settings = {},
    const ClusterOptions& options = options_here());
librados::IoCtx open_pool(cluster::Connection& connection, const std::string& pool,
                          const std::string& nspace = "radosload");

// Slots with buffers that count their completions.
class Slots {
 public:
  Slots(std::size_t count, std::size_t buffer_bytes, std::uint32_t lane = 0);

  std::span<Slot> all() { return m_slots; }
  Slot& operator[](std::size_t i) { return m_slots[i]; }
  // Submits one operation on slot i; it need not complete.
  void submit(Target& target, std::size_t i, const Op& op);
  // Submits and waits for the answer.
  Outcome run(Target& target, const Op& op, std::size_t i = 0);
  // Waits until no slot is in flight. False at the limit.
  bool wait(Time limit = patience);
  std::size_t in_flight();
  std::uint64_t completions() const { return m_completions; }

  // Called in each completion, before it is counted.
  std::function<void(Slot&)> then;

 private:
  static void on_complete(Slot& slot, Outcome outcome) noexcept;

  std::vector<Slot> m_slots;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::size_t m_in_flight = 0;
  std::uint64_t m_completions = 0;
};

}  // namespace radosload::test
