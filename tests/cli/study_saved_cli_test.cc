// Studies in the store: full disks, what `list` shows of them, and their cells divided otherwise.

#include <csignal>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/study_cli.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// Files may not grow beyond a limit: what a full disk looks like to whoever writes.
Finished with_small_files(const std::string& words, int kib,
                          const std::map<std::string, std::string>& env) {
  return test::run({.words = {"bash", "-c",
                              "ulimit -f " + std::to_string(kib) + "; trap '' XFSZ; exec '" +
                                  radosload_path() + "' " + words},
                    .env = env});
}

TEST_F(StudyCli, FullDisk_EndsTheStudyAndResumeKeepsTheOrder) {
  const json fresh = study("latency=exp:2ms", 6);
  const std::string whole = saved(fresh, "whole");
  const json expected = json::parse(resume(whole, {"--json"}).out);
  const std::string file = saved(fresh, "full");
  const Finished full = with_small_files("study --resume '" + file + "' --no-progress", 2, env());
  EXPECT_EQ(full.status, 1) << full.err;
  EXPECT_THAT(full.err, HasSubstr("File too large"));
  EXPECT_THAT(full.err, HasSubstr("--resume"));
  const Finished done = resume(file, {"--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json document = json::parse(done.out);
  EXPECT_EQ(document["cells"], expected["cells"]);
  EXPECT_EQ(document["verdicts"], expected["verdicts"]);
}

TEST_F(StudyCli, DiskThatIsFullAtTheStart_MeasuresNothing) {
  const std::string file = m_state.with("sims.yaml", study_file(6));
  const Finished full = with_small_files("study '" + file + "' --no-progress", 1, env());
  EXPECT_EQ(full.status, 1) << full.err;
  EXPECT_THAT(full.err, HasSubstr("File too large"));
  EXPECT_TRUE(json::parse(run({"list", "--json"}).out)["entries"].empty());
}

TEST_F(StudyCli, List_ShowsStudiesWithTheirStates) {
  const std::string file = m_state.with("sims.yaml", study_file(3));
  ASSERT_EQ(run({"study", file, "--no-progress"}).status, 0);
  const json done = json::parse(run({"list", "--json"}).out)["entries"];
  ASSERT_EQ(done.size(), 1U) << "the runs of its cells are not listed beside it";
  EXPECT_EQ(done[0]["type"], "study");
  EXPECT_EQ(done[0]["status"], "complete");
  EXPECT_EQ(done[0]["pattern"], "sims");
  EXPECT_EQ(done[0]["steps"], 6);
  EXPECT_EQ(json::parse(run({"list", "--steps", "--json"}).out)["entries"].size(), 7U);
  EXPECT_EQ(json::parse(run({"list", "--label", "arm=fast", "--json"}).out)["entries"].size(), 3U);
  EXPECT_THAT(run({"list"}).out, HasSubstr("complete, 6 cells"));
  EXPECT_THAT(run({"list", "--format", "csv"}).out, HasSubstr(",study,"));
}

TEST_F(StudyCli, List_DistinguishesKilledAndRunningStudies) {
  const std::string file =
      m_state.with("sims.yaml",
                   "arms: {a: --target sim --sim threads=1, b: --target sim --sim threads=1}\n"
                   "patterns: [randread4k]\noptions: {time: 1m, warmup: 0}\nrounds: 2\n");
  Process process({.words = {radosload_path(), "study", file}, .env = env()});
  ASSERT_TRUE(process.wait_for_output("cell 1 of 4"));
  EXPECT_THAT(run({"list"}).out, HasSubstr("running, 0 of 4 cells"));
  process.signal(SIGKILL);
  process.wait();
  EXPECT_THAT(run({"list"}).out, HasSubstr("cut off, 0 of 4 cells"));
}

TEST_F(StudyCli, CompareBy_DividesTheCellsByAnotherProperty) {
  const std::string file = saved(study());
  const json expected = json::parse(resume(file, {"--json"}).out);
  const json by_arm =
      json::parse(run({"compare", file, "--by", "label=arm", "--json"}).out)["verdicts"];
  EXPECT_EQ(by_arm, expected["verdicts"]);
  const json by_round =
      json::parse(run({"compare", file, "--by", "label=round", "--json"}).out)["verdicts"];
  EXPECT_EQ(by_round[0]["base"], "1");
  const Finished kind = run({"compare", file, "--by", "kind"});
  EXPECT_EQ(kind.status, 2);
  EXPECT_THAT(kind.err, HasSubstr("it is not of one OSD"));
  EXPECT_EQ(run({"compare", file, "--threshold", "300", "--fail-if", "slower"}).status, 0);
  EXPECT_EQ(run({"compare", file, "--require-clean"}).status, 0);
}

}  // namespace
}  // namespace radosload::test
