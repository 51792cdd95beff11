// Names in records are of other people's making: none reaches a terminal as it is.
#include <gtest/gtest.h>

#include "report/compare.h"
#include "report/format.h"
#include "report/list.h"
#include "report/live.h"
#include "report/live_history.h"
#include "report/series_compare.h"
#include "report/series_text.h"
#include "report/text.h"
#include "report/trace_summary.h"
#include "support/hostile.h"
#include "unit/report_support.h"

namespace radosload::report {
namespace {

using record::RunRecord;
using record::Series;
using record::StepState;
using test::hostile;
using test::shows_harmlessly;
using testing::run_of;

// As JSON spells it; what is no UTF-8 cannot be in JSON.
const std::string in_json = R"(p\u001b[2J\u001b]0;t\u0007\u202e\u2066\u009b31m\u007f\r\nFORGED)";

RunRecord hostile_run(const std::string& id = hostile) {
  RunRecord run = run_of({});
  run.header.plan.target = TargetKind::rbd;
  run.header.plan.pool = hostile;
  run.header.plan.pattern.name = hostile;
  run.header.plan.pins.osds = hostile;
  run.header.environment = record::testing::environment_of(
      R"({"fsid":")" + in_json + R"(","images":[{"name":")" + in_json +
      R"("}],"data_pool":{"name":")" + in_json + R"("}})");
  run.header.run_id = id;
  run.header.program = hostile;
  run.header.started = hostile;
  run.status = record::RunStatus::interrupted;
  run.warnings = {hostile};
  run.grade = {.value = record::GradeValue::contaminated, .reasons = {hostile}};
  run.events.push_back({.at = Time(0), .kind = "trace", .text = hostile});
  run.events.push_back({.at = Time(0), .kind = "health", .text = hostile});
  return run;
}

Series hostile_series() {
  Series series{.id = hostile,
                .started = hostile,
                .program = hostile,
                .title = hostile,
                .suite = "",
                .steps = {}};
  for (const StepState state : {StepState::done, StepState::interrupted, StepState::failed}) {
    record::SeriesStep step{.name = hostile,
                            .settings = {{hostile, hostile}},
                            .plan = hostile_run().header.plan,
                            .state = state,
                            .reason = hostile,
                            .record = hostile_run()};
    if (state == StepState::failed) step.record.reset();
    series.steps.push_back(std::move(step));
  }
  return series;
}

TEST(HostileNames, AreEscapedInTheTextOfARun) {
  EXPECT_TRUE(shows_harmlessly(text(hostile_run(), hostile)));
}

TEST(HostileNames, AreEscapedInTheList) {
  EXPECT_TRUE(shows_harmlessly(
      list_text(list_rows({hostile_run()}, {.series = {hostile_series()}, .steps = true}))));
}

TEST(HostileNames, AreEscapedInAComparison) {
  EXPECT_TRUE(shows_harmlessly(compare_text(compare({run_of({}), hostile_run()}))));
}

TEST(HostileNames, AreEscapedInASeriesAndItsComparison) {
  EXPECT_TRUE(shows_harmlessly(series_text(hostile_series(), hostile)));
  const auto compared = compare_series_text({hostile_series(), hostile_series()});
  ASSERT_TRUE(compared) << compared.error().message();
  EXPECT_TRUE(shows_harmlessly(*compared));
}

TEST(HostileNames, AreEscapedInTheLiveView) {
  record::Progress state;
  state.phase = "measure";
  state.step = hostile;
  state.stuck = {hostile};
  std::string frame;
  for (const std::string& line : live_frame(state, 200)) {
    EXPECT_EQ(line.find('\n'), std::string::npos) << "a frame is wiped by its number of lines";
    frame += line + "\n";
  }
  LiveHistory history;
  state.last.length = std::chrono::seconds(1);
  state.last.all.ops = 1;
  history.add(state);
  history.mark(hostile);
  for (const std::string& line : history.picture({.columns = 200, .unicode = true}, 30)) {
    EXPECT_EQ(line.find('\n'), std::string::npos);
    frame += line + "\n";
  }
  EXPECT_TRUE(shows_harmlessly(frame));
  EXPECT_TRUE(shows_harmlessly(step_text(hostile, std::chrono::seconds(3))));
}

TEST(HostileNames, AreEscapedInTheSummaryOfATrace) {
  const TraceFacts facts{
      .files = {hostile}, .rows = 1, .ended = 1, .unsound = 0, .object_size = {}};
  EXPECT_TRUE(shows_harmlessly(trace_summary(facts, run_of({}), {})));
}

}  // namespace
}  // namespace radosload::report
