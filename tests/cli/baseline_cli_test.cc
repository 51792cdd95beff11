// `radosload baseline` on simulated clusters: what is kept, what a check measures and says, and
// what is refused. On a real cluster: tests/cluster/baseline_test.cc.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

using Words = std::vector<std::string>;

class BaselineCli : public ::testing::Test {
 protected:
  Finished run(Words words) const {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }
  Finished baseline(Words words) const {
    words.insert(words.begin(), "baseline");
    return run(std::move(words));
  }
  // The ID of a run on a simulated cluster, in virtual time.
  std::string measured(const std::string& pattern = "randread4k,qd=4") const {
    const Finished done =
        run({"--target", "sim", "--sim", "latency=exp:1ms", "--pattern", pattern, "--ops", "4000",
             "--time", "0", "--warmup", "0", "--no-progress", "--json"});
    EXPECT_EQ(done.status, 0) << done.err;
    return json::parse(done.out)["run_id"];
  }
  Words measured_times(int times) const {
    Words runs;
    for (int i = 0; i < times; ++i) runs.push_back(measured());
    return runs;
  }
  Finished keep(const std::string& name, const Words& runs, const Words& more = {}) const {
    Words words = {"keep", name};
    words.insert(words.end(), runs.begin(), runs.end());
    words.insert(words.end(), more.begin(), more.end());
    return baseline(words);
  }
  fs::path file_of(const std::string& name) const {
    return m_state.path() / "radosload" / "baselines" / (name + ".json");
  }
  // Changes each run in the file of the baseline.
  void change(const std::string& name, const std::function<void(json&)>& how) const {
    std::ifstream in(file_of(name));
    json document = json::parse(in);
    for (json& one : document["runs"]) how(one);
    std::ofstream(file_of(name)) << document;
  }
  std::size_t saved_runs(const std::string& name) const {
    const Finished listed = run({"list", "--label", "baseline=" + name, "--json"});
    return json::parse(listed.out)["entries"].size();
  }
  // Copies of one run with other IDs, as files.
  Words copies(const std::string& run_id, int times) const {
    json record = json::parse(run({"report", run_id, "--json"}).out);
    Words files;
    for (int i = 0; i < times; ++i) {
      record["run_id"] = "20261121-04001234" + std::to_string(i) + "-9f3a";
      const fs::path path = m_state.path() / ("copy-" + std::to_string(i) + ".json");
      std::ofstream(path) << record;
      files.push_back(path.string());
    }
    return files;
  }

  TemporaryFolder m_state;
};

// A text for people without its line breaks: each row of white space is one space.
std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string joined;
  for (std::string word; words >> word;) joined += word + " ";
  return joined;
}

TEST_F(BaselineCli, SameLoadAgain_IsNotSlower) {
  const Words runs = measured_times(4);
  // By chance the rates differ by much less than this threshold.
  const Finished kept = keep("before", runs, {"--threshold", "20"});
  ASSERT_EQ(kept.status, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("baseline before: 4 runs of 1 load, kept 2"));
  EXPECT_THAT(kept.out, HasSubstr("read iops, these-osds: 4 runs against 4 find a change of"));
  EXPECT_THAT(kept.out, HasSubstr("the other metrics can have a verdict with 5 runs or more"));
  const Finished checked = baseline({"check", "before", "--json"});
  ASSERT_EQ(checked.status, 0) << checked.err;
  const json said = json::parse(checked.out);
  EXPECT_EQ(said["result"], "not slower");
  EXPECT_EQ(said["changes"], json::array());
  ASSERT_EQ(said["loads"].size(), 1U);
  EXPECT_EQ(said["loads"][0]["runs_before"], json(runs));
  EXPECT_EQ(said["loads"][0]["runs_now"].size(), 4U);
  EXPECT_EQ(said["loads"][0]["verdicts"]["primary"], "read iops");
  EXPECT_EQ(saved_runs("before"), 4U) << "they are runs like any others";
}

TEST_F(BaselineCli, SlowerCluster_EndsWithStatus5) {
  ASSERT_EQ(keep("before", measured_times(4)).status, 0);
  change("before", [](json& one) { one["plan"]["sim"] = "latency=exp:2ms"; });
  const Finished checked = baseline({"check", "before"});
  EXPECT_EQ(checked.status, 5) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr(": slower\n"));
  EXPECT_THAT(checked.out, HasSubstr("result    slower (slower: read iops"));
  EXPECT_THAT(checked.out, HasSubstr("changed   simulated cluster: latency=exp:1ms, now latency"));
  EXPECT_EQ(baseline({"check", "before", "--threshold", "300"}).status, 0);
  const Finished markdown = baseline({"check", "before", "--format", "markdown"});
  EXPECT_EQ(markdown.status, 5);
  EXPECT_THAT(markdown.out, HasSubstr("| read iops | these-osds |"));
}

TEST_F(BaselineCli, TooFewRuns_AreInconclusiveWithWhatCouldBeFound) {
  const Finished kept =
      keep("before", measured_times(4), {"--primary", "none", "--threshold", "20"});
  ASSERT_EQ(kept.status, 0) << kept.err;
  EXPECT_THAT(
      unwrapped(kept.out),
      HasSubstr("read p99.9_us, these-osds: 4 runs against 4 can never have a verdict: they "
                "reach p = 0.029 at best, and 0.01 is needed where 5 metrics share the "
                "level; name one of them with --primary, or keep 5 runs or more"));
  const Finished checked = baseline({"check", "before"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr(": inconclusive\n"));
  EXPECT_THAT(unwrapped(checked.out), HasSubstr("rarely found by this design"));
  // The rules of the check may be others.
  EXPECT_THAT(baseline({"check", "before", "--primary", "iops"}).out, HasSubstr(": not slower\n"));
}

TEST_F(BaselineCli, SeveralLoads_AreMeasuredInTurnsAndJudgedEach) {
  Words runs = measured_times(2);
  for (int i = 0; i < 2; ++i) runs.push_back(measured("randwrite4k,qd=4"));
  const Finished kept = keep("both", runs, {"--json"});
  ASSERT_EQ(kept.status, 0) << kept.err;
  const json shown = json::parse(kept.out)["baselines"][0];
  EXPECT_EQ(shown["loads"][0]["load"], "randread4k");
  EXPECT_EQ(shown["loads"][1]["load"], "randwrite4k");
  EXPECT_EQ(shown["loads"][1]["primary"], "write iops");
  EXPECT_EQ(shown["loads"][1]["level"], 0.975);
  const Finished checked =
      baseline({"check", "both", "--runs", "3", "--threshold", "20", "--json"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  const json said = json::parse(checked.out);
  EXPECT_EQ(said["loads"][1]["runs_now"].size(), 3U);
  const auto second = checked.err.find("run 2 of 6: randwrite4k, 1 of 3");
  const auto third = checked.err.find("run 3 of 6: randread4k, 2 of 3");
  EXPECT_LT(second, third) << checked.err;
  EXPECT_NE(third, std::string::npos) << checked.err;
}

TEST_F(BaselineCli, DryRun_ShowsTheRunsAndMeasuresNothing) {
  ASSERT_EQ(keep("before", measured_times(2)).status, 0);
  const Finished planned = baseline({"check", "before", "--dry-run", "--json", "--runs", "3"});
  ASSERT_EQ(planned.status, 0) << planned.err;
  const json preview = json::parse(planned.out);
  EXPECT_EQ(preview["schema"], "radosload.series-preview/1");
  EXPECT_EQ(preview["steps"].size(), 3U);
  EXPECT_EQ(preview["steps"][0]["plan"]["label"], json::array({"baseline=before"}));
  EXPECT_THAT(baseline({"check", "before", "--dry-run"}).out, HasSubstr("baseline before"));
  EXPECT_EQ(saved_runs("before"), 0U);
}

TEST_F(BaselineCli, DeletedRuns_AreStillInTheBaseline) {
  ASSERT_EQ(keep("before", measured_times(4)).status, 0);
  fs::remove_all(m_state.path() / "radosload" / "runs");
  EXPECT_EQ(baseline({"check", "before", "--threshold", "20", "--runs", "2"}).status, 0);
}

TEST_F(BaselineCli, BadRuns_AreKeptOnlyWithForceAndNamed) {
  const Words files = copies(measured(), 3);
  json record = json::parse(std::ifstream(files[1]));
  record["grade"] = {{"value", "contaminated"}, {"reasons", {"osd.3 restarted"}}};
  std::ofstream(files[1]) << record;
  const Finished refused = keep("before", files);
  EXPECT_EQ(refused.status, 4);
  EXPECT_THAT(refused.err, HasSubstr("20261121-040012341-9f3a: contaminated: osd.3 restarted"));
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_FALSE(fs::exists(file_of("before")));
  const Finished forced = keep("before", files, {"--force"});
  EXPECT_EQ(forced.status, 0) << forced.err;
  EXPECT_THAT(forced.out, HasSubstr("kept with --force although 20261121-040012341-9f3a"));
  EXPECT_EQ(keep("one", {files[0]}).status, 4) << "one run can never be compared";
}

TEST_F(BaselineCli, RunNamedTwice_CountsOnce) {
  const std::string run_id = measured();
  const Finished refused = keep("before", {run_id, run_id, "last"});
  EXPECT_EQ(refused.status, 4);
  EXPECT_THAT(refused.err, HasSubstr("there is 1 run"));
}

TEST_F(BaselineCli, OtherCluster_IsRefusedUnlessForced) {
  ASSERT_EQ(keep("before", measured_times(4)).status, 0);
  change("before", [](json& one) { one["environment"]["fsid"] = "5c6e"; });
  const Finished refused = baseline({"check", "before"});
  EXPECT_EQ(refused.status, 4);
  EXPECT_THAT(refused.err, HasSubstr("it was measured on cluster 5c6e, and this is no cluster"));
  EXPECT_EQ(saved_runs("before"), 0U) << "refused before it measured";
  const Finished forced = baseline({"check", "before", "--force", "--threshold", "20"});
  EXPECT_EQ(forced.status, 0) << forced.err;
  EXPECT_THAT(forced.out, HasSubstr("changed   cluster (fsid): 5c6e, now none"));
}

TEST_F(BaselineCli, CommandOfTheKeptRuns_RunsAgainOnlyWithYes) {
  const fs::path mark = m_state.path() / "mark";
  Words runs;
  for (int i = 0; i < 2; ++i) {
    const Finished done =
        run({"--target", "null", "--pattern", "randread4k", "--ops", "1000", "--time", "0",
             "--warmup", "0", "--power-cmd", "touch " + mark.string() + "; echo 5", "--power-idle",
             "0", "--no-progress", "--json"});
    ASSERT_EQ(done.status, 0) << done.err;
    runs.push_back(json::parse(done.out)["run_id"]);
  }
  ASSERT_EQ(keep("watts", runs).status, 0);
  ASSERT_TRUE(fs::remove(mark));
  const Finished refused = baseline({"check", "watts"});
  EXPECT_EQ(refused.status, 4) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("have --power-cmd 'touch "));
  EXPECT_THAT(refused.err, HasSubstr("add --yes"));
  EXPECT_EQ(baseline({"check", "watts", "--dry-run"}).status, 0);
  EXPECT_FALSE(fs::exists(mark));
  EXPECT_NE(baseline({"check", "watts", "--yes"}).status, 4);
  EXPECT_TRUE(fs::exists(mark));
}

TEST_F(BaselineCli, FailedOperations_EndWithStatus1) {
  ASSERT_EQ(keep("before", measured_times(2)).status, 0);
  change("before", [](json& one) { one["plan"]["sim"] = "latency=exp:1ms,error=EIO:0.1"; });
  const Finished checked = baseline({"check", "before"});
  EXPECT_EQ(checked.status, 1) << checked.out;
  EXPECT_THAT(checked.out, HasSubstr("operations failed or were not answered"));
}

// In real time, a second each. Ctrl-C comes in the second run.
TEST_F(BaselineCli, CtrlC_KeepsWhatWasMeasuredAndGivesNoVerdict) {
  const Finished once =
      run({"--target", "sim", "--sim", "latency=const:1ms", "--threads", "1", "--pattern",
           "randread4k,qd=4", "--time", "1", "--warmup", "0", "--no-progress", "--json"});
  ASSERT_EQ(once.status, 0) << once.err;
  const std::string run_id = json::parse(once.out)["run_id"];
  ASSERT_EQ(keep("before", copies(run_id, 4)).status, 0);
  Process process({.words = {radosload_path(), "baseline", "check", "before"},
                   .env = {{"XDG_STATE_HOME", m_state.path().string()}}});
  ASSERT_TRUE(process.wait_for_output("run 2 of 4"));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_EQ(done.out, "");
  EXPECT_THAT(done.err, HasSubstr("a verdict needs all runs"));
  EXPECT_THAT(done.err, HasSubstr("radosload list --label baseline=before"));
  EXPECT_GE(saved_runs("before"), 1U);
}

TEST_F(BaselineCli, ExistingName_IsReplacedOnlyWithOverwrite) {
  const Words runs = measured_times(3);
  ASSERT_EQ(keep("before", {runs[0], runs[1]}).status, 0);
  const Finished refused = keep("before", runs);
  EXPECT_EQ(refused.status, 4);
  EXPECT_THAT(refused.err, HasSubstr("--overwrite"));
  ASSERT_EQ(keep("before", runs, {"--overwrite"}).status, 0);
  EXPECT_THAT(baseline({"show", "before"}).out, HasSubstr("3 runs of 1 load"));
}

TEST_F(BaselineCli, ListShowsAllAndRemoveTakesOne) {
  EXPECT_EQ(baseline({"list"}).out, "no baselines\n");
  const Words runs = measured_times(2);
  ASSERT_EQ(keep("one", runs).status, 0);
  ASSERT_EQ(keep("two", runs).status, 0);
  const json all = json::parse(baseline({"list", "--json"}).out);
  EXPECT_EQ(all["baselines"].size(), 2U);
  const Finished refused = baseline({"remove", "one"});
  EXPECT_EQ(refused.status, 4);
  EXPECT_THAT(refused.err, HasSubstr("--yes"));
  EXPECT_EQ(baseline({"remove", "one", "--yes"}).status, 0);
  const Finished listed = baseline({"list"});
  EXPECT_THAT(listed.out, HasSubstr("two"));
  EXPECT_THAT(listed.out, Not(HasSubstr("one")));
  EXPECT_EQ(baseline({"show", "one"}).status, usage);
}

TEST_F(BaselineCli, DamagedFile_IsNamedAndTheOthersAreListed) {
  const Words runs = measured_times(2);
  ASSERT_EQ(keep("one", runs).status, 0);
  ASSERT_EQ(keep("two", runs).status, 0);
  std::ofstream(file_of("one")) << "{";
  const Finished listed = baseline({"list"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_THAT(listed.out, HasSubstr("two"));
  EXPECT_THAT(listed.err, HasSubstr(file_of("one").string()));
  EXPECT_EQ(baseline({"check", "one"}).status, flawed);
}

TEST_F(BaselineCli, RequireClean_NeedsACluster) {
  ASSERT_EQ(keep("before", measured_times(2)).status, 0);
  const Finished refused = baseline({"check", "before", "--require-clean"});
  EXPECT_EQ(refused.status, usage);
  EXPECT_THAT(refused.err, HasSubstr("not graded"));
}

}  // namespace
}  // namespace radosload::test
