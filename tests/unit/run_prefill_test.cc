// What a run does after the pass that writes the objects to read, which here writes to a simulated
// target in virtual time.
#include <csignal>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "engine/sim_loop.h"
#include "prepare/engine_plan.h"
#include "run/measure.h"
#include "run/prefill.h"
#include "support/sim_run.h"
#include "target/sim_target.h"

namespace radosload::run {
namespace {

using ::testing::HasSubstr;

class NoListener final : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string&) override {}
};

struct Prefilled {
  PassEnd end;
  Status status;
};

Prefilled prefill_on(const std::string& sim, const observe::HealthWatch::Finding& health = {},
                     int signal = 0) {
  base::Interrupts interrupts;
  NoListener listener;
  engine::SimLoop loop;
  target::SimTarget target(*target::parse_sim(sim), 1, {&loop});
  const auto load = test::plan_for("randread4k,qd=4,size=64M,object-size=1M", Time(0));
  Pass pass{.plan = prepare::prefill_plan_for(RunPlan(), load), .name = "prefill"};
  if (health.alarm) pass.health = [health](Time, Time) { return health; };
  const Stage stage{.control = &loop, .lanes = {&loop}};
  PassEnd end = *run_pass(std::move(pass), target, stage, interrupts, listener);
  if (signal != 0) interrupts.notice(signal);
  Status status = objects_written(end, "hdd", load.stall, interrupts);
  return {.end = std::move(end), .status = std::move(status)};
}

TEST(Prefill, ThatWroteEverythingLetsTheRunMeasure) {
  const auto prefilled = prefill_on("latency=const:1ms");
  EXPECT_TRUE(prefilled.status) << prefilled.status.error().message();
  EXPECT_EQ(prefilled.end.measured.completed, 64U);
}

TEST(Prefill, WithFailedWritesNamesHowManyAndWhy) {
  const auto prefilled = prefill_on("latency=const:1ms,error=ENOSPC:0.2");
  ASSERT_FALSE(prefilled.status);
  ASSERT_GT(prefilled.end.measured.failed, 0U);
  ASSERT_GT(prefilled.end.measured.completed, 0U);
  EXPECT_EQ(prefilled.status.error().exit, Exit::no_cluster);
  EXPECT_THAT(prefilled.status.error().message(),
              HasSubstr(std::to_string(prefilled.end.measured.failed) +
                        " of 64 writes failed, for example with ENOSPC"));
  EXPECT_THAT(prefilled.status.error().message(), HasSubstr("pool hdd"));
}

// An engine whose operations are never answered is never destroyed, so the end is changed here.
TEST(Prefill, ThatStallsNamesHowLongItWaited) {
  auto prefilled = prefill_on("latency=const:1ms");
  prefilled.end.end.ended_by = record::EndedBy::stalled;
  const base::Interrupts interrupts;
  const Status status = objects_written(prefilled.end, "hdd", std::chrono::seconds(30), interrupts);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().exit, Exit::no_cluster);
  EXPECT_THAT(status.error().message(), HasSubstr("no write was answered for 30 s"));
  EXPECT_THAT(status.error().message(), HasSubstr("ceph health detail"));
}

TEST(Prefill, OnAClusterInTroubleIsRefusedAndNamesThePushThrough) {
  const auto prefilled =
      prefill_on("latency=const:500ms", {.changes = {}, .alarm = "2 OSDs are full"});
  ASSERT_FALSE(prefilled.status);
  EXPECT_EQ(prefilled.status.error().exit, Exit::refused);
  EXPECT_THAT(prefilled.status.error().message(), HasSubstr("2 OSDs are full"));
  EXPECT_THAT(prefilled.status.error().message(), HasSubstr("--push-through"));
}

TEST(Prefill, ASignalAtItsVeryEndStillEndsTheRun) {
  const auto prefilled = prefill_on("latency=const:1ms", {}, SIGTERM);
  ASSERT_FALSE(prefilled.status);
  EXPECT_EQ(prefilled.end.measured.completed, 64U);
  EXPECT_EQ(prefilled.status.error().exit, Exit::interrupted);
  EXPECT_THAT(prefilled.status.error().message(), HasSubstr("SIGTERM; nothing was measured"));
}

}  // namespace
}  // namespace radosload::run
