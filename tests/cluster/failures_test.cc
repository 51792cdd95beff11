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
#include "support/grave.h"
#include "support/pool.h"
#include "support/settled.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using testing::HasSubstr;

class Failures : public Runs {
 protected:
  json last_totals() const {
    const Finished shown = test::run(launch({"report", "last", "--format", "json"}));
    EXPECT_EQ(shown.status, 0) << shown.err;
    return shown.status == 0 ? json::parse(shown.out)["totals"]["all"] : json();
  }
};

TEST_F(Failures, PoolDeletedDuringTheRun_EndsItWithTheReason) {
  TestPool pool("doomed");
  Process process(
      launch(words(pool.name(), "randrw4k,size=8M", until_ended({"--rate", light_load}))));
  ASSERT_TRUE(await_second(process, 2));
  pool.remove();
  const Finished done = process.wait();
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.out, HasSubstr("ended by errors"));
  EXPECT_THAT(done.out, HasSubstr("pool " + pool.name() + " was deleted"));
  EXPECT_FALSE(done.timed_out) << "it must not continue for its whole time";
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
  Process first(launch(words("ssd", "randrw4k,size=8M", until_ended({"--rate", light_load}))));
  ASSERT_TRUE(await_second(first, 1));
  const Finished second = run("ssd", "randrw4k,size=8M", {"--format", "json"});
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_TRUE(await_more_seconds(first, 2));
  first.signal(SIGINT);
  const Finished done = first.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_EQ(last_totals()["errors"], json::object()) << done.out;
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, ClosedPipe_IsNotAnError) {
  const std::string line = "'" + radosload_path() +
                           "' run --pool ssd --pattern randrw4k,size=8M --ops 200 --warmup 0 "
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
  ASSERT_TRUE(process.wait_for_output("prefill"));
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
      EXPECT_TRUE(processes[i]->wait_for_output(word));
      due.push_back(Clock::now() + delays[i]);
    }
    for (std::size_t i = 0; i < delays.size(); ++i) {
      // Time: signals come at moments that no program chooses.
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
                         until_ended({"--rate", "200", "--warmup", "700ms"}));
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
  // Time: the drain comes when it is over.
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
  Process process(
      launch(words("ssd", "randread4k,size=16M,object-size=64k", until_ended({"--drain", "1h"}))));
  ASSERT_TRUE(await_second(process, 1));
  ASSERT_EQ(lab({"osd", "pause", "0"}).status, 0);
  EXPECT_TRUE(process.wait_for_output("osd.0: "));
  process.signal(SIGINT);
  EXPECT_TRUE(process.wait_for_output("drain: "));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(lab({"osd", "resume", "0"}).status, 0);
  EXPECT_FALSE(done.timed_out) << "it waited for its drain";
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.out, HasSubstr("cancelled"));
  expect_cleanup_finds_the_rest("ssd", done);
}

// A PG that loses its only copy while the run goes on: its operations wait, are said, and are given
// up at the end.
TEST_F(Failures, PgWithoutItsOsd_IsReportedAndItsOperationsAreGivenUpAtTheEnd) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be stopped";
  // Time: an OSD is stopped in it, which takes a moment, and its operations wait until it is over.
  Process process(launch(
      words("hdd1", "randread4k,size=16M,object-size=64k", {"--time", "30", "--drain", "1s"})));
  ASSERT_TRUE(await_second(process, 1));
  ASSERT_EQ(lab({"osd", "stop", "0"}).status, 0);
  const auto said = process.wait_for_output("osd.0: ");
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
  const Finished done = run(pool.name(), "randread4k,size=8M");
  EXPECT_FALSE(done.timed_out) << "writes to it would wait for ever";
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("is full"));
}

TEST_F(Failures, AWallClockThatJumpsChangesNothing) {
  // Time: the length of the run is compared with it.
  Launch jumping = launch(words("ssd", "randrw4k,size=8M", {"--time", "4", "--format", "json"}));
  jumping.env.merge(jumping_clock());
  const Finished done = test::run(std::move(jumping));
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  // The test's clock does not jump.
  EXPECT_GE(record["measured_s"].get<double>(), 4);
  EXPECT_LE(record["measured_s"].get<double>(), done.seconds);
  EXPECT_LE(record["totals"]["all"]["service_us"]["max"].get<double>(), done.seconds * 1e6);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, WithoutItsOnlyMon_TheRunContinues) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's mon may be stopped";
  Process process(launch(
      words("ssd", "randrw4k,size=8M", until_ended({"--rate", light_load, "--format", "json"}))));
  ASSERT_TRUE(await_second(process, 1));
  ASSERT_EQ(lab({"mon", "stop"}).status, 0);
  EXPECT_TRUE(await_more_seconds(process, 3));
  EXPECT_TRUE(await_more_operations(process, 100));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(lab({"mon", "start"}).status, 0);
  EXPECT_EQ(done.status, interrupted) << done.err;
  const json grade = json::parse(done.out)["grade"];
  EXPECT_EQ(grade["value"], "unwatched") << grade;
  EXPECT_THAT(grade["reasons"].dump(), HasSubstr("what the mons show was not watched"));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Failures, KilledOsd_DelaysOperationsAndTheRunContinues) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be killed";
  Process process(launch(words("ssd", "randrw4k,size=8M,object-size=64k",
                               until_ended({"--rate", light_load, "--format", "json"}))));
  ASSERT_TRUE(await_second(process, 2));
  ASSERT_EQ(lab({"osd", "kill", "2"}).status, 0);
  ASSERT_EQ(lab({"osd", "start", "2"}).status, 0);
  // Its PGs are active again, and all that was delayed is done.
  await_clean();
  EXPECT_TRUE(await_more_seconds(process, 2));
  process.signal(SIGINT);
  const Finished done = process.wait();
  ASSERT_EQ(done.status, interrupted) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["totals"]["all"]["errors"], json::object());
  std::uint64_t timeline = 0;
  for (const json& second : record["timeline"])
    timeline += second["timed_ops"].get<std::uint64_t>();
  EXPECT_EQ(timeline, record["totals"]["all"]["ops"].get<std::uint64_t>()) << wrong_figure;
  EXPECT_EQ(names_in("ssd"), "");
}

}  // namespace
}  // namespace radosload::test
