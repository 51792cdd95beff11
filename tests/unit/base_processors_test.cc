// Manners on a shared machine. Each test in a thread of its own: a policy stays with its thread.

#include <sched.h>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/processors.h"

namespace radosload {
namespace {

void choose(int policy) {
  const sched_param priority{};
  ASSERT_EQ(sched_setscheduler(0, policy, &priority), 0);
}

TEST(Processors, BatchScheduling_IsInheritedByThreads) {
  std::string mine;
  std::string childs;
  std::jthread([&] {
    choose(SCHED_OTHER);
    use_batch_scheduling();
    mine = scheduling_policy();
    std::jthread([&] { childs = scheduling_policy(); }).join();
  }).join();
  EXPECT_EQ(mine, "batch");
  EXPECT_EQ(childs, "batch");
}

TEST(Processors, PolicyChosenByTheUser_IsKept) {
  std::string policy;
  std::jthread([&] {
    choose(SCHED_IDLE);
    use_batch_scheduling();
    policy = scheduling_policy();
  }).join();
  EXPECT_EQ(policy, "idle");
}

TEST(Processors, AffinityMask_LimitsTheCount) {
  unsigned before = 0;
  unsigned narrowed = 0;
  std::jthread([&] {
    before = usable_processors();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    narrowed = usable_processors();
  }).join();
  EXPECT_GE(before, 1U);
  EXPECT_EQ(narrowed, 1U);
}

}  // namespace
}  // namespace radosload
