// The memory of payloads: whose it is, and that nothing is put into it that somebody still reads.

#include <algorithm>
#include <cerrno>
#include <deque>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "engine/sim_loop.h"
#include "support/sim_run.h"
#include "workload/payload.h"

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;

EnginePlan writes() {
  EnginePlan plan = test::plan_for("randwrite4k,qd=4", Time(0));
  plan.extent.ops = 200;
  plan.payload.emplace(11);
  return plan;
}

// Gives each operation up at once, and reads what it was sent with to the very end.
class SlowReader final : public Target {
 public:
  explicit SlowReader(Loop& loop) : m_loop(loop) {}

  Status attach(std::span<Slot> slots) override {
    for (Slot& slot : slots) ready_buffer(slot);
    return {};
  }
  void ready_buffer(Slot& slot) noexcept override {
    slot.buffer = m_memory.emplace_back(slot.room);
  }
  void submit(Slot& slot) noexcept override {
    const auto sent = slot.buffer.first(slot.op.length);
    m_sent.push_back({sent, {sent.begin(), sent.end()}});
    m_loop.at(m_loop.now() + milliseconds(1), [&slot] { slot.complete({.rc = -ETIMEDOUT}); });
  }
  void cancel() noexcept override {}
  bool carries_data() const noexcept override { return true; }

  std::size_t sent() const { return m_sent.size(); }
  std::size_t spoilt() const {
    return static_cast<std::size_t>(
        std::count_if(m_sent.begin(), m_sent.end(), [](const Sent& one) {
          return !std::equal(one.bytes.begin(), one.bytes.end(), one.as_sent.begin());
        }));
  }

 private:
  struct Sent {
    std::span<std::byte> bytes;
    std::vector<std::byte> as_sent;
  };

  Loop& m_loop;
  std::deque<std::vector<std::byte>> m_memory;
  std::vector<Sent> m_sent;
};

EngineEnd run(Target& target, SimLoop& loop, const EnginePlan& plan) {
  Engine engine(plan, target, loop, {&loop});
  EngineEnd end;
  engine.on_end = [&](const EngineEnd& how) { end = how; };
  EXPECT_TRUE(engine.start());
  loop.run();
  return end;
}

TEST(Buffers, PayloadInUse_IsNotOverwritten) {
  SimLoop loop;
  SlowReader target(loop);
  EXPECT_EQ(run(target, loop, writes()).unfinished, 0U);
  EXPECT_EQ(target.sent(), 200U);
  EXPECT_EQ(target.spoilt(), 0U);
}

// Keeps no memory: what it is given must be the engine's, and each slot's own.
class Taker final : public Target {
 public:
  explicit Taker(Loop& loop) : m_loop(loop) {}
  Status attach(std::span<Slot> slots) override {
    m_slots = slots;
    return {};
  }
  void submit(Slot& slot) noexcept override {
    const workload::Payload payload(11);
    const auto sent = slot.buffer.first(slot.op.length);
    m_right += payload.check(slot.op, sent) == 0 ? 1U : 0U;
    m_loop.at(m_loop.now() + milliseconds(1),
              [&slot] { slot.complete({.rc = 0, .bytes = slot.op.length}); });
  }
  void cancel() noexcept override {}
  bool carries_data() const noexcept override { return true; }
  std::size_t right() const { return m_right; }
  std::size_t buffers() const {
    std::vector<const std::byte*> begins;
    for (const Slot& slot : m_slots) begins.push_back(slot.buffer.data());
    std::sort(begins.begin(), begins.end());
    const auto same = std::unique(begins.begin(), begins.end());
    return static_cast<std::size_t>(same - begins.begin());
  }

 private:
  Loop& m_loop;
  std::span<Slot> m_slots;
  std::size_t m_right = 0;
};

TEST(Buffers, TargetWithoutBuffers_UsesTheEnginesBuffers) {
  SimLoop loop;
  Taker target(loop);
  Engine engine(writes(), target, loop, {&loop});
  ASSERT_TRUE(engine.start());
  loop.run();
  EXPECT_EQ(target.right(), 200U);
  EXPECT_EQ(target.buffers(), 4U);
}

}  // namespace
}  // namespace radosload::engine
