// Runs and cells of a study divided into arms: by the kind of their OSDs, by OSD and by label.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "study/cell_figures.h"
#include "study/fairness.h"
#include "study/run_figures.h"
#include "unit/study_support.h"

namespace radosload::study {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Pinned to these OSDs; each made 100 operations a second for its number. The kinds stand in the
// counters, as a run with an observer has them.
record::RunRecord pinned_run(const std::string& id,
                             const std::map<std::int32_t, std::string>& osds) {
  record::RunRecord run;
  run.header.run_id = id;
  run.header.started = id;
  run.header.plan.pool = "p";
  run.header.plan.pins.osds = "0-9";
  run.measured = std::chrono::seconds(1);
  for (const auto& [osd, kind] : osds) {
    record::Cell cell;
    cell.kind = OpKind::write;
    cell.osd = osd;
    cell.finished.ops = 100 * static_cast<std::uint64_t>(osd + 1);
    run.osds.push_back(cell);
    if (kind.empty()) continue;
    record::OsdWindow window;
    window.osd = osd;
    window.kind = kind;
    run.counters.push_back(window);
  }
  return run;
}

std::vector<std::string> arms_and_units(const std::vector<ArmFigure>& figures) {
  std::vector<std::string> all;
  for (const ArmFigure& one : figures) all.push_back(one.arm + " " + one.unit);
  return all;
}

TEST(DividedByKind, OsdsOfARun_BelongToTheArmOfTheirKind) {
  const std::vector<ArmRun> runs = {
      {.arm = {}, .record = pinned_run("1", {{0, "plain"}, {1, "db"}, {2, "db"}})},
      {.arm = {}, .record = pinned_run("2", {{0, "plain"}, {1, "db"}})}};
  std::vector<std::string> warnings;
  const auto figures = figures_by(runs, divided_by("kind").value(), warnings);
  EXPECT_THAT(arms_and_units(figures), testing::ElementsAre("plain osd.0", "db osd.1", "db osd.2",
                                                            "plain osd.0", "db osd.1"));
  EXPECT_EQ(figures[2].value, 300);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(DividedByKind, RunWithoutTheKind_IsLeftOutAndReported) {
  const std::vector<ArmRun> runs = {{.arm = {}, .record = pinned_run("1", {{0, ""}, {1, "db"}})}};
  std::vector<std::string> warnings;
  const auto figures = figures_by(runs, divided_by("kind").value(), warnings);
  EXPECT_THAT(arms_and_units(figures), testing::ElementsAre("db osd.1"));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("does not tell the kind of osd.0"));
  EXPECT_THAT(warnings[0], HasSubstr("--observer-id"));
}

TEST(DividedBy, UnknownProperty_IsRefusedWithThoseThereAre) {
  const auto refused = divided_by("kin");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit, Exit::usage);
  EXPECT_THAT(refused.error().message(), HasSubstr("did you mean kind?"));
}

struct MeasuredStudy {
  StudyDocument document;
  std::map<std::string, record::RunRecord> runs;
};

// Arm plain has osd.0 and osd.1, arm wal osd.100 and osd.101.
MeasuredStudy measured_with_runs() {
  MeasuredStudy study{.document = document_of_test(plan_of_test(3)), .runs = {}};
  ScriptedWorld script;
  conduct(study.document, "", script.world());
  for (const CellTry& one : study.document.tries) {
    const StudyCell& cell = study.document.cells[one.cell];
    const std::int32_t osd = *osd_of_unit(cell.unit);
    auto run = pinned_run(one.runs.front(), {{osd, osd % 2 == 0 ? "plain" : "db"}});
    run.header.plan.labels["arm"] = cell.arm;
    study.runs.emplace(one.runs.front(), std::move(run));
  }
  return study;
}

TEST(StudyDividedBy, ItsOwnArms_GiveItsOwnVerdicts) {
  const MeasuredStudy study = measured_with_runs();
  std::vector<std::string> warnings;
  const auto figures =
      figures_of_study_by(study.document, study.runs, divided_by("label=arm").value(), warnings);
  EXPECT_THAT(figures, testing::UnorderedElementsAreArray(
                           arms_of_study(study.document, Counted::all).front().figures));
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(StudyDividedBy, Kind_PutsOsdsOfBothArmsTogether) {
  const MeasuredStudy study = measured_with_runs();
  std::vector<std::string> warnings;
  const auto figures =
      figures_of_study_by(study.document, study.runs, divided_by("kind").value(), warnings);
  EXPECT_EQ(figures.size(), study.document.cells.size());
  for (const ArmFigure& one : figures) {
    EXPECT_EQ(one.arm, *osd_of_unit(one.unit) % 2 == 0 ? "plain" : "db");
  }
}

TEST(StudyDividedBy, MissingRuns_AreReportedOnce) {
  const MeasuredStudy study = measured_with_runs();
  std::vector<std::string> warnings;
  EXPECT_THAT(figures_of_study_by(study.document, {}, divided_by("osd").value(), warnings),
              IsEmpty());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("its run is not in the store"));
}

// The same OSD in two arms, which lead to different pools on it.
TEST(StudyDividedBy, OsdOfTwoArms_StaysTwoUnits) {
  auto units = units_of_test(2, 2);
  units[1].units = units[0].units;
  MeasuredStudy study{.document = document_of_test(plan_of_test(2), units), .runs = {}};
  ScriptedWorld script;
  conduct(study.document, "", script.world());
  for (const CellTry& one : study.document.tries) {
    study.runs.emplace(one.runs.front(), pinned_run(one.runs.front(), {{0, "db"}, {1, "db"}}));
  }
  std::vector<std::string> warnings;
  const auto figures =
      figures_of_study_by(study.document, study.runs, divided_by("kind").value(), warnings);
  std::set<std::string> names;
  for (const ArmFigure& one : figures) names.insert(one.unit);
  EXPECT_EQ(names.size(), 4U);
}

// 900 answered after 1 ms, and some given up after 8 s.
record::RunRecord run_with_lost(std::uint64_t lost) {
  record::RunRecord run;
  run.header.plan.target = TargetKind::null;
  run.measured = std::chrono::seconds(1);
  record::Cell cell;
  cell.kind = OpKind::read;
  cell.finished.ops = 900;
  for (int i = 0; i < 900; ++i) cell.latency.add(1'000'000, 1'000'000);
  for (std::uint64_t i = 0; i < lost; ++i) {
    cell.lost.service.add(8'000'000'000);
    cell.lost.response.add(8'000'000'000);
  }
  run.kinds.push_back(cell);
  return run;
}

std::map<std::string, ArmFigure> figures_with_lost(std::uint64_t lost) {
  std::map<std::string, ArmFigure> by_metric;
  for (const ArmFigure& figure : figures_of_runs({{.arm = "a", .record = run_with_lost(lost)}})) {
    by_metric[figure.metric] = figure;
  }
  const auto of_cell = figures_of_cell(run_with_lost(lost), "read");
  for (const CellFigure& figure : of_cell) {
    const auto same = by_metric.find(figure.metric);
    if (same == by_metric.end()) continue;
    EXPECT_EQ(same->second.at_least, figure.at_least) << figure.metric;
    EXPECT_EQ(same->second.value, figure.value) << figure.metric;
  }
  return by_metric;
}

TEST(FiguresOfRuns, WithLostOperations_AreAtLeastTheTimeTheyWaited) {
  auto none = figures_with_lost(0);
  EXPECT_FALSE(none.at("read p99_us").at_least);
  EXPECT_FALSE(none.at("read mean_us").at_least);
  auto some = figures_with_lost(100);
  EXPECT_EQ(some.size(), none.size()) << "none is left out";
  EXPECT_TRUE(some.at("read p99_us").at_least);
  EXPECT_NEAR(some.at("read p99_us").value, 8e6, 1e4);
  EXPECT_TRUE(some.at("read mean_us").at_least);
  EXPECT_NEAR(some.at("read mean_us").value, 800'900, 1);
  EXPECT_FALSE(some.at("read p50_us").at_least) << "whatever the lost ones took";
  EXPECT_FALSE(some.at("read iops").at_least);
}

TEST(EnergyOfRuns, IsAMetricOfWhichMoreIsBetter) {
  record::RunRecord run;
  run.header.plan.target = TargetKind::null;
  run.energy = record::Energy{.joules_per_op = record::Estimated{.value = 0.5},
                              .net_joules_per_op = record::Estimated{.value = -0.1}};
  const auto figures = figures_of_runs({{.arm = "a", .record = run}});
  ASSERT_EQ(figures.size(), 1U) << "a load that takes no power has no net figure";
  EXPECT_EQ(figures[0].metric, "all iops_per_w");
  EXPECT_EQ(figures[0].value, 2);
  EXPECT_FALSE(figures[0].lower_is_better);
  EXPECT_EQ(lower_is_better("all net_iops_per_w"), false);
  const auto cell = figures_of_cell(run, "randread4k");
  ASSERT_EQ(cell.size(), 1U);
  EXPECT_EQ(cell[0].metric, "randread4k iops_per_w");
  EXPECT_FALSE(cell[0].lower_is_better);
}

}  // namespace
}  // namespace radosload::study
