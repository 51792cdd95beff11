// Operations that do not come back by themselves: parked or timed out.

#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "support/rados_rig.h"
#include "support/target_contract.h"
#include "support/wait_for.h"
#include "target/client_settings.h"

namespace radosload::test {
namespace {

using std::chrono::seconds;

// Over its quota a pool takes writes and never answers them.
struct FullPool {
  TestPool pool{"target-parked"};
  std::optional<RadosRig> rig;

  FullPool() {
    pool.fill_to_quota();
    rig.emplace(pool.name());
  }
};

std::unique_ptr<TargetRig> full_pool_rig() {
  auto below = std::make_shared<FullPool>();
  auto rig = std::make_unique<TargetRig>();
  rig->answer = [pool = &below->pool] { pool->lift_quota(); };
  rig->target = std::move(below->rig->target);
  rig->below = std::move(below);
  return rig;
}

INSTANTIATE_TEST_SUITE_P(Rados, SilentTargets,
                         testing::Values(SilentCase{.name = "FullPool", .make = full_pool_rig}),
                         name_of_case<SilentCase>);

TEST(RadosTarget, AnOperationTimeoutIsAFailedOperation) {
  TestPool made("target-timeout");
  made.fill_to_quota();
  RadosRig rig(made.name(), {}, target::client_settings({.depth = 1, .op_timeout = seconds(2)}));
  Slots slots(1, block);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::write, 0, 0, block)).rc, -ETIMEDOUT);
}

// With librados's own 100 MiB the 26th write would block submit() itself.
TEST(RadosTarget, TheClientsThrottlesAreRaisedToTheDemand) {
  TestPool made("target-throttle");
  made.fill_to_quota();
  constexpr std::uint32_t large = 4U << 20U;
  constexpr std::uint32_t depth = 40;
  const auto settings =
      target::client_settings({.depth = depth, .largest = Bytes{large}, .block = kib(4)});
  RadosRig rig(made.name(), {}, settings);
  const auto in_force = target::settings_in_force(*rig.connection);
  EXPECT_EQ(in_force.at("objecter_inflight_op_bytes"), settings.at("objecter_inflight_op_bytes"));
  EXPECT_GE(std::stoull(in_force.at("objecter_inflight_op_bytes")), 1ULL * depth * large);
  Slots slots(depth, large);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  std::jthread submitter([&] {
    for (std::size_t i = 0; i < depth; ++i) {
      slots.submit(*rig.target, i, op_of(OpKind::write, i, 0, large));
    }
  });
  EXPECT_TRUE(wait_for("all writes to be submitted", [&] {
    const auto submitted = rig.target->outstanding() + slots.completions();
    return Seen(submitted >= depth, std::to_string(submitted));
  }));
  rig.target->cancel();
  submitter.join();
  EXPECT_TRUE(slots.wait());
}

}  // namespace
}  // namespace radosload::test
