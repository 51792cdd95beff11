// Other clients on the OSDs of a run are in the run's grade: noted, or contaminating where their
// load changed. The load of the run is 100 operations a second.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/scenario.h"

#include <fmt/format.h>

namespace radosload::test {
namespace {

using record::GradeValue;
using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* load_of_the_run =
    "--pattern randread4k,size=4M,object-size=64k --rate 100 --time 30 --push-through";

void expect_undisturbed(const Played& played) {
  EXPECT_EQ(played.exit, Exit::measured);
  EXPECT_EQ(played.grade(), GradeValue::clean) << testing::PrintToString(played.reasons());
}

Played played_beside(int from, int to, std::uint64_t each_second, const std::string& more = {}) {
  Scenario run(fmt::format("{} {}", load_of_the_run, more));
  for (int second = from; second < to; ++second) {
    run.at(seconds(second), pool_serves(SimulatedCluster::other_pool, each_second));
  }
  return run.play();
}

TEST(RunGradesBesideOthers, OtherClientsWorkAllTheTime_IsNotedWithTheirShare) {
  const Played played = played_beside(0, 30, 300);
  expect_undisturbed(played);
  EXPECT_THAT(played.reasons(), ElementsAre(AllOf(HasSubstr("other clients (pool other) did "),
                                                  HasSubstr(" % of the load, 0 to 30 s"))));
}

TEST(RunGradesBesideOthers, OtherClientsBeginOrEnd_ContaminatesWithTheTime) {
  for (const auto& [from, to] : {std::pair(19, 30), {0, 16}, {12, 20}}) {
    const Played played = played_beside(from, to, 300);
    EXPECT_EQ(played.grade(), GradeValue::contaminated) << from << " to " << to;
    EXPECT_THAT(played.reasons(),
                ElementsAre(HasSubstr("other clients (pool other) loaded the OSDs of the run "
                                      "unevenly: ")));
  }
  EXPECT_THAT(played_beside(19, 30, 300).reasons(), ElementsAre(HasSubstr(", 1")));
}

TEST(RunGradesBesideOthers, OtherClientsDouble_ContaminatesALongerRun) {
  Scenario run("--pattern randread4k,size=4M,object-size=64k --rate 100 --time 60 --push-through");
  for (int second = 0; second < 60; ++second) {
    run.at(seconds(second), pool_serves(SimulatedCluster::other_pool, second < 34 ? 100 : 250));
  }
  EXPECT_EQ(run.play().grade(), GradeValue::contaminated);
}

TEST(RunGradesBesideOthers, OtherClientsThatDoNotConcernTheRun_RunIsCleanWithoutAWord) {
  for (const Played& played : {played_beside(0, 30, 4), played_beside(10, 20, 4),  // too little
                               played_beside(0, 3, 5000),  // reported late: of before
                               played_beside(0, 14, 500, "--warmup 20s")}) {
    expect_undisturbed(played);
    EXPECT_THAT(played.reasons(), IsEmpty());
  }
  Scenario own(load_of_the_run);
  for (int second = 0; second < 30; second += 3) {
    own.at(seconds(second), pool_serves(SimulatedCluster::pool, 5000));
  }
  EXPECT_THAT(own.play().reasons(), IsEmpty());
}

TEST(RunGradesBesideOthers, OtherClientsAreShownByCounters_IsNotedWithTheirShare) {
  Scenario run(load_of_the_run, {.observed = true});
  for (int second = 0; second < 30; ++second) {
    run.at(seconds(second), [](Stricken& all) { all.cluster.osd_serves(1, 100); });
  }
  const Played played = run.play();
  expect_undisturbed(played);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("% of the operations on osd.1 were of other "
                                                      "clients")));
}

}  // namespace
}  // namespace radosload::test
