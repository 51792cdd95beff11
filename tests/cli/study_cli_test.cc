// `radosload study` on simulated targets: to the verdict, killed and continued, phases, interrupts.

#include "cli/study_cli.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
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

// Another user may have written the file.
TEST_F(StudyCli, ResumedFile_GrantsNoPermissionRunsNoCommandAndSetsNoConfig) {
  const std::string witness = (m_state.path() / "witness").string();
  const Finished phases = resume(saved(with_phases("touch " + witness), "phases"));
  EXPECT_EQ(phases.status, 4) << phases.err;
  EXPECT_THAT(phases.err, HasSubstr("touch " + witness));
  EXPECT_THAT(phases.err, HasSubstr("add --yes"));
  EXPECT_FALSE(std::filesystem::exists(witness));

  json timer = study();
  timer["plan"]["works"] = {
      {{"name", "peering"},
       {"what", "timer"},
       {"words", {"peering", "--restart-cmd", "touch " + witness + " {osd}"}}}};
  for (json& arm : timer["plan"]["arms"]) arm["options"] = {"--pool", "hdd", "--osd", "0"};
  timer["plan"]["options"] = json::array();
  EXPECT_EQ(resume(saved(timer, "timer")).status, 4);
  EXPECT_FALSE(std::filesystem::exists(witness));

  json hostile = study();
  hostile["plan"]["options"] = {"--pool", "hdd", "--conf", nowhere("hostile.conf")};
  for (json& arm : hostile["plan"]["arms"]) arm["options"] = {"--image", "theirs"};
  const Finished plain = resume(saved(hostile, "plain"), {"--conf", nowhere("mine.conf")});
  EXPECT_EQ(plain.status, 3) << plain.err;
  EXPECT_THAT(plain.err, HasSubstr(nowhere("mine.conf")));
  EXPECT_THAT(plain.err, Not(HasSubstr("hostile")));

  hostile["plan"]["options"].push_back("--destroy-data");
  for (const auto& more : std::vector<std::vector<std::string>>{{}, {"--dry-run"}, {"--yes"}}) {
    const Finished done = resume(saved(hostile, "destroys"), more);
    EXPECT_EQ(done.status, 4) << done.err;
    EXPECT_THAT(done.err, HasSubstr("--destroy-data"));
  }
}

TEST_F(StudyCli, SlowerArm_IsFoundSlower) {
  const std::string file = saved(study());
  const Finished done = resume(file, {"--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json document = json::parse(done.out);
  const json* const verdict = verdict_in(document, "reads IOPS");
  ASSERT_NE(verdict, nullptr);
  EXPECT_EQ((*verdict)["verdict"], "slower");
  EXPECT_EQ(document["tally"]["measured"], 12);
  // Runs are saved like any other, with labels to find them by.
  const Finished list = run({"list", "--label", "study=sims,arm=slow", "--json"});
  EXPECT_EQ(json::parse(list.out)["entries"].size(), 6U);
  const Finished text = run({"report", file});
  EXPECT_THAT(text.out, HasSubstr("is slow slower than fast?"));
  EXPECT_THAT(text.out, HasSubstr("slower"));
  const Finished again = run({"compare", file, "--fail-if", "slower"});
  EXPECT_EQ(again.status, 5) << again.err;
  EXPECT_EQ(run({"compare", file, "--format", "markdown"}).status, 0);
  const std::string page = (m_state.path() / "page.html").string();
  const Finished written = run({"report", file, "-o", page});
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_THAT(read_file(page), HasSubstr("slow is slower than fast"));
  EXPECT_THAT(read_file(page), HasSubstr("<p class=\"soft\">is slow slower than fast?</p>"));
  EXPECT_EQ(json::parse(run({"compare", page, "--json"}).out)["verdicts"],
            json::parse(run({"compare", file, "--json"}).out)["verdicts"]);
  // Nothing is left to do, and the verdict stays.
  const Finished complete = resume(file, {"--json"});
  EXPECT_EQ(json::parse(complete.out)["verdicts"], document["verdicts"]);
}

TEST_F(StudyCli, StudyKilledAtAnyLine_HasTheSameVerdictAfterResume) {
  const json fresh = study("latency=exp:2ms", 3);
  const std::string whole = saved(fresh, "whole");
  const json expected = json::parse(resume(whole, {"--json"}).out)["verdicts"];
  ASSERT_FALSE(expected.is_null());
  const std::string lines = read_file(lines_of(whole));
  const std::string file = saved(fresh, "killed");
  for (std::size_t end = lines.find('\n'); end != std::string::npos;
       end = lines.find('\n', end + 1)) {
    // The line itself may be torn.
    write_file(lines_of(file), lines.substr(0, end + (end % 2)));
    const Finished done = resume(file, {"--json"});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(json::parse(done.out)["verdicts"], expected) << end;
  }
}

TEST_F(StudyCli, ProcessKilledAnywhere_HasTheSameVerdictAfterResume) {
  json fresh = study("latency=exp:2ms", 6);
  const std::string whole = saved(fresh, "whole");
  const json expected = json::parse(resume(whole, {"--json"}).out)["verdicts"];
  const std::string file = saved(fresh, "killed");
  for (const int ms : {40, 80, 120, 160}) {
    Process process(
        {.words = {radosload_path(), "study", "--resume", file, "--no-progress"}, .env = env()});
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    process.signal(SIGKILL);
    process.wait();
  }
  const Finished done = resume(file, {"--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json document = json::parse(done.out);
  EXPECT_EQ(document["verdicts"], expected);
  EXPECT_EQ(document["tally"]["measured"], 12);
}

TEST_F(StudyCli, CtrlC_KeepsEverythingAndSaysHowToResume) {
  json document = study("latency=exp:2ms", 1);
  document["plan"]["options"] = {"--target", "sim", "--warmup", "0", "--time", "1m"};
  for (json& arm : document["plan"]["arms"]) arm["options"] = {"--sim", "threads=1"};
  const std::string file = saved(document);
  Process process({.words = {radosload_path(), "study", "--resume", file}, .env = env()});
  ASSERT_TRUE(process.wait_for_output("cell 1 of 2"));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, 130) << done.err;
  EXPECT_THAT(done.err, HasSubstr("radosload study --resume " + file + "\n  with --conf"))
      << "it is not in the store, where its ID would lead to it";
  const json kept = json::parse(run({"report", file, "--json"}).out);
  EXPECT_EQ(kept["tries"][0]["state"], "interrupted");
  EXPECT_EQ(kept["tally"]["measured"], 0);
  EXPECT_THAT(kept["no_verdict"].get<std::string>(), HasSubstr("there are no figures"));
}

TEST_F(StudyCli, TwoProcesses_DoNotRunOneStudy) {
  json document = study("threads=1", 1);
  document["plan"]["arms"][0]["options"] = {"--sim", "threads=1"};
  document["plan"]["options"] = {"--target", "sim", "--warmup", "0", "--time", "1m"};
  const std::string file = saved(document);
  Process process({.words = {radosload_path(), "study", "--resume", file}, .env = env()});
  ASSERT_TRUE(process.wait_for_output("cell 1 of 2"));
  EXPECT_EQ(resume(file).status, 4);
  process.signal(SIGINT);
  process.wait();
}

TEST_F(StudyCli, ManualPhase_WaitsUntilTheUserConfirmsIt) {
  const std::string file = saved(with_phases(""));
  const Finished before = resume(file);
  EXPECT_EQ(before.status, 0) << before.err;
  EXPECT_THAT(before.err, HasSubstr("--phase after"));
  EXPECT_THAT(resume(file).err, HasSubstr("waits for phase after"));
  const Finished after = resume(file, {"--phase", "after", "--json"});
  ASSERT_EQ(after.status, 0) << after.err;
  const json document = json::parse(after.out);
  EXPECT_EQ(document["tally"]["measured"], 12);
  EXPECT_EQ((*verdict_in(document, "reads IOPS"))["base"], "before");
}

TEST_F(StudyCli, FailedCommandOfAPhase_EndsTheStudyAndKeepsEverything) {
  const std::string mark = (m_state.path() / "made").string();
  const std::string file = saved(with_phases("test -e " + mark + " || { echo no luck; exit 7; }"));
  const Finished failed = resume(file, {"--yes"});
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.err, HasSubstr("phase after"));
  EXPECT_THAT(failed.err, HasSubstr("no luck"));
  write_file(mark, "");
  const Finished done = resume(file, {"--json", "--yes"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(json::parse(done.out)["tally"]["measured"], 12);
}

TEST_F(StudyCli, ContaminatedCells_AreShownWithAndWithout) {
  const std::string file = saved(study());
  json document = json::parse(resume(file, {"--json"}).out);
  for (const char* const key :
       {"tally", "verdicts", "no_verdict", "verdicts_without_contaminated"}) {
    document.erase(key);
  }
  document["tries"][2]["state"] = "contaminated";
  document["tries"][2]["reason"] = "a scrub ran";
  const std::string copy = saved(document, "copy");
  const Finished text = run({"report", copy});
  EXPECT_THAT(text.out, HasSubstr("1 cell contaminated"));
  EXPECT_THAT(text.out, HasSubstr("Without the contaminated cells:"));
  const json both = json::parse(run({"report", copy, "--json"}).out);
  EXPECT_FALSE(both["verdicts_without_contaminated"].is_null());
  EXPECT_EQ(run({"compare", copy}).status, 0);
  EXPECT_EQ(run({"compare", copy, "--require-clean"}).status, 1);
  EXPECT_NE(both["verdicts"], both["verdicts_without_contaminated"]);
}

TEST_F(StudyCli, ShareOfTheCapacity_IsFoundOnceOnTheSlowestArm) {
  json fresh = study("latency=exp:2ms", 2);
  fresh["plan"]["capacity_share"] = 0.5;
  const std::string file = saved(fresh);
  const Finished done = resume(file, {"--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json document = json::parse(done.out);
  // Four at a time of 2 ms each are 2,000 a second.
  EXPECT_NEAR(document["capacity_iops"].get<double>(), 2000, 400);
  const double half = document["capacity_iops"].get<double>() / 2;
  for (const json& one : document["tries"]) {
    EXPECT_NEAR(one["figures"][0]["value"].get<double>(), half, half * 0.2);
  }
  EXPECT_EQ(json::parse(resume(file, {"--json"}).out)["verdicts"], document["verdicts"]);
  EXPECT_EQ(read_file(lines_of(file)).find("capacity_iops"),
            read_file(lines_of(file)).rfind("capacity_iops"));
}

TEST_F(StudyCli, DryRun_ShowsOrderAndWhatIsNotAssessableAndMeasuresNothing) {
  const std::string file = saved(study());
  const Finished done = resume(file, {"--dry-run"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("the order of its cells"));
  EXPECT_THAT(done.out, HasSubstr("this-kind is not assessable"));
  EXPECT_FALSE(std::filesystem::exists(lines_of(file)));
}

TEST_F(StudyCli, ResumeLastWithoutAStudy_CreatesNothing) {
  const Finished done = run({"study", "--resume", "last"});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.err, testing::HasSubstr("no study is saved yet"));
  for (const char* const folder : {"studies", "series", "times"}) {
    EXPECT_FALSE(std::filesystem::exists(m_state.path() / "radosload" / folder)) << folder;
  }
}

TEST_F(StudyCli, InvalidOptions_AreRefused) {
  const std::string file = saved(study());
  EXPECT_EQ(run({"study"}).status, 2);
  EXPECT_EQ(run({"study", "--resume", file, "--set", "rounds=3"}).status, 2);
  EXPECT_EQ(run({"study", "question.yaml", "--phase", "after"}).status, 2);
  EXPECT_EQ(run({"study", "--resume", "nosuch"}).status, 2);
  EXPECT_EQ(run({"compare", file, "--by", "pool"}).status, 2);
  json sweep = study();
  sweep["plan"]["works"][0]["words"] = {"randread4k,qd=1:4"};
  EXPECT_THAT(resume(saved(sweep)).err, HasSubstr("a cell is one run"));
}

}  // namespace
}  // namespace radosload::test
