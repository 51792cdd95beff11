// What ends a pass early: signals at any moment, and failures that do not go away.
#include <csignal>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/sim_loop.h"
#include "run/measure.h"
#include "run/real_stage.h"
#include "support/sim_run.h"
#include "target/null_target.h"
#include "target/sim_target.h"

namespace radosload::run {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class Silence final : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string&) override {}
};

// Every thread has the signal blocked, as in the program, so that only its reader gets it.
class SignalSoon {
 public:
  SignalSoon(int signal, microseconds delay)
      : m_sender([=] {
          std::this_thread::sleep_for(delay);
          ::kill(::getpid(), signal);
        }) {}
  ~SignalSoon() { m_sender.join(); }
  SignalSoon(const SignalSoon&) = delete;
  SignalSoon& operator=(const SignalSoon&) = delete;
  SignalSoon(SignalSoon&&) = delete;
  SignalSoon& operator=(SignalSoon&&) = delete;

 private:
  std::thread m_sender;
};

Pass long_pass() {
  return {.plan = test::plan_for("randread4k,qd=4", hours(10'000)), .name = "measure"};
}

PassEnd virtual_pass(int signal, microseconds delay) {
  base::Interrupts interrupts;
  Silence silence;
  engine::SimLoop loop;
  target::SimTarget target(*target::parse_sim("latency=const:100us"), 1, {&loop});
  const SignalSoon soon(signal, delay);
  const Stage stage{.control = &loop, .lanes = {&loop}};
  return *run_pass(long_pass(), target, stage, interrupts, silence);
}

PassEnd real_pass(int signal, microseconds delay) {
  base::Interrupts interrupts;
  Silence silence;
  engine::LoopThreads answers(1, engine::RealLoop::Clock::now());
  target::SimTarget target(*target::parse_sim("latency=const:100us"), 1, answers.loops());
  const SignalSoon soon(signal, delay);
  PassEnd end = *run_real_pass(long_pass(), target, 1, interrupts, silence);
  answers.stop_and_join();
  return end;
}

PassEnd null_pass(int signal, microseconds delay) {
  base::Interrupts interrupts;
  Silence silence;
  target::NullTarget target;
  const SignalSoon soon(signal, delay);
  return *run_real_pass(long_pass(), target, 1, interrupts, silence);
}

void expect_signals_end(PassEnd (*pass)(int, microseconds), int times) {
  constexpr std::uint64_t longest_us = 10'000;
  Random moments(7, "moments");
  for (int i = 0; i < times; ++i) {
    const int signal = i % 2 == 0 ? SIGINT : SIGTERM;
    const auto delay = static_cast<std::int64_t>(moments.below(longest_us));
    const PassEnd end = pass(signal, microseconds(delay));
    ASSERT_EQ(end.end.ended_by, record::ended_by_signal(signal));
    ASSERT_EQ(end.end.unfinished, 0U);
    ASSERT_EQ(end.measured.submitted, end.measured.completed);
  }
}

TEST(PassSignals, EndARunInVirtualTimeAtAnyMoment) {
  expect_signals_end(virtual_pass, 200);
}

TEST(PassSignals, EndARunInRealTimeAtAnyMoment) {
  expect_signals_end(real_pass, 200);
}

TEST(PassSignals, EndARunThatOnlyCountsAtAnyMoment) {
  expect_signals_end(null_pass, 200);
}

// Virtual time in which ticks come late, now more and now less, as in real time.
class UnevenLoop final : public Loop {
 public:
  Time now() const noexcept override { return m_loop.now(); }
  void at(Time due, Task task) override {
    const bool tick = due % Time(seconds(1)) == Time(0);
    if (tick) m_late = m_late == microseconds(100) ? microseconds(10) : microseconds(100);
    m_loop.at(tick ? due + m_late : due, std::move(task));
  }
  void post(Task task) override { m_loop.post(std::move(task)); }
  void run() override { m_loop.run(); }
  void stop() override { m_loop.stop(); }

 private:
  engine::SimLoop m_loop;
  Time m_late{0};
};

PassEnd pass_with(const std::string& sim, Time warmup) {
  base::Interrupts interrupts;
  Silence silence;
  UnevenLoop loop;
  target::SimTarget target(*target::parse_sim(sim), 1, {&loop});
  Pass pass{.plan = test::plan_for("randread4k,qd=4", minutes(1)), .name = "measure"};
  pass.plan.warmup = warmup;
  const Stage stage{.control = &loop, .lanes = {&loop}};
  return *run_pass(std::move(pass), target, stage, interrupts, silence);
}

TEST(PassErrors, FiveSecondsOfOnlyErrors_EndThePassEvenWithLateTicks) {
  const PassEnd end = pass_with("latency=const:1ms,error=EIO:1", Time(0));
  EXPECT_EQ(end.end.ended_by, record::EndedBy::errors);
  EXPECT_GT(end.end.measured, seconds(4));
  EXPECT_LT(end.end.measured, seconds(6));
}

TEST(PassErrors, SecondsOfTheWarmUpCountToo) {
  const PassEnd end = pass_with("latency=const:1ms,error=EIO:1", seconds(3));
  EXPECT_EQ(end.end.ended_by, record::EndedBy::errors);
  EXPECT_LT(end.end.measured, seconds(3));
}

TEST(PassErrors, OneSuccessASecond_ThePassContinues) {
  const PassEnd end = pass_with("latency=const:1ms,error=EIO:0.9", Time(0));
  EXPECT_EQ(end.end.ended_by, record::EndedBy::time);
}

}  // namespace
}  // namespace radosload::run
