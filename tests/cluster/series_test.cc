// Sweeps and suites on a real cluster: objects are written once and gone afterwards, however the
// series ends, and a killed one can be gone on with.

#include <csignal>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/runs.h"
#include "support/images.h"
#include "support/records.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// How often objects were written: a phase has a line every few seconds, one below the other.
std::size_t prefills(const std::string& err) {
  std::size_t begun = 0;
  bool in_prefill = false;
  std::size_t start = 0;
  while (start < err.size()) {
    const std::size_t end = std::min(err.find('\n', start), err.size());
    const bool now = err.compare(start, 8, "prefill:") == 0;
    if (now && !in_prefill) ++begun;
    in_prefill = now;
    start = end + 1;
  }
  return begun;
}

class ClusterSeries : public Runs {
 protected:
  json document() const {
    const Finished shown = test::run(launch({"--resume", "last", "--format", "json"}));
    EXPECT_EQ(shown.status, 0) << shown.err;
    return shown.status == 0 ? json::parse(shown.out) : json::object();
  }
  // Time: a step lasts until the test has ended the series in it.
  static std::vector<std::string> long_steps() { return {"--time", "5"}; }
  static void expect_steps_sound(const json& series) {
    EXPECT_EQ(series["status"], "complete");
    for (const json& step : series["steps"]) {
      SCOPED_TRACE(step["name"]);
      EXPECT_EQ(step["record"]["status"], "complete");
      expect_sound(step["record"]);
    }
  }
};

TEST_F(ClusterSeries, ASweepWritesItsObjectsOnceAndLeavesNothing) {
  const Finished done = run("ssd", "randrw4k,size=16M,qd=1:4:16");
  EXPECT_EQ(done.status, 0) << done.err << done.out;
  EXPECT_EQ(prefills(done.err), 1U) << done.err;
  EXPECT_EQ(names_in("ssd"), "");
  expect_steps_sound(document());
}

TEST_F(ClusterSeries, StepsOfOtherObjectsWriteTheirOwn) {
  const Finished done = run("ssd", "randread4k,size=4M,object-size=64k:1M,qd=1:4");
  EXPECT_EQ(done.status, 0) << done.err << done.out;
  EXPECT_EQ(prefills(done.err), 2U) << done.err;
  EXPECT_EQ(names_in("ssd"), "");
  expect_steps_sound(document());
}

TEST_F(ClusterSeries, KbenchWritesItsObjectsOnceAndChecksEveryRead) {
  Launch twelve = launch(words("ssd", "kbench,size=32M", {"--ops", "100"}));
  twelve.limit *= 2;  // each step connects anew, which takes its time on a busy machine
  const Finished done = test::run(std::move(twelve));
  EXPECT_EQ(done.status, 0) << done.err << done.out;
  EXPECT_EQ(prefills(done.err), 1U) << done.err;
  EXPECT_THAT(done.out, HasSubstr("IOPS (Read/Write)"));
  EXPECT_EQ(names_in("ssd"), "");
  expect_steps_sound(document());
}

TEST_F(ClusterSeries, KeptObjectsServeTheNextSeries) {
  const Finished first = run("ssd", "randread4k,size=16M,qd=1:4", {"--keep"});
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(count(first.err, "the objects are kept"), 1U) << first.err;
  const Finished second = run("ssd", "randread4k,size=16M,qd=1:4", {"--reuse", "last"});
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(prefills(second.err), 0U) << second.err;
  EXPECT_EQ(clean_up_kept("ssd").status, 0);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(ClusterSeries, ASweepMakesAndWritesItsImageOnceAndRemovesIt) {
  for (const std::vector<std::string>& image :
       {std::vector<std::string>{"--create", "32M"}, {"--create", "32M", "--image", "swept"}}) {
    const Finished done = run("ssd", "randrw4k,size=16M,qd=1:4:16", image);
    EXPECT_EQ(done.status, 0) << done.err << done.out;
    EXPECT_EQ(prefills(done.err), 1U) << done.err;
    EXPECT_EQ(names_in("ssd"), "");
    EXPECT_EQ(images_in("ssd"), "");
    expect_steps_sound(document());
  }
}

TEST_F(ClusterSeries, ImagesOfOtherObjectsAreMadeAnew) {
  const Finished done =
      run("ssd", "randrw4k,size=8M,object-size=1M:4M", {"--create", "16M", "--image", "anew"});
  EXPECT_EQ(done.status, 0) << done.err << done.out;
  EXPECT_EQ(images_in("ssd"), "");
  const json series = document();
  expect_steps_sound(series);
  for (std::size_t i = 0; i < series["steps"].size(); ++i) {
    const json& image = series["steps"][i]["record"]["environment"]["images"][0];
    EXPECT_EQ(image["object_size"].get<std::uint64_t>() >> 20U, i == 1 ? 4U : 1U);
  }
}

TEST_F(ClusterSeries, AForeignImageIsFilledOnceAndStays) {
  const ForeignImage image("series");
  const Finished done =
      run("ssd", "randread4k,size=16M,qd=1:4", {"--image", "series", "--destroy-data"});
  EXPECT_EQ(done.status, 0) << done.err << done.out;
  EXPECT_EQ(prefills(done.err), 1U) << done.err;
  EXPECT_EQ(images_in("ssd"), "series\n");
  EXPECT_EQ(names_in("ssd"), "");
  expect_steps_sound(document());
}

TEST_F(ClusterSeries, AKeptImageServesEveryStepAndTheNextSeries) {
  const Finished first =
      run("ssd", "randread4k,size=16M,qd=1:4", {"--create", "32M", "--image", "kept", "--keep"});
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(prefills(first.err), 1U) << first.err;
  const Finished second =
      run("ssd", "randread4k,size=16M,qd=1:4", {"--image", "kept", "--reuse", "last"});
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(prefills(second.err), 0U) << second.err;
  EXPECT_EQ(clean_up_kept("ssd").status, 0);
  EXPECT_EQ(images_in("ssd"), "");
}

TEST_F(ClusterSeries, CtrlC_LeavesNothingAndResumeContinues) {
  Process process(launch(words("ssd", "randread4k,size=16M,qd=1:4:16", long_steps())));
  ASSERT_TRUE(process.wait_for_output("step 2 of 3"));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.out, HasSubstr("1 of 3 steps"));
  EXPECT_EQ(names_in("ssd"), "");
  const Finished resumed = test::run(launch({"--resume", "last"}));
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.err, Not(HasSubstr("step 1 of 3")));
  EXPECT_EQ(names_in("ssd"), "");
  expect_steps_sound(document());
}

TEST_F(ClusterSeries, Killed_CleanupFindsItsObjectsAndResumeContinues) {
  Process process(launch(words("ssd", "randread4k,size=16M,qd=1:4:16", long_steps())));
  ASSERT_TRUE(process.wait_for_output("step 2 of 3"));
  process.signal(SIGKILL);
  process.wait();
  EXPECT_NE(names_in("ssd"), "");
  const Finished resumed = test::run(launch({"--resume", "last"}));
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("radosload cleanup --pool ssd"));
  EXPECT_EQ(radosload_here({"cleanup", "--yes", "--pool", "ssd"}).status, 0);
  EXPECT_EQ(names_in("ssd"), "");
  expect_steps_sound(document());
}

TEST_F(ClusterSeries, RefusedStep_EndsTheSeriesAndSaysHowToResume) {
  const Finished done = run("ssd", "randread4k,size=16M:10T");
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.out, HasSubstr("1 of 2 steps"));
  EXPECT_THAT(done.err, HasSubstr("cannot fill pool ssd"));
  EXPECT_THAT(done.err, HasSubstr("radosload --resume s"));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(ClusterSeries, MissingPool_SavesNoSeries) {
  const Finished done = run("no-such-pool", "randread4k,qd=1:4");
  EXPECT_EQ(done.status, no_cluster);
  EXPECT_EQ(done.out, "");
  EXPECT_EQ(test::run(launch({"list"})).out, "no saved runs\n");
}

TEST_F(ClusterSeries, ADryRunShowsStepsAndSpaceAndWritesNothing) {
  // Time: it is shown.
  const Finished done = run("ssd", "randrw4k,size=16M,qd=1:4", {"--time", "2", "--dry-run"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("4 s in 2 steps"));
  EXPECT_THAT(done.out, HasSubstr("on the OSDs of pool ssd"));
  EXPECT_EQ(names_in("ssd"), "");
}

}  // namespace
}  // namespace radosload::test
