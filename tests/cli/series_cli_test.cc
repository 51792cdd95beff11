// Sweeps and suites from words to table, without a cluster: on the simulated one, in virtual time
// where nothing is to be killed.

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/places.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class SeriesCli : public testing::Test {
 protected:
  std::map<std::string, std::string> env() const {
    return {{"XDG_STATE_HOME", m_state.path().string()}};
  }
  Finished run(std::vector<std::string> words) { return radosload(std::move(words), env()); }
  Finished sim(std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"--target", "sim", "--sim", "latency=exp:1ms,osds=3", "--warmup", "1"});
    return run(std::move(words));
  }
  // One that takes a few seconds, to be ended from outside.
  Process in_real_time() {
    return Process({.words = {radosload_path(), "--target", "sim", "--threads", "2", "--pattern",
                              "randread4k,qd=1:2:3:4", "--time", "1", "--warmup", "0"},
                    .env = env()});
  }
  json document(const std::string& name = "last") {
    const Finished done = run({"--resume", name, "--format", "json", "--no-progress"});
    EXPECT_EQ(done.status, 0) << done.err;
    return json::parse(done.out);
  }
  std::string listed() { return run({"list"}).out; }

  TemporaryFolder m_state;
};

std::vector<std::string> states_of(const json& series) {
  std::vector<std::string> states;
  for (const json& step : series["steps"]) states.push_back(step["state"]);
  return states;
}

TEST_F(SeriesCli, ASweepIsOneTableAndOneRecord) {
  const Finished done = sim({"--pattern", "randread4k,qd=1:4:16", "--bs", "4k:8k", "--time", "3"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("6 steps, 3s each after 1s of warm-up"));
  EXPECT_THAT(done.out, ContainsRegex(" qd +bs +IOPS +MiB/s +mean +p50 +p99 +p99.9 +max +errors"));
  EXPECT_THAT(done.out, ContainsRegex("\n +16 +8k +1[56],"));
  EXPECT_THAT(done.err, HasSubstr("step 3 of 6: qd=4 bs=4k, about 16 s left"));
  const json series = document();
  EXPECT_EQ(series["schema"], "radosload.series/1");
  EXPECT_EQ(series["status"], "complete");
  ASSERT_EQ(series["steps"].size(), 6U);
  for (const json& step : series["steps"]) {
    EXPECT_EQ(step["record"]["schema"], "radosload.run/1");
    EXPECT_EQ(step["record"]["plan"], step["plan"]);
    EXPECT_EQ(std::to_string(step["plan"]["qd"].get<int>()), step["settings"]["qd"]);
    const double expected = 1000 * step["plan"]["qd"].get<double>();
    EXPECT_NEAR(step["record"]["totals"]["all"]["iops"].get<double>(), expected, expected / 10);
  }
}

TEST_F(SeriesCli, EachStepIsSavedLikeARunAndListedUnderItsSeries) {
  ASSERT_EQ(sim({"--pattern", "randread4k", "--qd", "1:4", "--time", "2"}).status, 0);
  ASSERT_EQ(sim({"--pattern", "randwrite4k", "--time", "2"}).status, 0);
  const json series = document();
  EXPECT_THAT(listed(), HasSubstr(series["series_id"].get<std::string>()));
  EXPECT_THAT(listed(), HasSubstr("complete, 2 steps"));
  EXPECT_THAT(listed(), HasSubstr("randwrite4k"));
  for (const json& step : series["steps"]) {
    const auto run_id = step["record"]["run_id"].get<std::string>();
    EXPECT_THAT(listed(), Not(HasSubstr(run_id)));
    EXPECT_THAT(run({"list", "--steps"}).out, HasSubstr(run_id));
    EXPECT_EQ(run({"compare", run_id, "last"}).status, 0);
  }
}

TEST_F(SeriesCli, EveryKindOfListIsSwept) {
  for (const auto& [words, names] :
       std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>{
           {{"--pattern", "randread4k:randwrite4k"}, {"randread4k", "randwrite4k"}},
           {{"--pattern", "randread4k", "--rate", "100:200,poisson"},
            {"rate=100,poisson", "rate=200,poisson"}},
           {{"--pattern", "randread4k", "--clients", "1:2"}, {"clients=1", "clients=2"}},
           // The order of the words is the order of the columns.
           {{"--clients", "1:2", "--pattern", "randread4k", "--qd", "2:4"},
            {"clients=1 qd=2", "clients=1 qd=4", "clients=2 qd=2", "clients=2 qd=4"}}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--time", "1", "--save", "none", "--format", "json"});
    const Finished done = sim(all);
    ASSERT_EQ(done.status, 0) << done.err;
    std::vector<std::string> found;
    const json series = json::parse(done.out);
    for (const json& step : series["steps"]) found.push_back(step["name"]);
    EXPECT_EQ(found, names);
  }
  EXPECT_EQ(listed(), "no saved runs\n") << "--save none keeps nothing";
}

TEST_F(SeriesCli, KbenchShowsItsTable) {
  const Finished done = run({"--target", "sim", "--sim", "latency=const:10ms", "--pattern",
                             "kbench", "--time", "1", "--warmup", "0"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("12 steps, 1s each after 0s of warm-up"));
  EXPECT_THAT(done.out, HasSubstr(R"(IOPS (Read/Write)
        Random:               6400 / 6400
    Sequential:               6400 / 6400

Bandwidth in KiB/sec (Read/Write)
        Random:           819200 / 819200
    Sequential:           819200 / 819200

Latency in ns (Read/Write)
        Random:       10000000 / 10000000
    Sequential:       10000000 / 10000000
)"));
  EXPECT_THAT(done.err, HasSubstr("step 12 of 12: latency seq write"));
}

TEST_F(SeriesCli, KbenchResultsAreCompared) {
  const auto kbench_at = [&](const std::string& latency) {
    return run({"--target", "sim", "--sim", latency, "--pattern", "kbench", "--ops", "500",
                "--time", "0", "--warmup", "0", "--seed", "7"});
  };
  ASSERT_EQ(kbench_at("latency=const:10ms").status, 0);
  const std::string first = document()["series_id"];
  ASSERT_EQ(kbench_at("latency=const:20ms").status, 0);
  const Finished compared = run({"compare", first, "last"});
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_THAT(compared.out,
              ContainsRegex("Random: +[0-9]+ / [0-9]+  vs +[0-9]+ / [0-9]+  : +-50.0% / -50.0%"));
  EXPECT_THAT(compared.out, HasSubstr("+100.0% / +100.0%"));
  EXPECT_THAT(compared.out, HasSubstr("different sim"));
  EXPECT_EQ(run({"compare", first, "2026"}).status, usage) << "a series with a run";
}

TEST_F(SeriesCli, CtrlC_ReportsFinishedStepsAndResumeContinues) {
  Process process = in_real_time();
  ASSERT_TRUE(process.wait_for_output("step 3 of 4"));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.out, HasSubstr("2 of 4 steps"));
  EXPECT_THAT(done.out, ContainsRegex("early +qd=3: ended early by SIGINT"));
  EXPECT_THAT(done.err, ContainsRegex("2 of 4 steps are not done.*\n  radosload --resume s2"));
  EXPECT_THAT(listed(), HasSubstr("2 of 4 steps"));

  const Finished resumed = run({"--resume", "last"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.err, Not(HasSubstr("step 2 of 4")));
  EXPECT_THAT(resumed.err, HasSubstr("step 3 of 4: qd=3, about 2 s left"));
  EXPECT_THAT(resumed.out, HasSubstr("4 steps, 1s each"));
  EXPECT_THAT(listed(), HasSubstr("complete, 4 steps"));
}

TEST_F(SeriesCli, Killed_ResumeWithTheSameOptionsContinues) {
  Process process = in_real_time();
  ASSERT_TRUE(process.wait_for_output("step 2 of 4"));
  process.signal(SIGKILL);
  process.wait();
  EXPECT_THAT(listed(), HasSubstr("1 of 4 steps"));
  const std::vector<std::string> words = {
      "--target", "sim", "--threads", "2",    "--pattern", "randread4k,qd=1:2:3:4",
      "--warmup", "0",   "--resume",  "last", "--time"};
  std::vector<std::string> other = words;
  other.emplace_back("2");
  const Finished wrong = run(other);
  EXPECT_EQ(wrong.status, usage);
  EXPECT_THAT(wrong.err, HasSubstr("time was 1s and is now 2s"));
  std::vector<std::string> same = words;
  same.emplace_back("1");
  const Finished resumed = run(same);
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.err, Not(HasSubstr("step 1 of 4")));
  EXPECT_EQ(states_of(document()), std::vector<std::string>(4, "done"));
}

TEST_F(SeriesCli, SecondProcess_CannotResumeTheSameSeries) {
  Process process = in_real_time();
  ASSERT_TRUE(process.wait_for_output("step 1 of 4"));
  const Finished second = run({"--resume", "last"});
  EXPECT_EQ(second.status, refused) << second.err;
  EXPECT_THAT(second.err, HasSubstr("another process is running it"));
  EXPECT_EQ(process.wait().status, 0);
}

TEST_F(SeriesCli, SaveFile_HoldsTheDocumentAndCanBeResumed) {
  const std::string file = (m_state.path() / "sweep.json").string();
  const Finished done =
      sim({"--pattern", "randread4k,qd=1:4", "--time", "2", "--save", file, "--format", "json"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(read_file(file), done.out);
  const Finished again = run({"--resume", file, "--format", "json"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out, done.out) << "nothing was missing, so nothing has changed";
  EXPECT_EQ(run({"compare", file, file}).status, 0);
}

TEST_F(SeriesCli, ForeignFileInPlaceOfTheLock_IsKept) {
  const std::string file = (m_state.path() / "sweep.json").string();
  const std::string lock = m_state.with("sweep.json.lock", "my notes");
  EXPECT_EQ(sim({"--pattern", "randread4k,qd=1:4", "--time", "1", "--save", file}).status, 0);
  EXPECT_EQ(read_file(lock), "my notes");
}

// A sweep of writes over somebody's image, with a config and a keyring of somebody's choice.
json hostile(json series) {
  for (json& step : series["steps"]) {
    step["state"] = "missing";
    step["record"] = nullptr;
    json& plan = step["plan"];
    plan["target"] = "rbd";
    plan["sim"] = "";
    plan["pool"] = "rbd";
    plan["image"] = json::array({"vm1"});
    plan["destroy-data"] = true;
    plan["conf"] = "/hostile/ceph.conf";
    plan["keyring"] = "/hostile/keyring";
  }
  return series;
}

TEST_F(SeriesCli, ResumedFile_GrantsNoPermissionAndSetsNoConfig) {
  const Finished made = sim({"--pattern", "randwrite4k,qd=1:4", "--time", "1", "--format", "json"});
  ASSERT_EQ(made.status, 0) << made.err;
  const std::string file = m_state.with("theirs.json", hostile(json::parse(made.out)).dump());
  for (const auto& more : std::vector<std::vector<std::string>>{{}, {"--dry-run"}}) {
    std::vector<std::string> words = {"--resume", file};
    words.insert(words.end(), more.begin(), more.end());
    const Finished done = run(words);
    EXPECT_EQ(done.status, refused) << done.err;
    EXPECT_THAT(done.err, HasSubstr("--destroy-data"));
  }
  const Finished allowed =
      run({"--resume", file, "--destroy-data", "--conf", nowhere("mine.conf")});
  EXPECT_EQ(allowed.status, 3) << allowed.err;
  EXPECT_THAT(allowed.err, HasSubstr(nowhere("mine.conf")));
  EXPECT_THAT(allowed.err, Not(HasSubstr("hostile")));
  EXPECT_TRUE(std::filesystem::exists(file)) << "nothing came of it, and it is not ours to remove";
  const Finished plain = run({"--resume", file, "--destroy-data", "--cluster", "nosuch"});
  EXPECT_EQ(plain.status, 3) << plain.err;
  EXPECT_THAT(plain.err, Not(HasSubstr("hostile")));
}

TEST_F(SeriesCli, TheStatusIsTheWorstOfTheStepsAndAnEarlyEndIsRepeated) {
  const Finished done = run({"--target", "sim", "--sim", "latency=const:1ms,error=EIO:1",
                             "--warmup", "0", "--pattern", "randread4k,qd=1:4", "--time", "60"});
  EXPECT_EQ(done.status, 1) << done.err;
  EXPECT_THAT(done.out, ContainsRegex("early +qd=4: ended early by errors"));
  EXPECT_THAT(done.err, HasSubstr("2 of 2 steps are not done"));
  EXPECT_EQ(run({"--resume", "last", "--no-progress"}).status, 1);
}

TEST_F(SeriesCli, ADryRunShowsTheStepsAndHowLongTheyTake) {
  const Finished text = sim({"--pattern", "randrw4k,qd=1:4,size=8M:16M", "--dry-run"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("nothing has been written"));
  EXPECT_THAT(text.out, HasSubstr("4 m 4 s in 4 steps"));
  EXPECT_THAT(text.out, HasSubstr("16 MiB in 4 objects of 4 MiB, for steps 2, 4"));
  EXPECT_THAT(text.out, ContainsRegex(" 3 +qd=4 size=8M +randrw4k: mixed"));
  const json plan = json::parse(sim({"--pattern", "kbench", "--dry-run", "--format", "json"}).out);
  EXPECT_EQ(plan["schema"], "radosload.series-preview/1");
  EXPECT_EQ(plan["length_s"], 252.0);
  EXPECT_EQ(plan["steps"].size(), 12U);
  EXPECT_EQ(plan["previews"].size(), 1U) << "all steps have the same objects";
  EXPECT_EQ(listed(), "no saved runs\n");
}

TEST_F(SeriesCli, InvalidOptions_AreUsageErrors) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--pattern", "randrw4k,qd=1:x"}, "in the step qd=x"},
      {{"--pattern", "randrw4k,qd=1::4"}, "a value of the list is empty"},
      {{"--pattern", "randrw4k", "--dist", "zipf:1:2"}, "dist takes no list"},
      {{"--pattern", "randrw4k", "--time", "1:2"}, "it takes one value, not a list"},
      {{"--pattern", "randrw4k,qd=1:4", "--format", "rados-bench"}, "format is for a single run"},
      {{"--pattern", "kbench", "--qd", "4"}, "kbench sets qd itself"},
      {{"--pattern", "kbnech"}, "did you mean kbench"},
      {{"--pattern", "randrw4k", "--resume", "last"}, "describe one run"},
      {{"--pattern", "randrw4k,qd=1:4", "--resume", "last"}, "no series is saved yet"}};
  for (const auto& [words, said] : wrong) {
    std::vector<std::string> all = {"--target", "sim"};
    all.insert(all.end(), words.begin(), words.end());
    const Finished done = run(all);
    EXPECT_EQ(done.status, usage) << said << "\n" << done.err;
    EXPECT_THAT(done.err, HasSubstr(said));
    EXPECT_EQ(done.out, "");
  }
  EXPECT_EQ(run({"--resume", "last"}).status, usage);
  const Finished more = run({"--resume", "last", "--time", "9"});
  EXPECT_EQ(more.status, usage);
  EXPECT_THAT(more.err, HasSubstr("but --time is given"));
  EXPECT_EQ(listed(), "no saved runs\n");
}

TEST_F(SeriesCli, SuitesAreListedAndExplained) {
  EXPECT_THAT(run({"patterns"}).out, HasSubstr("kbench"));
  EXPECT_THAT(run({"patterns"}).out, HasSubstr("qd=1:4:16"));
  const Finished one = run({"patterns", "kbench"});
  EXPECT_EQ(one.status, 0);
  EXPECT_THAT(one.out, HasSubstr("rand,read=100,bs=128k,qd=64"));
  EXPECT_THAT(one.out, HasSubstr("20s after 5s of warm-up"));
}

TEST_F(SeriesCli, WhenTheDiskIsFullTheTableIsStillShown) {
  const std::string line = "ulimit -f 4; trap '' XFSZ; exec '" + radosload_path() +
                           "' --target sim --pattern randread4k,qd=1:2 --time 2 --no-progress";
  const Finished done = test::run({.words = {"bash", "-c", line}, .env = env()});
  EXPECT_EQ(done.status, 1) << "what was measured is nowhere but on the screen";
  EXPECT_THAT(done.out, HasSubstr("IOPS"));
  EXPECT_THAT(done.err, HasSubstr("the series is not saved"));
}

}  // namespace
}  // namespace radosload::test
