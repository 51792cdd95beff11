// What a library may still answer to outlives its target, and goes with the last answer.

#include <atomic>

#include <gtest/gtest.h>

#include "support/wait_for.h"
#include "target/late_answers.h"

namespace radosload::target {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// As of a target with one operation that has not come back.
struct Core {
  std::atomic<bool> answered{false};
  bool quiet() const { return answered; }
};

TEST(LateAnswers, Core_LivesUntilTheLastAnswerAndCountsAsAbandoned) {
  const int before = cluster::abandoned_work();
  auto core = std::make_shared<Core>();
  const std::weak_ptr<Core> watched = core;
  leave_to_late_answers(std::move(core), milliseconds(100));
  EXPECT_EQ(cluster::abandoned_work(), before + 1);
  {
    const auto late = watched.lock();
    ASSERT_NE(late, nullptr) << "an answer would find freed memory";
    late->answered = true;
  }
  EXPECT_TRUE(test::wait_for("the core to be freed", [&] { return watched.expired(); }));
  EXPECT_TRUE(test::wait_for("the abandoned work to end",
                             [&] { return cluster::abandoned_work() == before; }));
}

TEST(LateAnswers, NothingInFlight_CoreIsFreedAtOnce) {
  const int before = cluster::abandoned_work();
  auto core = std::make_shared<Core>();
  core->answered = true;
  const std::weak_ptr<Core> watched = core;
  leave_to_late_answers(std::move(core), seconds(20));
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(cluster::abandoned_work(), before);
}

}  // namespace
}  // namespace radosload::target
