// kill -9 in each phase of a run: what it left is found and removed, and what it had measured is
// not lost.
#include <csignal>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/runs.h"

namespace radosload::test {
namespace {

using testing::HasSubstr;

// A phase, what the program says when it has begun, and whether something was measured by then.
// The phase outlasts the test, so that the run is killed in it.
struct Moment {
  const char* name;
  const char* sign;
  bool measured;
  std::vector<std::string> length;
};

// How ctest names a case.
void PrintTo(const Moment& moment, std::ostream* out) {
  *out << moment.name;
}
std::string name_of(const testing::TestParamInfo<Moment>& chosen) {
  return chosen.param.name;
}

class KilledRun : public Runs {
 protected:
  void expect_listed_and_cleaned_up(bool measured) const {
    const Finished listed = test::run(launch({"list"}));
    EXPECT_EQ(listed.status, 0) << listed.err;
    if (measured) {
      EXPECT_THAT(listed.out, HasSubstr("randrw4k"));
    }
    const Finished cleaned = radosload_here({"cleanup", "--yes", "--pool", "ssd"});
    EXPECT_EQ(cleaned.status, 0) << cleaned.err << cleaned.out;
    EXPECT_EQ(names_in("ssd"), "");
  }
};

class KilledRuns : public KilledRun, public testing::WithParamInterface<Moment> {};
INSTANTIATE_TEST_SUITE_P(
    In, KilledRuns,
    testing::Values(Moment{"prefill", "prefill: ", false, {"--prefill-rate", "100k"}},
                    Moment{"warmup", "warm-up: ", false, {"--warmup", "10m"}},
                    Moment{"run", "    1 ", true, until_ended()},
                    Moment{"cleanup", "clean up: ", true, {}}),
    name_of);

TEST_P(KilledRuns, LeaveNothingThatCleanupDoesNotFind) {
  Process process(launch(words("ssd", "randrw4k,size=64M,object-size=16k", GetParam().length)));
  ASSERT_TRUE(process.wait_for_output(GetParam().sign));
  process.signal(SIGKILL);
  process.wait();
  EXPECT_NE(names_in("ssd"), "");
  expect_listed_and_cleaned_up(GetParam().measured);
}

TEST_F(KilledRun, KilledInTheDrain_CleanupFindsEverything) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be paused";
  Process process(launch(words("ssd", "randrw4k,size=8M,object-size=64k", until_ended())));
  ASSERT_TRUE(await_second(process, 1));
  ASSERT_EQ(lab({"osd", "pause", "0"}).status, 0);
  ASSERT_TRUE(process.wait_for_output("osd.0: ")) << "no operation waits for it";
  process.signal(SIGINT);
  EXPECT_TRUE(process.wait_for_output("drain: "));
  process.signal(SIGKILL);
  process.wait();
  ASSERT_EQ(lab({"osd", "resume", "0"}).status, 0);
  expect_listed_and_cleaned_up(true);
}

}  // namespace
}  // namespace radosload::test
