#include <functional>
#include <sys/prctl.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/random.h"
#include "engine/real_loop.h"
#include "engine/sim_loop.h"

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;

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

TEST(SimLoop, TaskInThePast_RunsAtOnce) {
  SimLoop loop;
  Time ran{0};
  loop.at(seconds(2), [&] { loop.at(seconds(1), [&] { ran = loop.now(); }); });
  loop.run();
  EXPECT_EQ(ran, seconds(2));
}

// What a signal does: the thread that reads it posts into a loop that is running.
TEST(SimLoop, AcceptsPostsOfOtherThreadsWhileItRuns) {
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

TEST(RealLoop, EarlierTask_DoesNotWaitForALaterOne) {
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

TEST(RealLoop, HasNoTimerSlackWhileItRuns) {
  RealLoop loop;
  const int before = ::prctl(PR_GET_TIMERSLACK);
  int slack = 0;
  loop.post([&] {
    slack = ::prctl(PR_GET_TIMERSLACK);
    loop.stop();
  });
  loop.run();
  EXPECT_EQ(slack, 1);
  EXPECT_EQ(::prctl(PR_GET_TIMERSLACK), before);
}

// It spins most of the time, and must not miss what others bring meanwhile.
TEST(RealLoop, PunctualLoop_RunsNothingEarlyAndAcceptsPosts) {
  constexpr int posts = 2000;
  constexpr Time gap = std::chrono::microseconds(20);
  RealLoop loop(RealLoop::Clock::now(), Waking::punctual);
  int ran = 0;
  int early = 0;
  Time due = loop.now();
  std::function<void()> tick = [&] {
    if (loop.now() < due) ++early;
    if (ran == posts) return loop.stop();
    due = loop.now() + gap;
    loop.at(due, tick);
  };
  loop.at(due, tick);
  std::thread other([&] {
    for (int i = 0; i < posts; ++i) loop.post([&] { ++ran; });
  });
  loop.run();
  other.join();
  EXPECT_EQ(ran, posts);
  EXPECT_EQ(early, 0);
}

TEST(RealLoop, SpinningLoop_StopsOnRequest) {
  RealLoop loop(RealLoop::Clock::now(), Waking::punctual);
  std::thread other([&] { loop.stop(); });
  loop.at(loop.now() + seconds(1000), [] {});
  loop.run();
  other.join();
}

TEST(WakeLead, SettlesWhere2PercentOfWakeUpsAreLater) {
  WakeLead lead;
  Random luck(3, "wake-ups");
  int later = 0;
  constexpr int wake_ups = 100'000;
  for (int i = 0; i < wake_ups; ++i) {
    // From 10 to 60 us, evenly.
    const Time late = std::chrono::nanoseconds(10'000 + luck.below(50'000));
    later += late > lead.ahead() ? 1 : 0;
    lead.learn(late);
  }
  EXPECT_NEAR(later, wake_ups / 50, wake_ups / 200);
  EXPECT_NEAR(static_cast<double>(lead.ahead().count()), 59'000, 6'000);
}

TEST(WakeLead, IsBounded) {
  WakeLead lead;
  for (int i = 0; i < 1000; ++i) lead.learn(milliseconds(20));
  EXPECT_EQ(lead.ahead(), WakeLead::longest);
  for (int i = 0; i < 10'000; ++i) lead.learn(Time(0));
  EXPECT_EQ(lead.ahead(), Time(0));
}

TEST(SpinRight, HalfOfTheProcessorsAtATime) {
  std::atomic<unsigned> spinning{0};
  const SpinRight first(spinning, 4);
  EXPECT_TRUE(first.granted());
  {
    const SpinRight second(spinning, 4);
    EXPECT_TRUE(second.granted());
    EXPECT_FALSE(SpinRight(spinning, 4).granted());
  }
  EXPECT_TRUE(SpinRight(spinning, 5).granted());
  std::atomic<unsigned> none{0};
  EXPECT_FALSE(SpinRight(none, 1).granted()) << "the only processor is for others";
  EXPECT_EQ(none, 0U);
}

}  // namespace
}  // namespace radosload::engine
