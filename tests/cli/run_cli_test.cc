// The whole program without a cluster: the simulated and the null target, records, formats, words.

#include <csignal>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class RunCli : public testing::Test {
 protected:
  // With a run store of the test's own.
  Finished run(std::vector<std::string> words) {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }
  Finished sim(const std::string& sim, std::vector<std::string> words) {
    words.insert(words.begin(), {"--target", "sim", "--sim", sim, "--no-progress"});
    return run(std::move(words));
  }

  TemporaryFolder m_state;
};

TEST_F(RunCli, TheWordRunMayBeLeftOut) {
  const Finished with = run({"run", "--target", "sim", "--pattern", "randrw4k", "--time", "2s"});
  const Finished without = run({"--target", "sim", "--pattern", "randrw4k", "--time", "2s"});
  EXPECT_EQ(with.status, 0) << with.err;
  EXPECT_EQ(without.status, 0) << without.err;
  EXPECT_THAT(without.out, HasSubstr("randrw4k"));
}

TEST_F(RunCli, LostWrite_IsCountedAndNamedAndTheReportHasTheVerifiedShare) {
  const std::vector<std::string> words = {
      "--pattern", "randrw4k,size=1M,object-size=64k", "--time", "10", "--warmup", "0", "--seed",
      "3"};
  const Finished done = sim("latency=exp:1ms,lose=0.001", words);
  EXPECT_EQ(done.status, 1) << "reads failed";
  EXPECT_THAT(done.out, ContainsRegex("errors +read: [0-9]+ LOST_WRITE"));
  EXPECT_THAT(done.out, ContainsRegex("verified +100 % of 256 blocks followed; [0-9.]+ % of "
                                      "[0-9,]+ acknowledged writes read back"));
  EXPECT_THAT(done.err,
              ContainsRegex("LOST_WRITE: read of 4096 bytes from object [0-9]+ at offset [0-9]+, "
                            "wrong from byte [0-9]+: it returned generation [0-9]+"));
  const Finished sound = sim("latency=exp:1ms,lose=0", words);
  EXPECT_EQ(sound.status, 0) << sound.err;
}

TEST_F(RunCli, JsonHasTheKeysThatScriptsRelyOnAndAddsUp) {
  const Finished done = sim("latency=exp:1ms,osds=3,error=EIO:0.1",
                            {"--pattern", "randrw4k", "--time", "5", "--format", "json"});
  EXPECT_EQ(done.status, 1) << "operations failed";
  const json record = json::parse(done.out);
  EXPECT_EQ(record["schema"], "radosload.run/1");
  EXPECT_EQ(record["status"], "complete");
  EXPECT_EQ(record["grade"]["value"], "unwatched");
  EXPECT_EQ(record["plan"]["pattern"], "randrw4k");
  EXPECT_EQ(record["measured_s"], 5.0);
  std::uint64_t ops = 0;
  for (const char* kind : {"read", "write"}) {
    const json& totals = record["totals"][kind];
    ops += totals["ops"].get<std::uint64_t>();
    EXPECT_GT(totals["errors"]["EIO"].get<int>(), 0);
    for (const char* key : {"mean", "stddev", "min", "max", "p50", "p90", "p95", "p99", "p99.9"}) {
      EXPECT_TRUE(totals["service_us"].contains(key)) << key;
      EXPECT_TRUE(totals["response_us"].contains(key)) << key;
    }
  }
  EXPECT_EQ(record["totals"]["all"]["ops"], ops);
  std::uint64_t timeline = 0;
  for (const json& second : record["timeline"])
    timeline += second["timed_ops"].get<std::uint64_t>();
  EXPECT_EQ(timeline, ops);
  EXPECT_TRUE(record["osds"].contains("osd.2"));
  EXPECT_TRUE(record.contains("histograms"));
}

TEST_F(RunCli, SimulatedLatencies_AreTheReportedOnes) {
  const Finished done = sim("latency=exp:1ms", {"--pattern", "randread4k", "--time", "20",
                                                "--warmup", "0", "--format", "json", "--qd", "32"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json all = json::parse(done.out)["totals"]["all"];
  EXPECT_NEAR(all["iops"].get<double>(), 32000, 320);
  EXPECT_NEAR(all["service_us"]["mean"].get<double>(), 1000, 10);
  EXPECT_NEAR(all["service_us"]["p50"].get<double>(), 693.1, 10);
  EXPECT_NEAR(all["service_us"]["p99"].get<double>(), 4605.2, 90);
}

TEST_F(RunCli, TheSameSeedGivesTheSameFigures) {
  const std::vector<std::string> words = {"--pattern", "randrw4k", "--time",   "3",
                                          "--seed",    "7",        "--format", "json"};
  const json one = json::parse(sim("latency=exp:1ms,osds=3", words).out);
  const json other = json::parse(sim("latency=exp:1ms,osds=3", words).out);
  EXPECT_EQ(one["totals"], other["totals"]);
  EXPECT_EQ(one["timeline"], other["timeline"]);
}

TEST_F(RunCli, DryRun_ShowsThePlanAndMeasuresNothing) {
  const Finished done =
      run({"--target", "sim", "--pattern", "rw4k,size=8M", "--seed", "7", "--dry-run"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("nothing has been written"));
  EXPECT_THAT(done.out, HasSubstr("8 MiB in 2 objects of 4 MiB"));
  EXPECT_THAT(done.out, ContainsRegex("7\n"));
  EXPECT_THAT(run({"list"}).out, Not(HasSubstr("rw4k")));
}

TEST_F(RunCli, ADryRunForScriptsListsTheFirstOperationsOfEachClient) {
  const std::vector<std::string> words = {"--target",  "sim",      "--pattern", "write4k,size=8M",
                                          "--clients", "2",        "--seed",    "7",
                                          "--dry-run", "--format", "json"};
  const json plan = json::parse(run(words).out);
  EXPECT_EQ(plan["schema"], "radosload.preview/1");
  EXPECT_EQ(plan["layout"]["objects"], 2);
  EXPECT_EQ(plan["refused"], nullptr);
  ASSERT_EQ(plan["first_operations"].size(), 10U);
  // Two clients share out a sequential working set: each begins with its own object.
  for (int i = 0; i < 10; ++i) {
    const json& operation = plan["first_operations"][static_cast<std::size_t>(i)];
    EXPECT_EQ(operation["client"], i % 2);
    EXPECT_EQ(operation["op"], "write");
    EXPECT_EQ(operation["object"], i % 2);
    EXPECT_EQ(operation["offset_bytes"], i / 2 * 4096);
  }
  EXPECT_EQ(json::parse(run(words).out)["first_operations"], plan["first_operations"]);
}

TEST_F(RunCli, DryRun_RefusesFormatsOfResults) {
  const Finished done =
      run({"--target", "sim", "--pattern", "randrw4k", "--dry-run", "--format", "rados-bench"});
  EXPECT_EQ(done.status, usage);
  EXPECT_THAT(done.err, HasSubstr("--dry-run"));
}

TEST_F(RunCli, PermanentErrors_EndTheRunEarly) {
  const Finished done = sim("latency=const:1ms,error=EIO:1",
                            {"--pattern", "randread4k", "--time", "60", "--warmup", "0"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.out, HasSubstr("ended by errors"));
  EXPECT_THAT(done.out, HasSubstr("EIO"));
  EXPECT_THAT(done.out, HasSubstr("ended early"));
  EXPECT_THAT(done.out, Not(HasSubstr("60.0 s")));
}

TEST_F(RunCli, ThreadsMakeTheSimulationRunInRealTime) {
  const Finished done = sim("latency=const:1ms", {"--threads", "2", "--pattern", "randread4k",
                                                  "--time", "1", "--warmup", "0"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_GE(done.seconds, 1.0);
}

TEST_F(RunCli, RecordsAreKeptListedAndCompared) {
  ASSERT_EQ(sim("latency=exp:1ms", {"--pattern", "randread4k", "--time", "2"}).status, 0);
  ASSERT_EQ(sim("latency=exp:2ms", {"--pattern", "randread4k", "--time", "2"}).status, 0);
  const Finished listed = run({"list"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("randread4k"));
  const TemporaryFolder folder;
  const std::string saved = (folder.path() / "a.json").string();
  ASSERT_EQ(
      sim("latency=exp:1ms", {"--pattern", "randread4k", "--time", "2", "--save", saved}).status,
      0);
  const Finished compared = run({"compare", "last", saved});
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("No verdict"));
}

TEST_F(RunCli, SaveNone_SavesNothing) {
  ASSERT_EQ(sim("", {"--pattern", "randread4k", "--time", "1", "--save", "none"}).status, 0);
  EXPECT_THAT(run({"list"}).out, Not(HasSubstr("randread4k")));
}

TEST_F(RunCli, WithoutAHomeFolder_TheRunMeasures) {
  const Finished done = radosload({"--target", "sim", "--pattern", "randread4k", "--time", "1"},
                                  {{"HOME", ""}, {"XDG_STATE_HOME", ""}});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("will not be saved"));
  EXPECT_THAT(done.out, HasSubstr("IOPS"));
}

TEST_F(RunCli, ProgressGoesToStderrAndTheResultToStdout) {
  const Finished done = run({"--target", "null", "--pattern", "randread4k", "--time", "2",
                             "--warmup", "0", "--format", "rados-bench"});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.err, HasSubstr("sec Cur ops"));
  EXPECT_THAT(done.out, ContainsRegex("Total time run: +2"));
  EXPECT_THAT(done.out, HasSubstr("Average IOPS:"));
}

TEST_F(RunCli, TheTimelineBeginsWithTheMeasuredPhase) {
  // Its lanes are a few operations into the measured phase before anybody else has noticed.
  for (int i = 0; i < 8; ++i) {
    const Finished done = run({"--target", "null", "--pattern", "randread4k", "--time", "100ms",
                               "--warmup", "20ms", "--format", "json"});
    ASSERT_EQ(done.status, 0) << done.err;
    const json record = json::parse(done.out);
    EXPECT_GE(record["timeline"].at(0)["t_s"].get<double>(), 0);
    EXPECT_LE(record["timeline"].size(), 2U);  // what was measured, and what came after it
  }
}

TEST_F(RunCli, NullTarget_SimulatesOsdsAndLatencies) {
  const Finished done =
      run({"--target", "null", "--sim", "osds=7,latency=lognormal:2ms:1.5", "--pattern",
           "randread4k,dist=zipf", "--ops", "200000", "--warmup", "0", "--format", "json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["osds"].size(), 7U);
  const json& service = record["totals"]["all"]["service_us"];
  EXPECT_GT(service["p99"].get<double>() / service["p50"].get<double>(), 10);
  EXPECT_EQ(record["totals"]["all"]["ops"], 200000);
  const Finished wrong =
      run({"--target", "null", "--sim", "error=EIO:0.1", "--pattern", "randread4k", "--ops", "1"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--target sim"));
}

TEST_F(RunCli, OpenLoopBehindItsRate_IsReported) {
  const Finished done = sim("latency=const:100ms", {"--pattern", "randread4k", "--time", "3",
                                                    "--rate", "1000", "--qd", "10"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("never sent: the target could not keep"));
}

// The sum of the seconds is the length, and latencies are those of the law.
TEST_F(RunCli, AWallClockThatJumpsChangesNothing) {
  auto env = jumping_clock();
  env["XDG_STATE_HOME"] = m_state.path().string();
  const Finished done = radosload(
      {"--target", "sim", "--sim", "latency=const:2ms,threads=1", "--pattern", "randread4k,qd=2",
       "--time", "3", "--warmup", "0", "--format", "json", "--no-progress"},
      env);
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  EXPECT_NEAR(record["measured_s"].get<double>(), 3, 0.1);
  double length = 0;
  for (const json& row : record["timeline"]) {
    EXPECT_GT(row["length_s"].get<double>(), 0);
    length += row["length_s"].get<double>();
  }
  EXPECT_LT(length, 20);
  const json& service = record["totals"]["all"]["service_us"];
  EXPECT_GE(service["min"].get<double>(), 2000);
  EXPECT_LT(service["max"].get<double>(), 60e6) << "an hour is no latency";
}

// Files may not grow beyond 4 KiB: what a full disk looks like to whoever writes.
TEST_F(RunCli, WhenTheDiskOfTheRecordIsFullTheResultIsStillShown) {
  const std::string line = "ulimit -f 4; trap '' XFSZ; exec '" + radosload_path() +
                           "' --target null --pattern randread4k --time 2 --warmup 0 --no-progress";
  const Finished done = test::run(
      {.words = {"bash", "-c", line}, .env = {{"XDG_STATE_HOME", m_state.path().string()}}});
  EXPECT_EQ(done.status, 1) << "what was measured is nowhere but on the screen";
  EXPECT_THAT(done.out, HasSubstr("IOPS"));
  EXPECT_THAT(done.err, HasSubstr("the record is not saved"));
}

// An hour of load is never begun: the test would not live to see its end.
TEST_F(RunCli, ExistingFile_IsRefusedBeforeTheRunWithoutOverwrite) {
  const std::string file = m_state.with("run.json", "mine");
  const std::vector<std::string> words = {"--target", "null", "--pattern", "randread4k",
                                          "--save",   file,   "--warmup",  "0"};
  const auto with = [&words](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  for (const auto& more : {with({"--time", "1h"}), with({"--time", "1h", "--dry-run"}),
                           with({"--time", "1h", "--qd", "1:4"}),
                           with({"--time", "1h", "--qd", "1:4", "--dry-run"})}) {
    const Finished done = run(more);
    EXPECT_EQ(done.status, 4) << done.err;
    EXPECT_THAT(done.err, HasSubstr("--overwrite"));
    EXPECT_EQ(done.out, "");
  }
  EXPECT_EQ(run(with({"--time", "1h", "--overwrite", "--dry-run"})).status, 0);
  EXPECT_EQ(read_file(file), "mine");
  EXPECT_EQ(run(with({"--time", "1", "--overwrite"})).status, 0);
  EXPECT_EQ(json::parse(read_file(file))["schema"], "radosload.run/1");
  EXPECT_EQ(run(with({"--time", "1", "--overwrite", "--qd", "1:4"})).status, 0);
  EXPECT_EQ(json::parse(read_file(file))["schema"], "radosload.series/1");
}

TEST_F(RunCli, APlaceThatCannotBeWritten_IsRefusedBeforeTheRun) {
  const std::string file = (m_state.path() / "none" / "run.json").string();
  for (const auto& more :
       std::vector<std::vector<std::string>>{{}, {"--dry-run"}, {"--qd", "1:4"}}) {
    std::vector<std::string> words = {"--target", "null", "--pattern", "randread4k",
                                      "--save",   file,   "--time",    "1h"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished done = run(words);
    EXPECT_EQ(done.status, 4) << done.err;
    EXPECT_THAT(done.err, HasSubstr(file));
    EXPECT_EQ(done.out, "");
  }
}

// A file that appears while the run goes on is not the run's to replace.
TEST_F(RunCli, FileCreatedDuringTheRun_IsKeptAndTheRecordGoesToTheStore) {
  const std::string file = (m_state.path() / "run.json").string();
  Process process({.words = {radosload_path(), "--target", "null", "--pattern", "randread4k",
                             "--time", "60", "--warmup", "0", "--save", file},
                   .env = {{"XDG_STATE_HOME", m_state.path().string()}}});
  ASSERT_TRUE(process.wait_for_output("    1 "));
  m_state.with("run.json", "mine");
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted);
  EXPECT_EQ(read_file(file), "mine");
  EXPECT_THAT(done.err, HasSubstr("not saved to this file"));
  EXPECT_THAT(run({"report", "last"}).out, HasSubstr("SIGINT"));
}

TEST_F(RunCli, CtrlCKeepsWhatWasMeasured) {
  const TemporaryFolder folder;
  const std::string saved = (folder.path() / "run.json").string();
  Process process({.words = {radosload_path(), "--target", "null", "--pattern", "randread4k",
                             "--time", "60", "--warmup", "0", "--save", saved},
                   .env = {{"XDG_STATE_HOME", folder.path().string()}}});
  ASSERT_TRUE(process.wait_for_output("    2 "));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted);
  EXPECT_THAT(done.out, HasSubstr("SIGINT"));
  const json record = json::parse(read_file(saved));
  EXPECT_EQ(record["status"], "interrupted");
  EXPECT_GT(record["totals"]["all"]["ops"].get<std::uint64_t>(), 1000U);
}

TEST_F(RunCli, KilledRun_IsRecoveredByTheNextCommandThatReadsRuns) {
  const std::vector<std::vector<std::string>> readers = {
      {"list"}, {"report", "last"}, {"compare", "last", "last"}};
  for (const auto& words : readers) {
    std::filesystem::remove_all(m_state.path() / "radosload");
    Process process({.words = {radosload_path(), "--target", "null", "--pattern", "randread4k",
                               "--rate", "1000", "--time", "60", "--warmup", "0"},
                     .env = {{"XDG_STATE_HOME", m_state.path().string()}}});
    ASSERT_TRUE(process.wait_for_output("    3 "));
    process.signal(SIGKILL);
    process.wait();
    const Finished read = run(words);
    EXPECT_EQ(read.status, 0) << words[0] << "\n" << read.err;
    EXPECT_THAT(read.out, HasSubstr("incomplete"));
  }
}

TEST_F(RunCli, InvalidOptions_AreUsageErrors) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--pool", "hdd"}, "pattern"},
      {{"--pattern", "randrw4k"}, "--pool"},
      {{"--pool", "hdd", "--pattern", "randrw5k"}, "randrw4k"},
      {{"--target", "sim", "--pattern", "randrw4k,speed=1"}, "speed"},
      {{"--target", "sim", "--pattern", "randrw4k", "--bs", "4q"}, "4q"},
      {{"--target", "sim", "--pattern", "randrw4k", "--time", "soon"}, "soon"},
      {{"--target", "sim", "--pattern", "randrw4k", "--time", "0"}, "never end"},
      {{"--target", "sim", "--pattern", "randrw4k", "--clients", "9", "--qd", "4"}, "--clients"},
      {{"--target", "sim", "--pattern", "randrw4k", "--rate", "fast"}, "fast"},
      {{"--target", "sim", "--pattern", "randrw4k", "--format", "xml"}, "xml"},
      {{"--target", "sim", "--sim", "speed=1", "--pattern", "randrw4k"}, "speed=1"},
      {{"--target", "sim", "--pool", "hdd", "--pattern", "randrw4k"}, "--pool"},
      {{"--target", "disk", "--pattern", "randrw4k"}, "disk"},
      {{"--target", "sim", "--pattern", "randrw4k", "--overwrite"}, "--save"},
      {{"nonsense"}, "nonsense"},
      {{}, "radosload --target sim"}};
  for (const auto& [words, said] : wrong) {
    const Finished done = run(words);
    EXPECT_EQ(done.status, usage) << said << "\n" << done.err;
    EXPECT_THAT(done.err, HasSubstr(said));
    EXPECT_EQ(done.out, "");
  }
}

TEST_F(RunCli, PatternsAreListedAndExplained) {
  const Finished listed = run({"patterns"});
  EXPECT_EQ(listed.status, 0);
  for (const char* name : {"randrw4k", "randwrite4k-qd1", "etcd-wal", "radosbench-seq", "omap-set",
                           "onode-read", "list"}) {
    EXPECT_THAT(listed.out, HasSubstr(name));
  }
  const Finished one = run({"patterns", "etcd-wal"});
  EXPECT_EQ(one.status, 0);
  EXPECT_THAT(one.out, HasSubstr("2300"));
  EXPECT_EQ(run({"patterns", "no-such"}).status, usage);
}

}  // namespace
}  // namespace radosload::test
