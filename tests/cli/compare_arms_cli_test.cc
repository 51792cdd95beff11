// Verdicts of `radosload compare`: figures from a file, and from saved runs.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

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
using ::testing::HasSubstr;
using ::testing::Not;

const std::string published = in_source("docs/examples/wal-vs-db-matched.csv");

class CompareArmsCli : public ::testing::Test {
 protected:
  Finished run(std::vector<std::string> words) {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }
  Finished compare(std::vector<std::string> words) {
    words.insert(words.begin(), "compare");
    return run(std::move(words));
  }
  // The ID of a run of a simulated target whose operations take so long.
  std::string simulated(const std::string& latency, const std::string& label, int seed) {
    const Finished done =
        run({"--target", "sim", "--sim", "latency=exp:" + latency, "--pattern", "randread4k,qd=4",
             "--ops", "4000", "--warmup", "0", "--seed", std::to_string(seed), "--label",
             "drive=" + label, "--no-progress", "--json"});
    EXPECT_EQ(done.status, 0) << done.err;
    return json::parse(done.out)["run_id"];
  }
  // The file of a copy of that run with another grade and ID.
  std::string graded(const std::string& run_id, const std::string& grade, const std::string& id) {
    json record = json::parse(run({"report", run_id, "--json"}).out);
    record["run_id"] = id;
    record["grade"] = {{"value", grade}, {"reasons", {"osd.3 restarted"}}};
    const std::filesystem::path path = m_state.path() / (grade + ".json");
    std::ofstream(path) << record;
    return path.string();
  }
  std::string file(const std::string& text) {
    const std::filesystem::path path = m_state.path() / "figures.csv";
    std::ofstream(path) << text;
    return path.string();
  }

  TemporaryFolder m_state;
};

const json& verdict_of(const json& document, const std::string& metric, const std::string& scope) {
  for (const json& one : document["verdicts"]) {
    if (one["metric"] == metric && one["scope"] == scope) return one;
  }
  static const json none;
  ADD_FAILURE() << "no verdict on " << metric << ", " << scope;
  return none;
}

// Half of the runs lost operations, so their p99 is anything from 10 s on.
TEST_F(CompareArmsCli, RunsThatLostOperations_AreNotFasterForIt) {
  const auto measured = [&](const std::string& sim, int seed) {
    const Finished done = run({"--target", "sim", "--sim", sim, "--pattern", "randread4k", "--rate",
                               "500", "--time", "2", "--warmup", "0", "--drain", "1s", "--seed",
                               std::to_string(seed), "--no-progress", "--json"});
    return json::parse(done.out)["run_id"].get<std::string>();
  };
  std::vector<std::string> words = {"--json", "--force", "--primary", "read p99_us"};
  std::vector<std::string> worse;
  for (int seed = 1; seed <= 8; ++seed) words.push_back(measured("latency=exp:5ms", seed));
  for (int seed = 1; seed <= 8; ++seed) {
    worse.push_back(
        measured(seed % 2 == 0 ? "latency=exp:4ms,never=0.02" : "latency=exp:4ms", seed));
  }
  words.emplace_back("--against");
  words.insert(words.end(), worse.begin(), worse.end());
  const Finished done = compare(words);
  ASSERT_EQ(done.status, 0) << done.err;
  const json document = json::parse(done.out);
  for (const std::string metric : {"read p99_us", "read mean_us"}) {
    const json& verdict = verdict_of(document, metric, "these-osds");
    EXPECT_NE(verdict["verdict"], "faster") << metric;
    EXPECT_NE(verdict["verdict"], "equivalent") << metric;
  }
  EXPECT_THAT(verdict_of(document, "read p99_us", "these-osds")["reason"].get<std::string>(),
              HasSubstr("4 of 16 figures are only known to be at least so long, because operations "
                        "were lost"));
}

TEST_F(CompareArmsCli, PublishedMatchedTables_AreInconclusive) {
  const Finished done = compare({"--csv", published, "--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json document = json::parse(done.out);
  EXPECT_EQ(document["schema"], "radosload.verdicts/1");
  const json& reads = verdict_of(document, "op_r_latency", "this-kind");
  EXPECT_NEAR(reads["ratio"].get<double>(), 1.062, 0.0005);
  EXPECT_NEAR(reads["ci_low"].get<double>(), 0.163, 0.0005);
  EXPECT_NEAR(reads["ci_high"].get<double>(), 6.940, 0.0005);
  EXPECT_EQ(reads["verdict"], "inconclusive");
  EXPECT_EQ(reads["method"], "welch-log-normal");
  const json& writes = verdict_of(document, "op_w_latency", "this-kind");
  EXPECT_NEAR(writes["ratio"].get<double>(), 0.893, 0.0005);
  EXPECT_EQ(writes["verdict"], "inconclusive");
  EXPECT_EQ(verdict_of(document, "op_w_latency", "these-osds")["verdict"], "not assessable");
  const Finished text = compare({"--csv", published});
  EXPECT_THAT(text.out, HasSubstr("0.163 to 6.940"));
  EXPECT_THAT(text.out, HasSubstr("inconclusive"));
}

TEST_F(CompareArmsCli, EachFormat_HasTheFigures) {
  EXPECT_THAT(compare({"--csv", published, "--format", "markdown"}).out,
              HasSubstr("| op\\_r\\_latency | this-kind | 1.062 |"));
  EXPECT_THAT(compare({"--csv", published, "--format", "go-bench"}).out,
              HasSubstr("BenchmarkRadosload/arm=WAL/unit=osd.9 1 31.1 op_r_latency\n"));
}

TEST_F(CompareArmsCli, FailIf_UsesThePrimaryMetric) {
  const std::string clear = file(
      "arm,unit,round,metric,value,better\n"
      "a,1,,work,10,lower\na,2,,work,10.1,lower\na,3,,work,10.2,lower\na,4,,work,9.9,lower\n"
      "b,5,,work,20,lower\nb,6,,work,20.1,lower\nb,7,,work,20.2,lower\nb,8,,work,19.9,lower\n");
  EXPECT_EQ(compare({"--csv", clear}).status, 0);
  EXPECT_EQ(compare({"--csv", clear, "--fail-if", "slower"}).status, 5);
  EXPECT_EQ(compare({"--csv", clear, "--fail-if", "different"}).status, 5);
  EXPECT_EQ(compare({"--csv", clear, "--fail-if", "inconclusive"}).status, 0);
  EXPECT_EQ(compare({"--csv", clear, "--fail-if", "slower", "--threshold", "300"}).status, 0);
  EXPECT_EQ(compare({"--csv", published, "--fail-if", "inconclusive"}).status, 5);
}

TEST_F(CompareArmsCli, InvalidOptions_AreUsageErrors) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "fewer than two runs"},
      {{"last", "--primary", "p99"}, "--primary"},
      {{"--csv", published, "last"}, "together with runs"},
      {{"--csv", nowhere("figures.csv")}, nowhere("figures.csv")},
      {{"--csv", m_state.path().string()}, "cannot read figures from"},
      {{"--csv", published, "--primary", "p99"}, "op_r_latency"},
      {{"--csv", published, "--require-clean"}, "no grade"},
      {{"--against", "last"}, "no runs were given"},
      {{"last", "--by", "colour"}, "label=KEY"},
      {{"last", "last", "--format", "markdown"}, "verdicts"}};
  simulated("1ms", "x", 1);
  for (const auto& [words, said] : cases) {
    const Finished done = compare(words);
    EXPECT_EQ(done.status, usage) << said;
    EXPECT_THAT(done.err, HasSubstr(said));
    EXPECT_EQ(done.out, "");
  }
}

TEST_F(CompareArmsCli, RunsOfASlowerTarget_AreSlowerInTheScopeOfRounds) {
  std::vector<std::string> words;
  words.reserve(16);
  for (int i = 0; i < 5; ++i) words.push_back(simulated("1ms", "fast", 1 + i));
  words.emplace_back("--against");
  for (int i = 0; i < 5; ++i) words.push_back(simulated("3ms", "slow", 11 + i));
  words.insert(words.end(), {"--primary", "read p99_us", "--json"});
  const Finished withheld = compare(words);
  ASSERT_EQ(withheld.status, 0) << withheld.err;
  EXPECT_THAT(withheld.out, HasSubstr("different sim:"));
  EXPECT_EQ(verdict_of(json::parse(withheld.out), "read p99_us", "these-osds")["verdict"],
            "not assessable");
  words.emplace_back("--force");
  const json document = json::parse(compare(words).out);
  const json& rounds = verdict_of(document, "read p99_us", "these-osds");
  EXPECT_EQ(rounds["verdict"], "slower");
  EXPECT_EQ(rounds["n_a"], 5);
  EXPECT_NEAR(rounds["ratio"].get<double>(), 3, 0.6);
  EXPECT_EQ(verdict_of(document, "read iops", "these-osds")["better"], "higher");
  EXPECT_EQ(verdict_of(document, "read iops", "these-osds")["verdict"], "slower");
  EXPECT_EQ(verdict_of(document, "read p99_us", "this-kind")["verdict"], "not assessable");
  // Runs on a simulated target are not graded, so they are not known to be clean.
  words.emplace_back("--require-clean");
  EXPECT_EQ(compare(words).status, 1);
}

TEST_F(CompareArmsCli, VoidRunsAreLeftOut_AndContaminatedOnesAreShownWithAndWithout) {
  std::vector<std::string> words;
  words.reserve(16);
  for (int i = 0; i < 4; ++i) words.push_back(simulated("1ms", "a", 1 + i));
  words.emplace_back("--against");
  for (int i = 0; i < 4; ++i) words.push_back(simulated("1ms", "b", 11 + i));
  words.push_back(graded(words.back(), "void", "20261121-040012345-0001"));
  words.emplace_back("--json");
  const Finished left_out = compare(words);
  ASSERT_EQ(left_out.status, 0) << left_out.err;
  const json document = json::parse(left_out.out);
  EXPECT_EQ(verdict_of(document, "read p99_us", "these-osds")["n_b"], 4);
  EXPECT_THAT(document["warnings"].dump(), HasSubstr("20261121-040012345-0001 is left out"));
  words.pop_back();
  EXPECT_THAT(compare(words).out, Not(HasSubstr("Without the contaminated runs")));
  words.back() = graded(words.front(), "contaminated", "20261121-040012345-0002");
  const std::string both = compare(words).out;
  EXPECT_THAT(both, HasSubstr("4 v 5"));
  EXPECT_THAT(both, HasSubstr("Without the contaminated runs"));
  EXPECT_THAT(both, HasSubstr("4 v 4"));
}

TEST_F(CompareArmsCli, ByALabel_DividesTheRuns) {
  std::vector<std::string> words;
  for (int i = 0; i < 4; ++i) {
    words.push_back(simulated("1ms", "old", 1 + i));
    words.push_back(simulated("1ms", "new", 11 + i));
  }
  words.insert(words.end(), {"--by", "label=drive", "--json"});
  const Finished done = compare(words);
  ASSERT_EQ(done.status, 0) << done.err;
  const json document = json::parse(done.out);
  EXPECT_EQ(document["verdicts"][0]["base"], "old");
  EXPECT_EQ(document["verdicts"][0]["other"], "new");
  EXPECT_EQ(verdict_of(document, "read mean_us", "these-osds")["n_b"], 4);
}

}  // namespace
}  // namespace radosload::test
