#include <array>
#include <pty.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/commands/confirm.h"

namespace radosload::cli {
namespace {

using testing::HasSubstr;

constexpr int confirmed = 0;
constexpr int refused = 4;
constexpr int interrupted = 130;

struct Asked {
  int status = -1;
  std::string shown;
};

// The question in a process of its own whose stdin and stderr are a new terminal. The keys are
// typed when the question has been shown.
Asked ask_on_terminal(const std::string& keys) {
  std::array<int, 2> ends = {-1, -1};
  EXPECT_EQ(::openpty(ends.data(), &ends[1], nullptr, nullptr, nullptr), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::login_tty(ends[1]);
    const base::Interrupts interrupts;
    const Status answer = confirm_removal(
        {.attempt = "clean up", .subject = "pool hdd", .shown = "run-a: 7 objects\n"}, interrupts);
    ::_exit(answer ? confirmed : static_cast<int>(answer.error().exit));
  }
  ::close(ends[1]);
  Asked asked;
  bool typed = false;
  std::array<char, 512> bytes{};
  for (ssize_t got = 0; (got = ::read(ends[0], bytes.data(), bytes.size())) > 0;) {
    asked.shown.append(bytes.data(), static_cast<std::size_t>(got));
    if (typed || asked.shown.find("[y/N] ") == std::string::npos) continue;
    typed = true;
    EXPECT_GT(::write(ends[0], keys.data(), keys.size()), 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(ends[0]);
  asked.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return asked;
}

TEST(ConfirmRemoval, OnATerminal_ShowsTheListAndAcceptsOnlyYes) {
  for (const char* const yes : {"y\n", "Y\n", "yes\n", " YES \n"}) {
    const Asked asked = ask_on_terminal(yes);
    EXPECT_EQ(asked.status, confirmed) << yes;
    EXPECT_THAT(asked.shown, HasSubstr("run-a: 7 objects"));
  }
  for (const char* const no : {"n\n", "\n", "no\n", "yep\n", "yy\n", "remove\n"}) {
    EXPECT_EQ(ask_on_terminal(no).status, refused) << no;
  }
}

TEST(ConfirmRemoval, EndOfFile_RemovesNothing) {
  EXPECT_EQ(ask_on_terminal("\x04").status, refused);
}

TEST(ConfirmRemoval, CtrlC_EndsWithTheStatusOfAnInterrupt) {
  EXPECT_EQ(ask_on_terminal("\x03").status, interrupted);
}

}  // namespace
}  // namespace radosload::cli
