// The engine on real threads: what ThreadSanitizer is for.

#include <deque>
#include <functional>
#include <future>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "engine/sim_loop.h"
#include "support/sim_run.h"

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::expect_conservation;
using test::plan_for;
using test::run_null;
using test::run_threads;
using test::SimRun;

TEST(Threads, ConservationHoldsWithRacesAndErrors) {
  EnginePlan plan = plan_for("randrw4k,qd=64", seconds(1), 3);
  plan.warmup = milliseconds(200);
  const SimRun run = run_threads(plan, "latency=exp:300us,osds=5,error=EIO:0.02", 3);
  expect_conservation(run);
  EXPECT_GT(run.total.measured.completed, 1000U);
}

// What lanes do between the phase's beginning and somebody's taking notice is not a warm-up's.
TEST(Threads, WarmUp_IsTakenAwayBeforeTheMeasuredPhase) {
  EnginePlan plan = plan_for("randrw4k,qd=64", milliseconds(100), 2);
  plan.warmup = milliseconds(600);  // before the first interval is taken, at a second
  record::Interval warm;
  Phase then = Phase::drain;
  run_threads(plan, "latency=const:50us", 2, [&](Engine& engine, Loop&) {
    engine.on_warm = [&] {
      then = engine.phase();
      engine.take_interval(warm);
    };
  });
  EXPECT_EQ(then, Phase::warmup);
  EXPECT_GT(warm.unmeasured.completed, 0U);
  EXPECT_EQ(warm.measured, record::Flow{});
}

TEST(Threads, AnOpenLoopKeepsItsRate) {
  EnginePlan plan = plan_for("randrw4k", seconds(1), 2);
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 2000};
  plan.depth = 512;
  const SimRun run = run_threads(plan, "latency=exp:300us", 2);
  expect_conservation(run);
  // Real threads may begin late on a busy machine, and then have less to send; they never send more
  // than is due. The exact count is a matter of virtual time, above.
  const auto due = static_cast<double>(run.total.measured.submitted + run.end.unissued);
  EXPECT_LE(due, 2000 * radosload::seconds(run.end.measured) + 2);
  EXPECT_GE(due, 1000);
}

TEST(Threads, AnOpenLoopSendsNothingMoreWhenItsEndIsNoticedLate) {
  EnginePlan plan = plan_for("randrw4k", milliseconds(300), 1);
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 2000};
  plan.depth = 512;
  const SimRun run = run_threads(plan, "latency=const:1ms", 1, [](Engine&, Loop& control) {
    control.at(control.now() + milliseconds(250),
               [] { std::this_thread::sleep_for(milliseconds(200)); });
  });
  expect_conservation(run);
  EXPECT_LE(run.total.measured.submitted, 601U);
}

TEST(Threads, CancellingRacesWithAnswers) {
  EnginePlan plan = plan_for("randrw4k,qd=64", seconds(60), 2);
  plan.drain = seconds(60);
  const SimRun run =
      run_threads(plan, "latency=exp:5ms,lost=0.05", 2, [](Engine& engine, Loop& loop) {
        loop.at(loop.now() + milliseconds(300), [&] { engine.abort(record::EndedBy::sigint); });
      });
  expect_conservation(run);
  EXPECT_EQ(run.end.unfinished, 0U);
  EXPECT_GT(run.total.measured.cancelled, 0U);
}

TEST(Threads, TargetAnswersInline_SubmitDoesNotRecurse) {
  const SimRun run = run_null(plan_for("randrw4k,qd=64", milliseconds(500), 2), 2);
  expect_conservation(run);
  EXPECT_GT(run.total.measured.completed, 10000U);
}

// Answers for another slot from within submit(), as a client does that finds a failure on its way.
class Crossing final : public Target {
 public:
  explicit Crossing(Loop& loop) : m_loop(loop) {}
  Status attach(std::span<Slot>) override { return {}; }
  void submit(Slot& slot) noexcept override {
    m_held.push_back(&slot);
    if (m_held.size() > 1 && !std::exchange(m_answering, true)) {
      answer_oldest();
      m_answering = false;
    }
    expect_answer();
  }
  void cancel() noexcept override {}
  bool carries_data() const noexcept override { return false; }
  std::size_t held() const { return m_held.size(); }

 private:
  void expect_answer() {
    if (m_held.empty() || std::exchange(m_expected, true)) return;
    m_loop.at(m_loop.now() + milliseconds(1), [this] {
      m_expected = false;
      answer_oldest();
      expect_answer();
    });
  }
  void answer_oldest() {
    if (m_held.empty()) return;
    Slot* const oldest = m_held.front();
    m_held.pop_front();
    oldest->complete({.rc = 0, .bytes = oldest->op.length});
  }

  Loop& m_loop;
  std::deque<Slot*> m_held;
  bool m_answering = false;
  bool m_expected = false;  // an answer, from the loop
};

TEST(Threads, AnswerForAnotherSlotWithinSubmit_IsCountedForThatSlot) {
  SimLoop loop;
  Crossing target(loop);
  Engine engine(plan_for("randread4k,qd=3", milliseconds(100), 1), target, loop, {&loop});
  EngineEnd end;
  engine.on_end = [&](const EngineEnd& how) { end = how; };
  ASSERT_TRUE(engine.start());
  loop.run();
  EXPECT_EQ(target.held(), 0U);
  EXPECT_EQ(end.ended_by, record::EndedBy::time);
  EXPECT_EQ(end.unfinished, 0U);
  record::Interval total;
  engine.take_interval(total);
  EXPECT_GT(total.measured.submitted, 100U);
  EXPECT_EQ(total.measured.completed, total.measured.submitted);
  EXPECT_EQ(total.in_flight, 0U);
}

// Keeps the one operation that it is given.
class Holder final : public Target {
 public:
  Status attach(std::span<Slot>) override { return {}; }
  void submit(Slot& slot) noexcept override { m_slot = &slot; }
  void cancel() noexcept override {}
  bool carries_data() const noexcept override { return false; }
  void answer() { m_slot->complete({.rc = 0, .bytes = m_slot->op.length}); }

 private:
  Slot* m_slot = nullptr;
};

// An answer that takes long to make out: what RADOS sends for a large read is put together first.
class Puzzler final : public Target {
 public:
  explicit Puzzler(Loop& loop) : m_loop(loop) {}
  Status attach(std::span<Slot>) override { return {}; }
  void submit(Slot& slot) noexcept override {
    m_loop.at(m_loop.now() + milliseconds(1), [this, &slot] {
      slot.answered();
      m_loop.at(m_loop.now() + milliseconds(4), [&slot] { slot.finish({}); });
    });
  }
  void cancel() noexcept override {}
  bool carries_data() const noexcept override { return false; }

 private:
  Loop& m_loop;
};

TEST(Threads, AnswerTime_IsTakenBeforeTheAnswerIsProcessed) {
  SimLoop loop;
  Puzzler target(loop);
  Engine engine(plan_for("randread4k,qd=2", seconds(1), 1), target, loop, {&loop});
  engine.on_end = [](const EngineEnd&) {};
  ASSERT_TRUE(engine.start());
  loop.run();
  record::Interval total;
  engine.take_interval(total);
  ASSERT_EQ(total.kinds.size(), 1U);
  const auto& service = total.kinds[0].latency.service();
  EXPECT_EQ(service.count(), 400U) << "a slot is used again when its answer was made out";
  EXPECT_EQ(service.min(), 1'000'000U);
  EXPECT_EQ(service.max(), 1'000'000U);
}

// A simulated loop that calls somebody whenever a task is posted.
class WatchedLoop final : public Loop {
 public:
  std::function<void()> on_post;

  Time now() const noexcept override { return m_loop.now(); }
  void at(Time due, Task task) override { m_loop.at(due, std::move(task)); }
  void post(Task task) override {
    m_loop.post(std::move(task));
    if (on_post) on_post();
  }
  void run() override { m_loop.run(); }
  void stop() override { m_loop.stop(); }

 private:
  SimLoop m_loop;
};

// Whoever finds nothing in flight ends the pass and frees the lane: so nobody may, as long as the
// callback of the last operation is at work in it.
TEST(Threads, LaneIsDrained_LastCallbackHasEnded) {
  EnginePlan plan = plan_for("randread4k,qd=1", seconds(1), 1);
  plan.drain = seconds(60);
  WatchedLoop control;
  Holder target;
  Engine engine(plan, target, control, {&control});
  bool ended = false;
  engine.on_end = [&](const EngineEnd&) { ended = true; };
  ASSERT_TRUE(engine.start());
  std::future<std::uint64_t> counted;
  control.at(seconds(2), [&] {
    control.on_post = [&] {
      if (counted.valid()) return;
      counted = std::async(std::launch::async, [&] {
        record::Interval seen;
        engine.take_interval(seen);
        return seen.in_flight;
      });
      EXPECT_EQ(counted.wait_for(milliseconds(200)), std::future_status::timeout);
    };
    target.answer();
  });
  control.run();
  ASSERT_TRUE(counted.valid()) << "the end was not reported";
  EXPECT_EQ(counted.get(), 0U);
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace radosload::engine
