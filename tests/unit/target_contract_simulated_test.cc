// The targets without a cluster keep the contract of all targets.

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "engine/loop_threads.h"
#include "support/target_contract.h"
#include "target/null_target.h"
#include "target/sim_target.h"

namespace radosload::target {
namespace {

using test::SilentCase;
using test::SilentTargets;
using test::TargetCase;
using test::TargetContract;
using test::TargetRig;

const std::vector<OpKind> all_kinds = {
    OpKind::read,     OpKind::write, OpKind::flush,  OpKind::discard, OpKind::omap_set,
    OpKind::omap_get, OpKind::stat,  OpKind::create, OpKind::remove,  OpKind::list};

std::unique_ptr<TargetRig> null_rig() {
  auto rig = std::make_unique<TargetRig>();
  rig->target = std::make_unique<NullTarget>();
  return rig;
}

// Answers in real time on two threads.
std::unique_ptr<TargetRig> sim_rig(const std::string& sim) {
  constexpr std::size_t threads = 2;
  auto loops = std::make_shared<engine::LoopThreads>(threads, engine::RealLoop::Clock::now());
  auto rig = std::make_unique<TargetRig>();
  rig->target =
      std::make_unique<SimTarget>(*parse_sim(sim), 1, loops->loops(), test::contract_payload());
  rig->before_end = [loops = loops.get()] { loops->stop_and_join(); };
  rig->below = std::move(loops);
  return rig;
}

TargetCase sim_case(const char* name, const std::string& sim) {
  return {.name = name,
          .make = [sim] { return sim_rig(sim); },
          .kinds = all_kinds,
          .gaps = {},  // what was never written reads as if it had been prefilled
          .make_failing = [sim] { return sim_rig(sim + ",error=EIO:1"); },
          .failing = test::op_at(OpKind::write, 0),
          .failure = -EIO};
}

INSTANTIATE_TEST_SUITE_P(
    Simulated, TargetContract,
    testing::Values(TargetCase{.name = "Null", .make = null_rig, .kinds = all_kinds},
                    sim_case("Sim", "latency=exp:200us"),
                    sim_case("SimWithContents", "latency=exp:200us,lose=0")),
    test::name_of_case<TargetCase>);

INSTANTIATE_TEST_SUITE_P(Simulated, SilentTargets,
                         testing::Values(SilentCase{.name = "Sim",
                                                    .make = [] { return sim_rig("lost=1"); }}),
                         test::name_of_case<SilentCase>);

}  // namespace
}  // namespace radosload::target
