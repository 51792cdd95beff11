// Operations that do not come back by themselves: parked, timed out, cancelled while others are
// being submitted.

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "cluster/bounded_call.h"
#include "support/rados_rig.h"
#include "support/wait_for.h"
#include "target/client_settings.h"

namespace radosload::test {
namespace {

using std::chrono::seconds;

// Over its quota a pool takes writes and never answers them.
TEST(RadosTarget, Cancel_CompletesParkedOperations) {
  TestPool made("target-parked");
  made.fill_to_quota();
  RadosRig rig(made.name());
  Slots slots(32, block);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  for (std::size_t i = 0; i < 32; ++i) {
    slots.submit(*rig.target, i, op_of(OpKind::write, i, 0, block));
  }
  EXPECT_FALSE(slots.wait(seconds(2))) << "nothing was parked, so nothing is tested";
  EXPECT_EQ(rig.target->outstanding(), slots.in_flight());
  const std::size_t parked = slots.in_flight();
  EXPECT_GT(parked, 0U);
  std::atomic<std::size_t> cancelled{0};
  slots.then = [&](Slot& slot) { cancelled += slot.outcome.cancelled() ? 1 : 0; };
  rig.target->cancel();
  ASSERT_TRUE(slots.wait());
  EXPECT_EQ(cancelled, parked);
  rig.target->cancel();
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::read, 0, 0, block)).rc, -ECANCELED);
  ASSERT_TRUE(rig.target->attach(slots.all()));
  EXPECT_EQ(slots.run(*rig.target, op_of(OpKind::stat, 999)).rc, -ENOENT);
}

TEST(RadosTarget, Destruction_CompletesParkedOperations) {
  TestPool made("target-destroyed");
  made.fill_to_quota();
  Slots slots(4, block);
  const int abandoned = cluster::abandoned_work();
  {
    RadosRig rig(made.name());
    ASSERT_TRUE(rig.target->attach(slots.all()));
    for (std::size_t i = 0; i < 4; ++i) {
      slots.submit(*rig.target, i, op_of(OpKind::write, i, 0, block));
    }
  }
  EXPECT_EQ(slots.in_flight(), 0U);
  EXPECT_EQ(cluster::abandoned_work(), abandoned);
}

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

// Submitting from callbacks and from two threads while somebody cancels: each submit completes
// exactly once, and nothing is left behind.
TEST(RadosTarget, CancelRacesSubmitAndLosesNothing) {
  RadosRig rig("ssd");
  for (int round = 0; round < 20; ++round) {
    constexpr std::size_t depth = 16;
    Slots slots(depth, block);
    ASSERT_TRUE(rig.target->attach(slots.all()));
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> submitted{0};
    const auto half = [&](std::size_t from) {
      for (std::uint64_t n = 0; !stop; ++n) {
        for (std::size_t i = from; i < from + depth / 2; ++i) {
          ++submitted;
          slots.submit(*rig.target, i, op_of(OpKind::stat, n));
        }
        if (!slots.wait()) return;
      }
    };
    std::jthread one(half, 0);
    std::jthread two(half, depth / 2);
    // Time: the cancel comes at a moment that no submit knows.
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + round));
    rig.target->cancel();
    // Time: so that some are submitted after it, too.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    stop = true;
    one.join();
    two.join();
    ASSERT_TRUE(slots.wait());
    EXPECT_EQ(slots.completions(), submitted);
    // The last callback may still be on its way out when its slot has come back.
    EXPECT_TRUE(wait_for("the last callback", [&] { return rig.target->outstanding() == 0; }));
    rig.target = std::make_unique<RadosTarget>(std::vector<RadosLane>{{rig.connection, rig.pool}},
                                               rig.options);
  }
}

}  // namespace
}  // namespace radosload::test
