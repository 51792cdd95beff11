#include <functional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "engine/real_loop.h"
#include "engine/sim_loop.h"

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;

TEST(SimLoop, RunsTasksByTimeAndThoseOfOneTimeInOrder) {
  SimLoop loop;
  std::vector<int> order;
  std::vector<Time> times;
  const auto note = [&](int n) {
    return [&, n] {
      order.push_back(n);
      times.push_back(loop.now());
    };
  };
  loop.at(seconds(3600), note(4));
  loop.at(milliseconds(5), note(2));
  loop.at(milliseconds(5), note(3));
  loop.post(note(1));
  loop.run();
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(times, ElementsAre(seconds(0), milliseconds(5), milliseconds(5), seconds(3600)));
}

TEST(SimLoop, ATaskInThePastRunsNow) {
  SimLoop loop;
  Time ran{0};
  loop.at(seconds(2), [&] { loop.at(seconds(1), [&] { ran = loop.now(); }); });
  loop.run();
  EXPECT_EQ(ran, seconds(2));
}

// What a signal does: the thread that reads it posts into a loop that is running.
TEST(SimLoop, TakesInWhatOtherThreadsPostWhileItRuns) {
  constexpr int posts = 5000;
  SimLoop loop;
  int ran = 0;
  std::function<void()> tick = [&] {
    if (ran == posts) return loop.stop();
    loop.at(loop.now() + milliseconds(1), tick);
  };
  loop.post(tick);
  std::thread other([&] {
    for (int i = 0; i < posts; ++i) loop.post([&] { ++ran; });
  });
  loop.run();
  other.join();
  EXPECT_EQ(ran, posts);
}

TEST(SimLoop, TasksOfAnotherThreadRunByTimeToo) {
  SimLoop loop;
  std::vector<int> order;
  std::thread other([&] {
    loop.at(seconds(2), [&] { order.push_back(3); });
    loop.at(seconds(1), [&] { order.push_back(2); });
    loop.post([&] { order.push_back(1); });
  });
  other.join();
  loop.run();
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
  EXPECT_EQ(loop.now(), seconds(2));
}

TEST(RealLoop, RunsWhatOtherThreadsPostAndWaitsForWhatIsDue) {
  RealLoop loop;
  std::vector<int> order;
  const Time start = loop.now();
  Time due_ran{0};
  loop.at(start + milliseconds(30), [&] {
    order.push_back(2);
    due_ran = loop.now();
    loop.stop();
  });
  std::thread other([&] { loop.post([&] { order.push_back(1); }); });
  loop.run();
  other.join();
  EXPECT_THAT(order, ElementsAre(1, 2));
  EXPECT_GE(due_ran - start, milliseconds(30));
}

TEST(RealLoop, AnEarlierTaskIsNotHeldUpByALaterOne) {
  RealLoop loop;
  std::vector<int> order;
  loop.at(loop.now() + seconds(20), [&] { order.push_back(9); });
  std::thread other([&] {
    loop.at(loop.now() + milliseconds(5), [&] {
      order.push_back(1);
      loop.stop();
    });
  });
  loop.run();
  other.join();
  EXPECT_THAT(order, ElementsAre(1));
}

}  // namespace
}  // namespace radosload::engine
