// `radosload explain` without a cluster: which documents it takes, and what it says where no OSD
// was examined. Causes that are made on purpose: tests/cluster/explain_test.cc.
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

class ExplainCli : public ::testing::Test {
 protected:
  Finished run(std::vector<std::string> words) {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }
  Finished measure(const std::string& pattern) {
    return run({"--target", "sim", "--pattern", pattern, "--time", "1", "--warmup", "0",
                "--no-progress", "--json"});
  }

  TemporaryFolder m_state;
};

TEST_F(ExplainCli, RunOnASimulatedCluster_HasNothingToExamine) {
  const json record = json::parse(measure("randread4k,qd=1").out);
  const Finished text = run({"explain", "last"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("run " + record["run_id"].get<std::string>()));
  EXPECT_THAT(text.out, HasSubstr("no cause was found in what could be examined"));
  EXPECT_THAT(text.out, HasSubstr("a run with --target sim has no cluster"));
  const json said = json::parse(run({"explain", "last", "--json"}).out);
  EXPECT_EQ(said["run_id"], record["run_id"]);
  EXPECT_EQ(said["causes"], json::array());
  EXPECT_EQ(said["unseen"].size(), 1U);
}

// The record of a run with counters, in a file.
TEST_F(ExplainCli, RecordedRun_IsRead) {
  const Finished said =
      run({"explain", in_source("tests/fixtures/documents/run-pinned.json"), "--json"});
  ASSERT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(json::parse(said.out)["schema"], "radosload.explain/1");
}

TEST_F(ExplainCli, Series_IsExplainedRunByRun) {
  const json series = json::parse(measure("randread4k,qd=1:4").out);
  const Finished text = run({"explain", series["series_id"].get<std::string>()});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("closed loop at qd 1\n"));
  EXPECT_THAT(text.out, HasSubstr("closed loop at qd 4\n"));
  const Finished no = run({"explain", series["series_id"].get<std::string>(), "--json"});
  EXPECT_EQ(no.status, usage);
  EXPECT_THAT(no.err, HasSubstr("radosload list --steps"));
}

TEST_F(ExplainCli, WhatIsNoRun_IsAnErrorThatSaysWhatToDo) {
  const Finished none = run({"explain", "20261125"});
  EXPECT_EQ(none.status, usage);
  EXPECT_THAT(none.err, HasSubstr("radosload list"));
  const Finished timing = run({"explain", in_source("tests/fixtures/documents/time-bench.json")});
  EXPECT_EQ(timing.status, usage);
  EXPECT_THAT(timing.err, HasSubstr("it is a timing"));
  const Finished study = run({"explain", in_source("tests/fixtures/documents/study.json")});
  EXPECT_EQ(study.status, usage);
  EXPECT_THAT(study.err, HasSubstr("it is a study"));
}

}  // namespace
}  // namespace radosload::test
