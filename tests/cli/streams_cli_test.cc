// What becomes of the program when nobody reads what it says: stderr and stdout that cannot be
// written, and terminals that close.

#include <csignal>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/nowhere.h"
#include "cli/study_cli.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/places.h"
#include "support/process.h"
#include "support/stdout_commands.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Words = std::vector<std::string>;

const char* name_of(Sink sink) {
  switch (sink) {
    case Sink::nobody:
      return "Nobody";
    case Sink::full:
      return "Full";
    case Sink::closed:
      return "Closed";
    case Sink::terminal:
      return "Terminal";
    case Sink::own_terminal:
      return "OwnTerminal";
    case Sink::pipe:
      break;
  }
  return "Pipe";
}

class Streams : public testing::Test {
 protected:
  Launch launch(Words words) const {
    words.insert(words.begin(), radosload_path());
    return {.words = std::move(words), .env = env_without_cluster(m_state.path())};
  }
  Finished run(Words words, Sink out, Sink err) const {
    Launch given = launch(std::move(words));
    given.out = out;
    given.err = err;
    return test::run(std::move(given));
  }
  // In the store from here on, so that there is something to show.
  void measure(const Words& more = {}) const {
    Words words = {"--target", "sim", "--pattern", "randread4k",         "--time",       "1",
                   "--warmup", "0",   "--sim",     "latency=const:10ms", "--no-progress"};
    words.insert(words.end(), more.begin(), more.end());
    ASSERT_EQ(run(std::move(words), Sink::pipe, Sink::pipe).status, 0);
  }
  json last_record() const {
    const Finished shown = run({"report", "last", "--format", "json"}, Sink::pipe, Sink::pipe);
    EXPECT_EQ(shown.status, 0) << shown.err;
    return json::parse(shown.out);
  }

  TemporaryFolder m_state;
};

class DeadStderr : public Streams, public testing::WithParamInterface<Sink> {};

// Of each command one that says something on stderr, with its status.
std::vector<std::pair<Words, int>> talkative_commands() {
  return {{{"--target", "sim", "--pattern", "randread4k", "--time", "12"}, 0},
          {{"--target", "sim", "--pattern", "randread4k,qd=1:2", "--time", "1"}, 0},
          {{"list"}, 0},
          {{"report", "no-such-run"}, usage},
          {{"explain", "no-such-run"}, usage},
          {{"compare", "last", "no-such-run"}, usage},
          {{"baseline", "check", "no-such"}, usage},
          {{"patterns", "no-such"}, usage},
          {{"help", "nonsense"}, usage},
          {{"nonsense"}, usage},
          {{}, usage},
          {{"trace", "/no/such/file"}, usage},
          {{"status", "--cluster", "nosuch"}, no_cluster},
          {{"osds", "--cluster", "nosuch"}, no_cluster},
          {{"cleanup", "--pool", "hdd", "--cluster", "nosuch"}, no_cluster},
          {{"scratch", "create", "--osd", "0", "--cluster", "nosuch"}, no_cluster},
          {{"replicas", "--pool", "hdd", "--cluster", "nosuch"}, no_cluster},
          {{"--pool", "hdd", "--pattern", "randread4k", "--cluster", "nosuch"}, no_cluster},
          {{"auth"}, 0},
          {{"join", "big", "--pool", "hdd", "--cluster", "nosuch"}, no_cluster},
          {{"watch", "--cluster", "nosuch"}, no_cluster},
          {{"time", "bench", "--osd", "0", "--cluster", "nosuch"}, no_cluster},
          {{"study", "no-such"}, usage},
          {{"probe", "--pool", "hdd", "--cluster", "nosuch"}, no_cluster},
          {{"bug-report", "no-such-run"}, usage},
          {{"mark", "nothing runs"}, flawed}};
}

TEST_P(DeadStderr, EveryCommand_KeepsItsExitStatus) {
  for (const auto& [words, status] : talkative_commands()) {
    const Finished done = run(words, Sink::pipe, GetParam());
    EXPECT_EQ(done.status, status) << (words.empty() ? "no words" : words.front());
  }
  EXPECT_EQ(last_record()["status"], "complete");
}

INSTANTIATE_TEST_SUITE_P(Every, DeadStderr, testing::Values(Sink::nobody, Sink::full, Sink::closed),
                         [](const auto& one) { return name_of(one.param); });

// A record must never be written into a descriptor that somebody takes for stderr.
TEST_F(Streams, ClosedDescriptors_AreNotReusedForFiles) {
  measure();
  Launch given = launch({"report", "no-such-run"});
  given.out = Sink::closed;
  given.err = Sink::closed;
  EXPECT_EQ(test::run(std::move(given)).status, usage);
  EXPECT_EQ(last_record()["status"], "complete");
}

class UnwritableStdout : public Streams, public testing::WithParamInterface<Sink> {};

// With one run in the store, of which there is a trace. Each is given its formats.
std::vector<Words> commands_without_cluster(const std::string& trace) {
  const std::string figures = in_source("docs/examples/wal-vs-db-matched.csv");
  const Words sim = {"run", "--target", "sim", "--pattern", "randread4k", "--time", "1"};
  const Words steps = {"run", "--target", "sim", "--pattern", "randread4k,qd=1:2", "--time", "1"};
  const Words arms = {"compare", "--csv", figures};
  const std::vector<std::pair<Words, Words>> commands = {
      {{"list"}, {"text", "json", "csv"}},
      {{"list", "--steps"}, {"text"}},
      {{"report", "last"},
       {"text", "json", "csv", "prometheus", "rados-bench", "rados-bench-json", "fio-json"}},
      {{"explain", "last"}, {"text", "json"}},
      {{"compare", "last", "last"}, {"text", "json"}},
      {{"baseline", "list"}, {"text", "json"}},
      {arms, {"text", "json", "markdown", "go-bench"}},
      {{"patterns"}, {"text", "json"}},
      {{"patterns", "randrw4k"}, {"text", "json"}},
      {{"patterns", "kbench"}, {"text"}},
      {{"probe", "--target", "sim", "--rounds", "2"}, {"text", "json"}},
      {{"auth"}, {"text", "json"}},
      {{"auth", "run"}, {"text", "json"}},
      {{"trace", trace}, {"text", "json", "csv", "rados-bench"}},
      {{"study", "wal-vs-db", "--print"}, {"text"}},
      {sim, {"text", "json", "csv", "prometheus", "rados-bench", "rados-bench-json", "fio-json"}},
      {steps, {"text", "json", "csv"}},
      {{"mark", "restart", "osd.3"}, {"text", "json"}}};
  std::vector<Words> all = {
      {"help"},          {"help", "config"}, {"help", "run"},       {"--help"},
      {"run", "--help"}, {"--version"},      {"bug-report", "last"}};
  for (const auto& [command, formats] : commands) {
    for (const std::string& format : formats) {
      all.push_back(command);
      if (format != "text") all.back().insert(all.back().end(), {"--format", format});
    }
  }
  for (const Words& plan : {sim, steps}) {
    for (const char* const format : {"text", "json"}) {
      all.push_back(plan);
      all.back().insert(all.back().end(), {"--dry-run", "--format", format});
    }
  }
  return all;
}

TEST_P(UnwritableStdout, EveryCommand_ReportsItWithStatus1) {
  const TemporaryFolder folder;
  const std::string trace = (folder.path() / "run.npy").string();
  measure({"--trace", trace});
  Launch marked = launch({"--target", "sim", "--sim", "latency=const:10ms", "--threads", "1",
                          "--pattern", "randread4k", "--time", "1h", "--warmup", "0"});
  Process live(std::move(marked));
  ASSERT_TRUE(live.wait_for_output("sec Cur ops"));
  const char* const reason = GetParam() == Sink::full ? "ENOSPC" : "EBADF";
  for (const Words& words : commands_without_cluster(trace)) {
    Launch given = launch(words);
    given.out = GetParam();
    given.directory = folder.path().string();
    const Finished done = test::run(std::move(given));
    EXPECT_EQ(done.status, flawed) << testing::PrintToString(words) << done.err;
    EXPECT_THAT(done.err, HasSubstr("cannot write the result to stdout"))
        << testing::PrintToString(words);
    EXPECT_THAT(done.err, HasSubstr(reason)) << testing::PrintToString(words);
  }
  live.signal(SIGINT);
  EXPECT_EQ(live.wait().status, interrupted);
}

class UnwritableVerdict : public StudyCli {};

TEST_F(UnwritableVerdict, EveryFormat_ReportsIt) {
  const std::string file = saved(study());
  ASSERT_EQ(resume(file).status, 0);
  for (const char* const format : {"text", "json", "markdown", "go-bench"}) {
    const Finished done = test::run({.words = {radosload_path(), "study", "--resume", file,
                                               "--no-progress", "--format", format},
                                     .env = env(),
                                     .out = Sink::full});
    EXPECT_EQ(done.status, flawed) << format << done.err;
    EXPECT_THAT(done.err, HasSubstr("cannot write the result to stdout")) << format;
  }
}

// Lines of two words and more that are indented by two: the topics stand before the commands.
std::set<std::string> commands_of_help(const std::string& help) {
  std::set<std::string> commands;
  std::istringstream lines(help.substr(help.find("help COMMAND")));
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 3 || !line.starts_with("  ") || line[2] == ' ') continue;
    commands.insert(line.substr(2, line.find(' ', 2) - 2));
  }
  return commands;
}

TEST_F(Streams, EveryCommandIsTriedWithADeadStderr) {
  std::set<std::string> tried = {"run", "help"};
  for (const auto& [words, status] : talkative_commands()) {
    if (!words.empty()) tried.insert(words.front());
  }
  for (const std::string& command : commands_of_help(run({"help"}, Sink::pipe, Sink::pipe).out)) {
    EXPECT_TRUE(tried.contains(command)) << command;
  }
}

TEST_F(Streams, EveryCommand_IsTestedWithAnUnwritableStdout) {
  std::set<std::string> listed = {silent_command};
  for (const Words& words : commands_without_cluster("run.npy")) listed.insert(words.front());
  for (const Words& words : commands_of_a_cluster()) listed.insert(words.front());
  const auto commands = commands_of_help(run({"help"}, Sink::pipe, Sink::pipe).out);
  EXPECT_GT(commands.size(), 15U);
  for (const std::string& command : commands) EXPECT_TRUE(listed.contains(command)) << command;
}

INSTANTIATE_TEST_SUITE_P(Every, UnwritableStdout, testing::Values(Sink::full, Sink::closed),
                         [](const auto& one) { return name_of(one.param); });

TEST_F(Streams, ClosedPipe_IsNotAnError) {
  measure();
  for (const Words& words :
       {Words{"list"}, Words{"report", "last", "--format", "json"}, Words{"--help"},
        Words{"--target", "null", "--pattern", "randread4k", "--ops", "100", "--warmup", "0",
              "--no-progress"}}) {
    const Finished done = run(words, Sink::nobody, Sink::pipe);
    EXPECT_EQ(done.status, 0) << words.front();
    EXPECT_EQ(done.err, "") << words.front();
  }
}

TEST_F(Streams, ARunThatWasInterruptedKeepsItsStatus) {
  Launch given =
      launch({"--target", "null", "--pattern", "randread4k", "--rate", "1000", "--time", "60"});
  given.out = Sink::full;
  Process process(std::move(given));
  ASSERT_TRUE(process.wait_for_output("sec Cur ops"));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted);
  EXPECT_THAT(done.err, HasSubstr("ENOSPC"));
  EXPECT_THAT(done.err, HasSubstr("'radosload report' shows it again"));
}

// ---- terminals that close ----

class DeadTerminal : public Streams {
 protected:
  // Of a run that has reached the phase when its terminal closes.
  Finished closed_in(const std::string& phase, Words words, Sink terminal) const {
    Launch given = launch(std::move(words));
    given.err = terminal;
    Process process(std::move(given));
    EXPECT_TRUE(process.wait_for_output(phase + " "));
    process.hang_up();
    return process.wait();
  }
  static Words real_time(const std::string& warmup, const std::string& time,
                         const std::string& latency) {
    return {"--target",  "sim",        "--sim",    "threads=1,latency=" + latency,
            "--pattern", "randread4k", "--warmup", warmup,
            "--time",    time};
  }
};

TEST_F(DeadTerminal, EndsARunInWarmUpLikeCtrlC) {
  const Finished done = closed_in("warm-up", real_time("50", "1", "const:5ms"), Sink::own_terminal);
  EXPECT_EQ(done.status, interrupted);
  const json record = last_record();
  EXPECT_EQ(record["status"], "interrupted");
  EXPECT_EQ(record["ended_by"], "SIGHUP");
}

TEST_F(DeadTerminal, EndsARunInItsMeasuredPhaseLikeCtrlC) {
  const Finished done = closed_in("measure", real_time("0", "50", "const:5ms"), Sink::own_terminal);
  EXPECT_EQ(done.status, interrupted);
  EXPECT_THAT(done.out, HasSubstr("SIGHUP"));
  const json record = last_record();
  EXPECT_EQ(record["status"], "interrupted");
  EXPECT_GT(record["totals"]["all"]["ops"].get<int>(), 0);
}

TEST_F(DeadTerminal, InTheDrainKeepsWhatWasMeasured) {
  const Finished done = closed_in("drain", real_time("0", "4", "const:3s"), Sink::own_terminal);
  EXPECT_TRUE(done.status == interrupted || done.status == 0) << done.status;
  EXPECT_GT(last_record()["totals"]["all"]["ops"].get<int>(), 0);
}

TEST_F(DeadTerminal, EndsASeriesLikeCtrlC) {
  const Finished done =
      closed_in("measure",
                {"--target", "sim", "--sim", "threads=1,latency=const:5ms", "--pattern",
                 "randread4k,qd=1:2", "--warmup", "0", "--time", "50"},
                Sink::own_terminal);
  EXPECT_EQ(done.status, interrupted);
  EXPECT_EQ(last_record()["status"], "interrupted");
}

TEST_F(DeadTerminal, WithoutSighup_TheRunContinuesToItsEnd) {
  const std::vector<std::pair<std::string, Words>> phases = {
      {"warm-up", real_time("3", "1", "const:5ms")},
      {"measure", real_time("0", "3", "const:5ms")},
      {"drain", real_time("0", "4", "const:3s")}};
  for (const auto& [phase, words] : phases) {
    EXPECT_EQ(closed_in(phase, words, Sink::terminal).status, 0) << phase;
    EXPECT_EQ(last_record()["status"], "complete") << phase;
  }
}

TEST_F(DeadTerminal, WithoutSighup_TheSeriesContinuesToItsEnd) {
  const Finished done =
      closed_in("measure",
                {"--target", "sim", "--sim", "threads=1,latency=const:5ms", "--pattern",
                 "randread4k,qd=1:2", "--warmup", "0", "--time", "2"},
                Sink::terminal);
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(last_record()["status"], "complete");
}

TEST_F(DeadTerminal, NohupKeepsTheRunAlive) {
  Launch given = launch(real_time("0", "4", "const:5ms"));
  given.words.insert(given.words.begin(), {"bash", "-c", "trap '' HUP; exec \"$@\"", "bash"});
  given.err = Sink::own_terminal;
  Process process(std::move(given));
  ASSERT_TRUE(process.wait_for_output("measure "));
  process.hang_up();
  EXPECT_EQ(process.wait().status, 0);
  EXPECT_EQ(last_record()["status"], "complete");
}

}  // namespace
}  // namespace radosload::test
