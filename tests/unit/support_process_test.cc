// How tests start programs.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/process.h"

namespace radosload::test {
namespace {

// Threads that hold the locks of the allocator as often as they can.
class Allocating {
 public:
  Allocating() {
    for (int i = 0; i < 2; ++i) {
      m_threads.emplace_back([this] {
        std::vector<std::string> kept;
        while (!m_ended) {
          kept.emplace_back(std::size_t{16} << kept.size() % 12, 'x');
          if (kept.size() > 100) kept.clear();
        }
      });
    }
  }
  ~Allocating() {
    m_ended = true;
    for (std::thread& thread : m_threads) thread.join();
  }
  Allocating(const Allocating&) = delete;
  Allocating& operator=(const Allocating&) = delete;
  Allocating(Allocating&&) = delete;
  Allocating& operator=(Allocating&&) = delete;

 private:
  std::atomic<bool> m_ended = false;
  std::vector<std::thread> m_threads;
};

TEST(Process, WhileOtherThreadsAllocate_EveryProgramStarts) {
  const Allocating others;
  const std::vector<std::string> words(2000, "true");
  for (int i = 0; i < 100; ++i) {
    const Finished done = run({.words = words, .limit = std::chrono::seconds(20)});
    ASSERT_FALSE(done.timed_out) << "start " << i;
    ASSERT_EQ(done.status, 0) << "start " << i;
  }
}

TEST(Process, HomeIsAnEmptyFolderOfItsOwnThatIsRemoved) {
  const std::string script = R"sh(test -z "$(ls -A "$HOME")" && touch "$HOME/left" &&
      printf '%s' "$HOME$XDG_DATA_HOME")sh";
  ::setenv("XDG_DATA_HOME", "/data-of-the-user", 1);
  std::set<std::string> homes;
  for (int i = 0; i < 2; ++i) {
    const Finished done = run({.words = {"sh", "-c", script}});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_FALSE(std::filesystem::exists(done.out)) << done.out;
    homes.insert(done.out);
  }
  ::unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(homes.size(), 2U) << *homes.begin();
}

TEST(Process, EnvironmentIsTheTestsWithChanges) {
  const Finished done =
      run({.words = {"sh", "-c", "echo \"$GIVEN,${HOME-none},$RADOSLOAD_CONFIG,$PATH\""},
           .env = {{"GIVEN", "a=b"}, {"HOME", ""}}});
  EXPECT_EQ(done.out, "a=b,none,/dev/null," + std::string(std::getenv("PATH")) + "\n");
}

}  // namespace
}  // namespace radosload::test
