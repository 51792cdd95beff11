#include <csignal>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/interrupts.h"
#include "support/wait_for.h"

namespace radosload::base {
namespace {

// Signals that one test has blocked are nothing to the next.
class CleanSignals {
 public:
  CleanSignals() {
    sigset_t ours{};
    ::sigemptyset(&ours);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&ours, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &ours, &m_before);
  }
  ~CleanSignals() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
  CleanSignals(const CleanSignals&) = delete;
  CleanSignals& operator=(const CleanSignals&) = delete;
  CleanSignals(CleanSignals&&) = delete;
  CleanSignals& operator=(CleanSignals&&) = delete;

 private:
  sigset_t m_before{};
};

class InterruptsTest : public ::testing::Test {
 protected:
  CleanSignals m_signals;
  int m_left = 0;  // how often the process would have been ended
  Interrupts m_interrupts{[this] { ++m_left; }};
};

TEST_F(InterruptsTest, FirstSignalEndsTheRun_SecondSkipsWaiting_ThirdExits) {
  EXPECT_EQ(m_interrupts.count(), 0);
  EXPECT_EQ(m_interrupts.name(), "");
  m_interrupts.notice(SIGINT);
  EXPECT_EQ(m_interrupts.count(), 1);
  EXPECT_FALSE(m_interrupts.hurry());
  m_interrupts.notice(SIGTERM);
  EXPECT_TRUE(m_interrupts.hurry());
  EXPECT_EQ(m_left, 0) << "what the run has measured is still to be shown";
  EXPECT_EQ(m_interrupts.name(), "SIGINT") << "that one has ended the run";
  m_interrupts.notice(SIGINT);
  EXPECT_EQ(m_left, 1);
}

TEST_F(InterruptsTest, AListenerHearsTheFirstTwoAndNotTheThird) {
  std::vector<int> heard;
  const Interrupts::Listening listening(m_interrupts,
                                        [&](int count, int) { heard.push_back(count); });
  for (int i = 0; i < 3; ++i) m_interrupts.notice(SIGINT);
  EXPECT_EQ(heard, (std::vector<int>{1, 2}));
  EXPECT_EQ(m_left, 1);
}

TEST_F(InterruptsTest, ListenerRuns_BeforeTheCountChanges) {
  std::vector<int> seen;
  const Interrupts::Listening listening(m_interrupts,
                                        [&](int, int) { seen.push_back(m_interrupts.count()); });
  m_interrupts.notice(SIGINT);
  m_interrupts.notice(SIGINT);
  EXPECT_EQ(seen, (std::vector<int>{0, 1})) << "told before anybody can see it";
}

TEST_F(InterruptsTest, SignalBeforeTheListener_IsDelivered) {
  m_interrupts.notice(SIGTERM);
  std::pair<int, int> heard;
  const Interrupts::Listening listening(m_interrupts, [&](int count, int signal) {
    heard = {count, signal};
  });
  EXPECT_EQ(heard, std::pair(1, SIGTERM));
}

// The kernel sends one to the session and one when the shell ends, the shell one to its jobs.
TEST_F(InterruptsTest, ClosingTerminalSendsTwoSighups_CountIsOne) {
  for (int i = 0; i < 4; ++i) m_interrupts.notice(SIGHUP);
  EXPECT_EQ(m_interrupts.count(), 1);
  EXPECT_EQ(m_interrupts.name(), "SIGHUP");
  m_interrupts.notice(SIGINT);
  m_interrupts.notice(SIGHUP);
  EXPECT_EQ(m_interrupts.count(), 2);
  EXPECT_EQ(m_left, 0);
}

TEST_F(InterruptsTest, SignalsOfTheKernelAreRead) {
  ::kill(::getpid(), SIGTERM);
  EXPECT_TRUE(test::wait_for("the signal", [&] { return m_interrupts.count() == 1; }));
  EXPECT_EQ(m_interrupts.name(), "SIGTERM");
}

TEST(InterruptsProcess, TheThirdEndsTheProcess) {
  EXPECT_EXIT(
      {
        Interrupts interrupts;
        for (int i = 0; i < 3; ++i) interrupts.notice(SIGINT);
        std::exit(0);
      },
      ::testing::ExitedWithCode(130), "");
}

// The program of nohup ignores SIGHUP, and whoever it starts inherits that.
TEST(InterruptsProcess, AnIgnoredSighupStaysIgnored) {
  EXPECT_EXIT(
      {
        ::signal(SIGHUP, SIG_IGN);
        Interrupts interrupts;
        ::kill(::getpid(), SIGHUP);
        ::kill(::getpid(), SIGINT);
        while (interrupts.count() == 0) ::usleep(1000);
        std::exit(interrupts.name() == "SIGINT" ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace radosload::base
