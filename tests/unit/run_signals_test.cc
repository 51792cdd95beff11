// Ctrl-C and its like at every moment of a run on a cluster, on a quiet one and on one that does
// not answer.
#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/scenario.h"

namespace radosload::test {
namespace {

using record::EndedBy;
using record::RunStatus;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr const char* paced = "--pattern randrw4k,size=1M,object-size=64k --rate 200 --time 100";

void expect_interrupted(const Played& played, int signal) {
  EXPECT_EQ(played.error, "");
  EXPECT_EQ(played.exit, Exit::interrupted);
  EXPECT_EQ(played.record.status, RunStatus::interrupted);
  EXPECT_EQ(played.record.ended_by, record::ended_by_signal(signal));
  EXPECT_EQ(record::conservation_violation(played.record), std::nullopt);
}

TEST(RunSignals, AtAnyMomentFromTheWarmUpOn_RunEndsWithARecord) {
  constexpr int moments = 80;
  constexpr milliseconds longest(1400);  // the first 700 ms are the warm-up
  std::uint64_t measured = 0;
  for (int i = 0; i < moments; ++i) {
    const int signal = i % 2 == 0 ? SIGINT : SIGTERM;
    Scenario run(std::string(paced) + " --warmup 700ms");
    run.at(longest * i / moments, user_sends(signal));
    const Played played = run.play();
    expect_interrupted(played, signal);
    measured += played.total().ops();
  }
  EXPECT_GT(measured, 0U);
}

TEST(RunSignals, Sighup_EndsARunAsCtrlCDoes) {
  Scenario run(paced);
  run.at(seconds(2), user_sends(SIGHUP));
  const Played played = run.play();
  expect_interrupted(played, SIGHUP);
  EXPECT_EQ(played.record.measured, seconds(2));
}

TEST(RunSignals, InThePrefill_NothingIsMeasured) {
  Scenario run("--pattern randread4k,size=64M --prefill-rate 8M --time 5");
  run.in_prefill(seconds(2), user_sends(SIGINT));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::interrupted);
  EXPECT_THAT(played.error, HasSubstr("SIGINT; nothing was measured"));
}

TEST(RunSignals, InTheWarmUp_RunIsNotGraded) {
  Scenario run(std::string(paced) + " --warmup 10s");
  run.at(seconds(3), user_sends(SIGINT));
  const Played played = run.play();
  expect_interrupted(played, SIGINT);
  EXPECT_EQ(played.total().ops(), 0U);
  EXPECT_EQ(played.record.grade.value, record::GradeValue::unwatched);
  ASSERT_FALSE(played.record.grade.reasons.empty());
  EXPECT_EQ(played.record.grade.reasons[0], "nothing was measured");
}

TEST(RunSignals, InTheDrain_RecordHasAllThatWasMeasured) {
  for (int moment = 0; moment < 30; ++moment) {
    Scenario run("--pattern write1m,size=64M,qd=64 --time 1", {.latency = milliseconds(900)});
    run.at(seconds(1) + milliseconds(30) * moment, user_sends(SIGINT));
    const Played played = run.play();
    EXPECT_EQ(played.total().finished.ops, 64U);
    EXPECT_EQ(played.record.measured, seconds(1));
    EXPECT_EQ(record::conservation_violation(played.record), std::nullopt);
  }
}

TEST(RunSignals, OneWhileAnOsdIsSilent_WaitsForTheDrain) {
  Scenario run("--pattern randread4k,size=4M,object-size=64k --time 100 --drain 30s");
  run.at(seconds(5), osd_stops_answering(0));
  run.at(seconds(7), user_sends(SIGINT));
  run.at(seconds(20), osd_answers_again(0));
  const Played played = run.play();
  expect_interrupted(played, SIGINT);
  EXPECT_EQ(played.record.last_answer, seconds(20));
  EXPECT_EQ(played.total().cancelled, 0U);
}

TEST(RunSignals, SecondWhileAnOsdIsSilent_CancelsAtOnce) {
  Scenario run("--pattern randread4k,size=4M,object-size=64k --time 100 --drain 30s");
  run.at(seconds(5), osd_stops_answering(0));
  run.at(seconds(7), user_sends(SIGINT));
  run.at(seconds(9), user_sends(SIGINT));
  const Played played = run.play();
  expect_interrupted(played, SIGINT);
  EXPECT_GT(played.total().cancelled, 0U);
  EXPECT_EQ(played.record.last_answer, seconds(9));
}

TEST(RunSignals, SecondWhileNotEvenACancelIsAnswered_EndsWithin5s) {
  Scenario run("--pattern randread4k,size=4M,object-size=64k --time 100 --drain 30s");
  run.at(seconds(5), osd_falls_silent(0));
  run.at(seconds(7), user_sends(SIGINT));
  run.at(seconds(9), user_sends(SIGINT));
  const Played played = run.play();
  expect_interrupted(played, SIGINT);
  EXPECT_GT(played.record.unfinished, 0U);
}

}  // namespace
}  // namespace radosload::test
