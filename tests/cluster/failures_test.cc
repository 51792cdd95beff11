// Runs while things break, or with rights that do not suffice: each says what happened, ends in
// time with the right status, and leaves nothing behind.

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/runs.h"
#include "support/pool.h"
#include "support/settled.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

class Failures : public Runs {};

TEST_F(Failures, PoolDeletedDuringTheRun_EndsItWithTheReason) {
  TestPool pool("doomed");
  Process process(
      launch(words(pool.name(), "randrw4k,size=8M", {"--time", "100", "--rate", light_load})));
  ASSERT_TRUE(process.wait_for_output("    2 ", seconds(40)));
  pool.remove();
  const Finished done = process.wait();
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.out, HasSubstr("ended by errors"));
  EXPECT_THAT(done.out, HasSubstr("pool " + pool.name() + " was deleted"));
  EXPECT_LT(done.seconds, 60) << "it must not go on for its whole time";
  const Finished shown = test::run(launch({"report", "last", "--format", "json"}));
  ASSERT_EQ(shown.status, 0) << shown.err;
  const json grade = json::parse(shown.out)["grade"];
  EXPECT_EQ(grade["value"], "void") << grade;
  EXPECT_THAT(grade["reasons"].dump(), HasSubstr("pool " + pool.name() + " was deleted, at "));
}

TEST_F(Failures, UserWithoutWriteRights_ErrorNamesTheRights) {
  const CephUser user("may-read", {"mon", "allow r", "mgr", "allow r", "osd", "allow r"});
  const Finished done = as(user);
  EXPECT_EQ(done.status, no_cluster);
  EXPECT_THAT(done.err, HasSubstr("EPERM"));
  EXPECT_THAT(done.err, HasSubstr("allow rw"));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, AUserOfOneNamespaceMeasuresThereAndNowhereElse) {
  const CephUser user(
      "one-ns", {"mon", "allow r", "mgr", "allow r", "osd", "allow rw pool=ssd namespace=mine"});
  EXPECT_EQ(as(user, "mine").status, 0);
  EXPECT_EQ(as(user).status, no_cluster);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, UserWithoutMgrRights_StillMeasures) {
  const CephUser user("no-mgr", {"mon", "allow r", "osd", "allow rw"});
  const Finished done = as(user);
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, TwoRunsOnOnePool_DoNotDisturbEachOthersObjects) {
  Process first(launch(words("ssd", "randrw4k,size=8M", {"--time", "3", "--format", "json"})));
  const Finished second = run("ssd", "randrw4k,size=8M", {"--time", "3", "--format", "json"});
  const Finished done = first.wait();
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, ClosedPipe_IsNotAnError) {
  const std::string line = "'" + radosload_path() +
                           "' run --pool ssd --pattern randrw4k,size=8M --time 1 --warmup 0 "
                           "--no-progress | true; echo ${PIPESTATUS[0]}";
  const Finished done = test::run({.words = {"bash", "-c", line}, .env = env()});
  EXPECT_EQ(done.out, "0\n") << done.err;
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, SigtermEndsItLikeCtrlC) {
  expect_it_ends_in_order(SIGTERM, "SIGTERM");
}

TEST_F(Failures, CtrlCInPrefillMeasuresNothingAndLeavesNothing) {
  Process process(launch(words("ssd", "randread4k,size=1G", {"--prefill-rate", "8M"})));
  ASSERT_TRUE(process.wait_for_output("prefill", seconds(40)));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.err, HasSubstr("nothing was measured"));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, SighupEndsItLikeCtrlC) {
  expect_it_ends_in_order(SIGHUP, "SIGHUP");
}

// Runs beside each other that get a signal each, at moments of their own.
class SignalledRuns : public Runs {
 protected:
  static constexpr int at_once = 5;

  // The i-th of them gets it so long after it has said the word.
  std::vector<std::pair<Finished, json>> signalled(const std::vector<std::string>& run,
                                                   const std::string& word,
                                                   const std::vector<milliseconds>& delays) {
    std::vector<std::unique_ptr<Process>> processes;
    for (std::size_t i = 0; i < delays.size(); ++i) {
      std::vector<std::string> words = run;
      words.insert(words.end(), {"--save", saved(i)});
      Launch given = launch(std::move(words));
      given.err = Sink::terminal;  // where each phase is shown
      processes.push_back(std::make_unique<Process>(std::move(given)));
    }
    using Clock = std::chrono::steady_clock;
    std::vector<Clock::time_point> due;
    for (std::size_t i = 0; i < delays.size(); ++i) {
      EXPECT_TRUE(processes[i]->wait_for_output(word, seconds(60)));
      due.push_back(Clock::now() + delays[i]);
    }
    for (std::size_t i = 0; i < delays.size(); ++i) {
      std::this_thread::sleep_until(due[i]);
      processes[i]->signal(signal_of(i));
    }
    std::vector<std::pair<Finished, json>> ended;
    for (std::size_t i = 0; i < delays.size(); ++i) {
      Finished done = processes[i]->wait();
      json record = std::filesystem::exists(saved(i)) ? json::parse(read_file(saved(i))) : json();
      EXPECT_TRUE(record.is_object()) << done.err;
      std::filesystem::remove(saved(i));
      ended.emplace_back(std::move(done), std::move(record));
    }
    EXPECT_EQ(names_in("ssd"), "");
    return ended;
  }
  static int signal_of(std::size_t i) { return i % 2 == 0 ? SIGINT : SIGTERM; }
  std::string saved(std::size_t i) const {
    return (m_state.path() / (std::to_string(i) + ".json")).string();
  }
  static void expect_interrupted(const std::pair<Finished, json>& run, std::size_t i) {
    EXPECT_EQ(run.first.status, interrupted) << run.first.err;
    EXPECT_EQ(run.second["status"], "interrupted");
    EXPECT_EQ(run.second["ended_by"], signal_of(i) == SIGINT ? "SIGINT" : "SIGTERM");
  }
};

TEST_F(SignalledRuns, AtAnyMomentFromTheWarmUpOnEndWith130AndARecord) {
  constexpr int rounds = 8;
  constexpr int longest_ms = 1400;  // the warm-up is the first 700 ms
  const auto run = words("ssd", "randrw4k,size=1M,object-size=64k",
                         {"--rate", "200", "--time", "100", "--warmup", "700ms"});
  std::uint64_t measured = 0;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    std::vector<milliseconds> delays;
    for (int i = 0; i < at_once; ++i) {
      delays.emplace_back((i * rounds + round) * longest_ms / (at_once * rounds));
    }
    const auto ended = signalled(run, "warm-up ", delays);
    for (std::size_t i = 0; i < ended.size(); ++i) {
      expect_interrupted(ended[i], i);
      measured += ended[i].second["totals"]["all"]["ops"].get<std::uint64_t>();
    }
  }
  EXPECT_GT(measured, 0U);
}

// A run whose time is over when the signal comes may have ended before it.
TEST_F(SignalledRuns, InTheDrainEndWithARecordOfAllThatWasMeasured) {
  const auto run = words("ssd", "write1m,size=64M,qd=64", {"--time", "1"});
  std::vector<milliseconds> delays;
  for (int i = 0; i < at_once; ++i) delays.emplace_back(i * 30);
  const auto ended = signalled(run, "drain ", delays);
  for (const auto& [done, record] : ended) {
    if (done.status == interrupted) {
      EXPECT_NE(record["status"], "incomplete");
    } else {
      EXPECT_EQ(done.status, 0) << done.err;
      EXPECT_EQ(record["status"], "complete");
    }
    EXPECT_GT(record["totals"]["all"]["ops"].get<std::uint64_t>(), 0U);
  }
}

// The first Ctrl-C waits for an OSD that does not answer; the second does not.
TEST_F(Failures, SecondCtrlC_DoesNotWaitForStuckOperations) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be paused";
  Process process(launch(words("ssd", "randread4k,size=16M,object-size=64k", {"--time", "100"})));
  ASSERT_TRUE(process.wait_for_output("    1 ", seconds(40)));
  ASSERT_EQ(lab({"osd", "pause", "0"}).status, 0);
  process.signal(SIGINT);
  EXPECT_TRUE(process.wait_for_output("drain: ", seconds(30)));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(lab({"osd", "resume", "0"}).status, 0);
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.out, HasSubstr("cancelled"));
  EXPECT_LT(done.seconds, 75) << "a drain of 30 s, and 15 s for what cannot be cleaned up";
  expect_cleanup_finds_the_rest("ssd", done);
}

// A PG that loses its only copy while the run goes on: its operations wait, are said, and are given
// up at the end.
TEST_F(Failures, PgWithoutItsOsd_IsReportedAndItsOperationsAreGivenUpAtTheEnd) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be stopped";
  Process process(launch(
      words("hdd1", "randread4k,size=16M,object-size=64k", {"--time", "14", "--drain", "1s"})));
  ASSERT_TRUE(process.wait_for_output("    1 ", seconds(40)));
  ASSERT_EQ(lab({"osd", "stop", "0"}).status, 0);
  const auto said = process.wait_for_output("osd.0: ", seconds(25));
  const Finished done = process.wait();
  EXPECT_EQ(lab({"osd", "start", "0"}).status, 0);
  EXPECT_TRUE(said) << done.err;
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.out, HasSubstr("cancelled"));
  expect_cleanup_finds_the_rest("hdd1", done);
  await_clean();
}

TEST_F(Failures, UserWithoutReadRights_ErrorNamesTheRights) {
  const CephUser user("may-write", {"mon", "allow r", "mgr", "allow r", "osd", "allow w"});
  const Finished done = as(user);
  EXPECT_EQ(done.status, no_cluster) << done.out;
  EXPECT_THAT(done.err, HasSubstr("EPERM"));
  EXPECT_THAT(done.err, HasSubstr("allow rw"));
  // Who may not read cannot clean up either.
  EXPECT_EQ(radosload_here({"cleanup", "--yes", "--pool", "ssd"}).status, 0);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, APoolAtItsQuotaIsRefused) {
  TestPool pool("at-quota");
  pool.fill_to_quota();
  const Finished done = run(pool.name(), "randread4k,size=8M", {"--time", "1"});
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("is full"));
  EXPECT_LT(done.seconds, 45) << "writes to it would wait for ever";
}

TEST_F(Failures, AWallClockThatJumpsChangesNothing) {
  Launch jumping = launch(words("ssd", "randrw4k,size=8M", {"--time", "4", "--format", "json"}));
  jumping.env.merge(jumping_clock());
  const Finished done = test::run(std::move(jumping));
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  EXPECT_NEAR(record["measured_s"].get<double>(), 4, 0.5);
  EXPECT_LT(record["totals"]["all"]["service_us"]["max"].get<double>(), 60e6);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, WithoutItsOnlyMon_TheRunContinues) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's mon may be stopped";
  Process process(launch(
      words("ssd", "randrw4k,size=8M", {"--time", "6", "--rate", light_load, "--format", "json"})));
  ASSERT_TRUE(process.wait_for_output("    1 ", seconds(40)));
  ASSERT_EQ(lab({"mon", "stop"}).status, 0);
  const Finished done = process.wait();
  EXPECT_EQ(lab({"mon", "start"}).status, 0);
  EXPECT_EQ(done.status, 0) << done.err;
  const json grade = json::parse(done.out)["grade"];
  EXPECT_EQ(grade["value"], "unwatched") << grade;
  EXPECT_THAT(grade["reasons"].dump(), HasSubstr("what the mons show was not watched"));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, KilledOsd_DelaysOperationsAndTheRunCompletes) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be killed";
  Process process(launch(words("ssd", "randrw4k,size=8M,object-size=64k",
                               {"--time", "8", "--rate", light_load, "--format", "json"})));
  ASSERT_TRUE(process.wait_for_output("    2 ", seconds(40)));
  ASSERT_EQ(lab({"osd", "kill", "2"}).status, 0);
  ASSERT_EQ(lab({"osd", "start", "2"}).status, 0);
  const Finished done = process.wait();
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  std::uint64_t timeline = 0;
  for (const json& second : record["timeline"])
    timeline += second["timed_ops"].get<std::uint64_t>();
  EXPECT_EQ(timeline, record["totals"]["all"]["ops"].get<std::uint64_t>());
  EXPECT_EQ(names_in("ssd"), "");
  await_clean();
}

}  // namespace
}  // namespace radosload::test
