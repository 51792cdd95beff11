// Baselines: which runs are one load, which are a bad base, what a check can find, and what it says
// of new runs.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "study/baseline_judge.h"
#include "unit/plan_support.h"

namespace radosload::study {
namespace {

using plan::testing::plan_of;
using record::RunRecord;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A run of this plan with so many reads in its one second.
RunRecord run_of(const std::string& id, std::uint64_t reads,
                 const std::string& plan = R"({"pool":"hdd","pattern":"randread4k"})") {
  RunRecord run;
  run.header.run_id = id;
  run.header.started = id;
  run.header.plan = plan_of(plan);
  run.header.environment.fsid = "cluster-1";
  run.header.environment.ceph_versions = {{"ceph version 16.2.15 (618f) pacific (stable)", 8}};
  run.status = record::RunStatus::complete;
  run.grade.value = record::GradeValue::clean;
  run.measured = std::chrono::seconds(1);
  record::Cell cell;
  cell.kind = OpKind::read;
  cell.finished.ops = reads;
  for (std::uint64_t i = 0; i < reads; ++i) {
    const auto ns = std::uint64_t{1'000'000'000} / reads;
    cell.latency.add(ns, ns);
  }
  run.kinds.push_back(cell);
  return run;
}

std::vector<RunRecord> runs_of(const std::vector<std::uint64_t>& reads) {
  std::vector<RunRecord> runs;
  for (const std::uint64_t count : reads) {
    runs.push_back(run_of("run-" + std::to_string(runs.size()), count));
  }
  return runs;
}

record::Baseline baseline_of(std::vector<RunRecord> runs, const std::string& primary = "") {
  return {.name = "before",
          .kept = "2026-11-26T04:00:12Z",
          .program = "radosload test",
          .primary = primary,
          .threshold = 0.05,
          .level = 0.95,
          .objections = {},
          .runs = std::move(runs)};
}

GroupOutlook only_load(const record::Baseline& baseline) {
  auto outlook = outlook_of_baseline(baseline);
  EXPECT_TRUE(outlook) << outlook.error().message();
  EXPECT_EQ(outlook->size(), 1U);
  return outlook->front();
}

TEST(BaselineGroups, RunsOfOnePlan_AreOneLoadWhateverTheirSeedsAndLabels) {
  auto runs = runs_of({100, 101});
  runs[0].header.plan.seed = 7;
  runs[1].header.plan.labels = {{"rack", "3"}};
  runs[1].header.plan.keep = true;
  std::swap(runs[0], runs[1]);
  const auto groups = baseline_groups(runs);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].name, "randread4k");
  EXPECT_EQ(groups[0].runs[0].header.run_id, "run-0") << "the oldest first";
}

TEST(BaselineGroups, RunsOfDifferentPlans_AreLoadsThatAreToldApart) {
  const auto groups =
      baseline_groups({run_of("1", 100, R"({"pool":"hdd","pattern":"randread4k","qd":1})"),
                       run_of("2", 100, R"({"pool":"hdd","pattern":"randread4k","qd":4})"),
                       run_of("3", 100, R"({"pool":"hdd","pattern":"randwrite4k"})"),
                       run_of("4", 100, R"({"pool":"hdd","pattern":"randread4k","qd":1})")});
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].name, "randread4k qd=1");
  EXPECT_EQ(groups[0].runs.size(), 2U);
  EXPECT_EQ(groups[1].name, "randread4k qd=4");
  EXPECT_EQ(groups[2].name, "randwrite4k");
}

TEST(BaselineObjections, CleanRunsOfOneVersion_AreAGoodBase) {
  EXPECT_THAT(objections_to(runs_of({100, 101, 102, 103})), IsEmpty());
}

TEST(BaselineObjections, EachBadRunIsNamedWithItsReason) {
  auto runs = runs_of({100, 101, 102, 103, 104});
  runs[0].grade = {.value = record::GradeValue::void_run, .reasons = {"osd.3 restarted"}};
  runs[1].grade = {.value = record::GradeValue::contaminated, .reasons = {"a scrub"}};
  runs[2].grade.value = record::GradeValue::unwatched;
  runs[3].status = record::RunStatus::interrupted;
  runs[4].measured_flow.failed = 2;
  EXPECT_THAT(objections_to(runs),
              ElementsAre("run-0: void: osd.3 restarted", "run-1: contaminated: a scrub",
                          "run-2: not graded", "run-3: interrupted",
                          "run-4: 2 operations failed or were not answered"));
}

TEST(BaselineObjections, RunWithoutACluster_NeedsNoGrade) {
  auto runs = runs_of({100, 101});
  for (RunRecord& run : runs) {
    run.header.plan = plan_of(R"({"target":"sim","pattern":"randread4k"})");
    run.grade.value = record::GradeValue::unwatched;
  }
  EXPECT_THAT(objections_to(runs), IsEmpty());
}

TEST(BaselineObjections, SingleRunAndMixedVersions_AreNamed) {
  EXPECT_THAT(objections_to(runs_of({100})), ElementsAre(HasSubstr("fewer than 2")));
  auto runs = runs_of({100, 101});
  runs[1].header.environment.ceph_versions = {{"ceph version 18.2.7 (6b0e) reef (stable)", 8}};
  EXPECT_THAT(objections_to(runs), ElementsAre(HasSubstr("16.2.15 / 18.2.7")));
}

TEST(BaselineRuns, WhatCannotBeMeasuredAgain_IsRefused) {
  EXPECT_EQ(check_repeatable({}).error().exit, Exit::refused);
  EXPECT_TRUE(check_repeatable(runs_of({100, 101})));
  auto clusters = runs_of({100, 101});
  clusters[1].header.environment.fsid = "cluster-2";
  EXPECT_THAT(check_repeatable(clusters).error().reason, HasSubstr("2 clusters"));
  auto session = runs_of({100, 101});
  session[0].header.plan.session = {.name = "big", .members = "3"};
  EXPECT_THAT(check_repeatable(session).error().reason, HasSubstr("run-0"));
  auto unknown = runs_of({100, 101});
  unknown[1].header.plan.pattern = {};
  EXPECT_THAT(check_repeatable(unknown).error().reason, HasSubstr("run-1"));
}

TEST(BaselineRuns, PlanOfANewRun_LeavesNothingBehindAndHasTheLabel) {
  auto runs = runs_of({100, 101});
  runs[0].header.plan.seed = 7;
  runs[0].header.plan.keep = true;
  runs[0].header.plan.reuse = "20261121-040012345-9f3a";
  runs[0].header.plan.labels = {{"state", "old"}};
  const RunPlan plan = plan_to_repeat(baseline_groups(runs).front(), "before");
  EXPECT_EQ(plan.seed, 0U);
  EXPECT_FALSE(plan.keep);
  EXPECT_EQ(plan.reuse, "");
  EXPECT_EQ(plan.labels, (Labels{{"baseline", "before"}}));
  EXPECT_EQ(plan.pool, "hdd");
}

TEST(BaselineRules, PrimaryMetric_IsTheRateOfAClosedLoopAndTheLatencyOfAnOpenOne) {
  const auto closed = only_load(baseline_of(runs_of({100, 101})));
  EXPECT_EQ(closed.rules.primary, "read iops");
  EXPECT_DOUBLE_EQ(closed.rules.level, 0.95);
  const char* const open = R"({"pool":"hdd","pattern":"randread4k","rate":"100"})";
  const auto paced = only_load(baseline_of({run_of("1", 100, open), run_of("2", 101, open)}));
  EXPECT_EQ(paced.rules.primary, "read mean_us");
  EXPECT_EQ(only_load(baseline_of(runs_of({100, 101}), "none")).rules.primary, "");
  EXPECT_EQ(only_load(baseline_of(runs_of({100, 101}), "mean_us")).rules.primary, "read mean_us");
  EXPECT_EQ(only_load(baseline_of(runs_of({100, 101}), "read p50_us")).rules.primary,
            "read p50_us");
}

TEST(BaselineRules, UnknownMetric_IsRefusedWithThoseThereAre) {
  const auto refused = outlook_of_baseline(baseline_of(runs_of({100, 101}), "write iops"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit, Exit::usage);
  EXPECT_THAT(refused.error().hint, HasSubstr("read iops"));
}

TEST(BaselineRules, LoadsShareTheErrorLevel) {
  auto runs = runs_of({100, 101});
  runs.push_back(run_of("3", 100, R"({"pool":"hdd","pattern":"randread4k","qd":4})"));
  const auto outlook = outlook_of_baseline(baseline_of(runs));
  ASSERT_EQ(outlook->size(), 2U);
  for (const GroupOutlook& one : *outlook) EXPECT_DOUBLE_EQ(one.rules.level, 0.975);
}

TEST(BaselineForesight, FourRunsCanFindAChangeInThePrimaryMetricOnly) {
  const auto four = only_load(baseline_of(runs_of({1000, 1010, 1020, 1030})));
  ASSERT_EQ(four.could_find.size(), 1U);
  const BaselineForesight& one = four.could_find.front();
  EXPECT_EQ(one.metric, "read iops");
  EXPECT_EQ(one.found.scope, stats::Scope::these_osds);
  EXPECT_EQ(one.found.method, stats::Method::hodges_lehmann);
  EXPECT_TRUE(one.found.possible);
  ASSERT_TRUE(one.found.smallest);
  EXPECT_GT(*one.found.smallest, 0.05) << "beyond the threshold";
  EXPECT_LT(*one.found.smallest, 0.15);
  EXPECT_EQ(four.needed_by_others, 5U);
  const auto six = only_load(baseline_of(runs_of({1000, 1010, 1020, 1030, 1040, 1050})));
  EXPECT_FALSE(six.needed_by_others);
}

TEST(BaselineForesight, FourRunsWithoutAPrimaryMetric_CanNeverBeConclusive) {
  const auto shared = only_load(baseline_of(runs_of({1000, 1010, 1020, 1030}), "none"));
  ASSERT_GE(shared.could_find.size(), 4U);
  for (const BaselineForesight& one : shared.could_find) {
    EXPECT_FALSE(one.found.possible) << one.metric;
    EXPECT_EQ(one.sharing, shared.could_find.size());
    EXPECT_EQ(one.enough, 5U);
  }
}

TEST(BaselineForesight, SingleRun_CanFindNothing) {
  const auto single = only_load(baseline_of(runs_of({1000})));
  EXPECT_EQ(single.could_find.front().found.method, stats::Method::none);
}

std::vector<RunRecord> later(const std::vector<std::uint64_t>& reads) {
  auto runs = runs_of(reads);
  for (RunRecord& run : runs) run.header.run_id = "later-" + run.header.run_id;
  return runs;
}

Outcome told(const std::vector<std::uint64_t>& before, const std::vector<std::uint64_t>& now) {
  const auto judged = judge_group(only_load(baseline_of(runs_of(before))), later(now));
  EXPECT_TRUE(judged) << judged.error().message();
  return judged ? judged->outcome : Outcome::none;
}

TEST(BaselineVerdict, HalfTheRate_IsSlower) {
  EXPECT_EQ(told({1000, 1010, 1020, 1030}, {500, 505, 510, 515}), Outcome::slower);
}

TEST(BaselineVerdict, SameRate_IsNotSlower) {
  EXPECT_EQ(told({1000, 1010, 1020, 1030}, {1005, 1015, 1012, 1025}), Outcome::not_slower);
}

TEST(BaselineVerdict, TwiceTheRate_IsNotSlower) {
  EXPECT_EQ(told({1000, 1010, 1020, 1030}, {2000, 2010, 2020, 2030}), Outcome::not_slower);
}

TEST(BaselineVerdict, ScatterBeyondTheDifference_IsInconclusive) {
  EXPECT_EQ(told({1000, 1400, 800, 1200}, {900, 1300, 700, 1100}), Outcome::inconclusive);
}

TEST(BaselineVerdict, NoNewRuns_IsAnError) {
  EXPECT_FALSE(judge_group(only_load(baseline_of(runs_of({100, 101}))), {}));
}

TEST(BaselineVerdict, OfSeveralLoads_TheWorstCounts) {
  using enum Outcome;
  EXPECT_EQ(worst_of({not_slower, inconclusive, slower}), slower);
  EXPECT_EQ(worst_of({not_slower, inconclusive}), inconclusive);
  EXPECT_EQ(worst_of({none, inconclusive}), none);
  EXPECT_EQ(worst_of({not_slower, not_slower}), not_slower);
  EXPECT_EQ(worst_of({}), none);
}

record::Environment place() {
  record::Environment place = run_of("1", 1).header.environment;
  place.pool = {.id = 3, .name = "hdd", .size = 3, .min_size = 2, .pg_num = 32};
  place.client.host = "node1";
  place.client.settings = {{"rbd_cache", "false"}, {"gone", "1"}};
  return place;
}

std::vector<std::string> changes_between(const record::Environment& before,
                                         const record::Environment& now) {
  std::vector<std::string> lines;
  for (const PlaceChange& one : place_changes(before, now)) {
    lines.push_back(one.what + ": " + one.before + " > " + one.now);
  }
  return lines;
}

TEST(BaselineChanges, SamePlace_HasNone) {
  EXPECT_THAT(changes_between(place(), place()), IsEmpty());
}

TEST(BaselineChanges, EachIsListedWithBothValues) {
  auto now = place();
  now.fsid = "cluster-2";
  now.ceph_versions = {{"ceph version 18.2.7 (6b0e) reef (stable)", 8}};
  now.pool->size = 2;
  now.pool->pg_num = 64;
  now.client.host = "node2";
  now.client.settings = {{"rbd_cache", "true"}, {"new", "1"}};
  EXPECT_THAT(changes_between(place(), now),
              ElementsAre("cluster (fsid): cluster-1 > cluster-2", "Ceph version: 16.2.15 > 18.2.7",
                          "size of pool hdd: 3 > 2", "pg_num of pool hdd: 32 > 64",
                          "client host: node1 > node2", "client setting rbd_cache: false > true"));
}

TEST(BaselineChanges, OtherBuildOfTheSameVersion_IsAChange) {
  auto now = place();
  now.ceph_versions = {{"ceph version 16.2.15 (other) pacific (stable)", 8}};
  EXPECT_THAT(changes_between(place(), now), ElementsAre(HasSubstr("(other)")));
  auto count = place();
  count.ceph_versions.begin()->second = 9;
  EXPECT_THAT(changes_between(place(), count), IsEmpty()) << "how many daemons is not a version";
}

}  // namespace
}  // namespace radosload::study
