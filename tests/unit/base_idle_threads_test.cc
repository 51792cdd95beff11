#include <atomic>
#include <chrono>
#include <csignal>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/idle_threads.h"

namespace radosload::base {
namespace {

TEST(IdleThreads, WorkRunsAtOnce_ThoughOtherWorkWaits) {
  std::latch all(5);  // each waits for the four others
  run_together(5, [&] { all.arrive_and_wait(); });
  std::latch again(5);
  run_together(5, [&] { again.arrive_and_wait(); });
}

TEST(IdleThreads, PeriodicWork_FindsTheThreadsOfTheTimeBefore) {
  std::mutex mutex;
  std::set<pid_t> threads;  // by the kernel's numbers: glibc's are used again
  for (int round = 0; round < 20; ++round) {
    std::latch both(2);
    run_together(2, [&] {
      {
        const std::lock_guard lock(mutex);
        threads.insert(::gettid());
      }
      both.arrive_and_wait();
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_LT(threads.size(), 21U) << "each round had a new thread";
}

TEST(IdleThreads, ThatIsBusy_DelaysNoOther) {
  const auto hung = std::make_shared<std::latch>(1);
  const auto ended = std::make_shared<std::latch>(1);
  run_apart([hung, ended] {
    hung->wait();
    ended->count_down();
  });
  std::atomic<int> done{0};
  run_together(4, [&] { ++done; });
  EXPECT_EQ(done, 4);
  EXPECT_FALSE(ended->try_wait());
  hung->count_down();
  ended->wait();
}

TEST(IdleThreads, SignalsThatEndARun_AreTakenByOthers) {
  const auto here = std::this_thread::get_id();
  sigset_t blocked{};
  std::latch both(2);  // so that one of the two is on another thread
  run_together(2, [&] {
    const bool apart = std::this_thread::get_id() != here;
    if (apart) ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    both.arrive_and_wait();
  });
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) EXPECT_EQ(::sigismember(&blocked, signal), 1);
}

TEST(IdleThreads, NothingToRun_ReturnsAtOnce) {
  run_together(0, [] { FAIL() << "nothing is to run"; });
  int runs = 0;
  run_together(1, [&] { ++runs; });
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace radosload::base
