// What a wait of a test does, and what it says when it fails.
#include <chrono>
#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/process.h"
#include "support/wait_for.h"

namespace radosload::test {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(WaitFor, HappensLater_LooksUntilThen) {
  int looks = 0;
  EXPECT_TRUE(wait_for("the third look", [&] { return ++looks == 3; }));
  EXPECT_EQ(looks, 3);
}

TEST(WaitFor, NeverHappens_SaysWhatForHowLongAndWhatItSawLast) {
  int looks = 0;
  const auto failed = wait_for(
      "osd.2 to be down", [&] { return Seen(false, "look " + std::to_string(++looks)); },
      milliseconds(30));
  EXPECT_FALSE(failed);
  EXPECT_THAT(failed.message(), AllOf(HasSubstr("waited "), HasSubstr(" s for osd.2 to be down"),
                                      HasSubstr("seen last: look " + std::to_string(looks))));
}

TEST(WaitFor, ReasonToGiveUp_LooksOnceMore) {
  bool happened = false;
  EXPECT_TRUE(wait_for(
      "something during the last pause", [&] { return happened; }, patience,
      [&]() -> std::optional<std::string> {
        happened = true;
        return "the end";
      }));
}

Launch shell(const std::string& script) {
  return {.words = {"sh", "-c", script}};
}

TEST(ProcessWaits, OutputComes_TheProgramLivesOn) {
  Process process(shell("echo one; echo two >&2; exec sleep 1000"));
  EXPECT_TRUE(process.wait_for_output("one"));
  EXPECT_TRUE(process.wait_for_output("two"));
  process.signal(SIGKILL);
  EXPECT_EQ(process.wait().status, 128 + SIGKILL);
}

TEST(ProcessWaits, ProgramEnds_StopAtOnceWithItsStatusAndLastOutput) {
  Process process(shell("echo cannot open >&2; exit 3"));
  const auto begin = std::chrono::steady_clock::now();
  const auto failed = process.wait_for_output("ready");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, patience / 2);
  EXPECT_FALSE(failed);
  EXPECT_THAT(failed.message(),
              AllOf(HasSubstr("for the output \"ready\""), HasSubstr("sh has ended with status 3"),
                    HasSubstr("Its output: cannot open")));
  EXPECT_EQ(process.wait().status, 3);
}

TEST(ProcessWaits, ProgramEndsWithWhatWasWaitedFor_IsSeen) {
  Process process(shell("echo ready"));
  EXPECT_TRUE(process.wait_for_output("ready"));
}

TEST(ProcessWaits, ProgramIsKilled_TheSignalIsInTheStatus) {
  Process process(shell("kill -KILL $$"));
  EXPECT_THAT(process.wait_for_output("ready").message(), HasSubstr("status 137"));
}

TEST(ProcessWaits, OutputIsLong_ItsEndIsShown) {
  Process process(shell("seq 100000; echo last words"));
  const std::string message = process.wait_for_output("never").message();
  EXPECT_THAT(message, AllOf(HasSubstr("last words"), Not(HasSubstr("\n12345\n"))));
}

TEST(ProcessWaits, LimitIsOver_SaysTheLookAndTheOutput) {
  Process process(shell("echo busy; exec sleep 1000"));
  ASSERT_TRUE(process.wait_for_output("busy"));
  const auto failed = process.wait_for(
      "the file", [] { return Seen(false, "no file"); }, milliseconds(1));
  EXPECT_THAT(failed.message(), AllOf(HasSubstr("for the file"), HasSubstr("seen last: no file"),
                                      HasSubstr("Its output: busy")));
}

}  // namespace
}  // namespace radosload::test
