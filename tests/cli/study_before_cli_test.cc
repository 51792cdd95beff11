// `radosload study` before the first cell: what it could find, pilots, dry runs.

#include <string>
#include <vector>

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
using ::testing::Not;

TEST_F(StudyCli, DryRunAsJson_HasTheScheduleAndWhatIsPossible) {
  const std::string file = m_state.with("sims.yaml", study_file(6));
  const Finished done = run({"study", file, "--dry-run", "--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json preview = json::parse(done.out);
  EXPECT_EQ(preview["schema"], "radosload.study-preview/1");
  EXPECT_EQ(preview["cells"].size(), 12U);
  EXPECT_TRUE(preview["spread_of"].is_null());
  EXPECT_TRUE(preview["length_s"].is_null());
  EXPECT_TRUE(preview["missing"].empty());
  const json& these = preview["findable"][0];
  EXPECT_EQ(these["scope"], "these-osds");
  EXPECT_EQ(these["n_a"], 6);
  EXPECT_NEAR(these["least_p"].get<double>(), 1.0 / 32, 1e-9);
  EXPECT_EQ(these["possible"], true);
  // Nothing was kept, not even that somebody asked.
  EXPECT_TRUE(json::parse(run({"list", "--json"}).out)["entries"].empty());
}

TEST_F(StudyCli, TooManyMetricsForFewRounds_AreReportedAsNeverConclusiveBeforehand) {
  const std::string file = m_state.with("sims.yaml", study_file(6, ""));
  const Finished done = run({"study", file, "--dry-run"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("scope these-osds can never be conclusive"));
  EXPECT_THAT(done.out, HasSubstr("name a primary metric"));
}

TEST_F(StudyCli, Pilot_ShowsTheSmallestEffectAndItsCellsCount) {
  const std::string file = m_state.with("sims.yaml", study_file(6));
  const Finished pilot = run({"study", file, "--pilot", "--no-progress", "--json"});
  ASSERT_EQ(pilot.status, 0) << pilot.err;
  const json preview = json::parse(pilot.out);
  EXPECT_THAT(preview["spread_of"].get<std::string>(), HasSubstr("study y"));
  const double smallest = preview["findable"][0]["smallest"];
  EXPECT_GT(smallest, 0.05);
  EXPECT_LT(smallest, 1);
  EXPECT_LT(preview["findable"][0]["smallest_with_twice_the_rounds"], smallest);
  // No verdict, and no ratio of the arms: who sees them chooses when to stop by them.
  EXPECT_FALSE(preview.contains("verdicts"));
  EXPECT_THAT(pilot.err, Not(HasSubstr("slower")));
  EXPECT_THAT(pilot.err, HasSubstr("the pilot is complete, and its cells count"));
  const json entry = json::parse(run({"list", "--json"}).out)["entries"][0];
  EXPECT_EQ(entry["type"], "study");
  EXPECT_EQ(entry["status"], "open");
  EXPECT_EQ(entry["steps_done"], 4);
  const Finished again = run({"study", "--resume", "last", "--dry-run"});
  EXPECT_THAT(again.out, HasSubstr("what it could find, if figures scatter as those of study y"));
  const Finished whole = resume("last", {"--json"});
  ASSERT_EQ(whole.status, 0) << whole.err;
  const json document = json::parse(whole.out);
  EXPECT_EQ(document["tries"].size(), 12U);
  EXPECT_EQ((*verdict_in(document, "reads IOPS"))["verdict"], "slower");
  // The next one knows from this one.
  const Finished next = run({"study", file, "--dry-run"});
  EXPECT_THAT(next.out, HasSubstr(document["study_id"].get<std::string>()));
}

TEST_F(StudyCli, Like_TakesTheScatterOfSavedRuns) {
  const std::string file = m_state.with("sims.yaml", study_file(6));
  for (const char* const seed : {"1", "2", "3"}) {
    ASSERT_EQ(
        run({"run", "--target", "sim", "--sim", "latency=exp:1ms", "--pattern", "randread4k,qd=4",
             "--ops", "500", "--warmup", "0", "--time", "0", "--seed", seed, "--no-progress"})
            .status,
        0);
  }
  std::vector<std::string> words = {"study", file, "--dry-run", "--json"};
  const json listed = json::parse(run({"list", "--json"}).out);
  for (const json& entry : listed["entries"]) {
    words.insert(words.end(), {"--like", entry["id"].get<std::string>()});
  }
  const Finished done = run(words);
  ASSERT_EQ(done.status, 0) << done.err;
  const json preview = json::parse(done.out);
  EXPECT_EQ(preview["spread_of"], "3 saved runs");
  EXPECT_FALSE(preview["findable"][0]["smallest"].is_null());
  ASSERT_EQ(run({"run", "--target", "null", "--pattern", "randwrite4k", "--ops", "500", "--warmup",
                 "0", "--time", "0", "--no-progress"})
                .status,
            0);
  const Finished other = run({"study", file, "--dry-run", "--like", "last"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("it has no figures of a load of this study"));
}

TEST_F(StudyCli, ScopeThatIsNotAssessable_IsReportedBeforeTheFirstCell) {
  const std::string file = m_state.with("sims.yaml", study_file(2, ""));
  const Finished done = run({"study", file, "--no-progress"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("scope this-kind is not assessable"));
}

}  // namespace
}  // namespace radosload::test
