#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/compare.h"
#include "support/golden.h"
#include "unit/report_support.h"

namespace radosload::report {
namespace {

using record::RunRecord;
using record::testing::folded;
using record::testing::runs;
using testing::run_of;
using testing::Scenario;

RunRecord slower() {
  Scenario scenario;
  scenario.run_id = "20261121-050000-0002";
  scenario.plan.replace(scenario.plan.find("\"qd\":64"), 7, "\"qd\":16");
  scenario.ops_per_second = 300;
  scenario.failing_every = 9;
  return run_of(scenario);
}

const Comparison::Row& row(const Comparison& comparison, const char* kind, const char* metric) {
  for (const Comparison::Row& candidate : comparison.rows) {
    if (candidate.kind == kind && candidate.metric == metric) return candidate;
  }
  throw std::runtime_error("no such row");
}

TEST(Compare, SideBySide) {
  RunRecord other = slower();
  other.header.environment = record::testing::environment_of(R"({"fsid":"another"})");
  other.status = record::RunStatus::interrupted;
  test::expect_golden("compare.txt", compare_text(compare({run_of({}), other})));
  test::expect_golden("compare-three.txt",
                      compare_text(compare({run_of({}), slower(), run_of({})})));
}

RC_GTEST_PROP(Compare, ARunAgainstItselfDiffersByNothing, ()) {
  const RunRecord run = folded(*runs());
  const Comparison comparison = compare({run, run});
  for (const Comparison::Row& compared : comparison.rows) {
    RC_ASSERT(compared.difference(1).value_or(0) == 0);
    RC_ASSERT(compared.ratio(1).value_or(1) == 1);
  }
  for (const std::string& warning : comparison.warnings) {
    RC_ASSERT(warning.find("were lost") != std::string::npos);
  }
}

RC_GTEST_PROP(Compare, SwappingTheRunsSwapsTheSigns, ()) {
  const RunRecord a = folded(*runs());
  const RunRecord b = folded(*runs());
  const Comparison forth = compare({a, b});
  const Comparison back = compare({b, a});
  RC_ASSERT(forth.rows.size() == back.rows.size());
  for (std::size_t i = 0; i < forth.rows.size(); ++i) {
    const auto there = forth.rows[i].difference(1);
    const auto again = back.rows[i].difference(1);
    RC_ASSERT(there.has_value() == again.has_value());
    if (there) RC_ASSERT(*there == -*again);
  }
}

// Skewed on purpose: a median in the place of a mean, or the reverse, is off by a factor.
TEST(Compare, EachMetricIsTheStatisticItIsNamedFor) {
  std::vector<Slot> finished(1000);
  for (std::size_t i = 0; i < finished.size(); ++i) {
    finished[i].phase = Phase::measure;
    finished[i].outcome.bytes = 1U << 20U;
    finished[i].completed = std::chrono::microseconds(i < 900 ? 100 : 10'100);
  }
  const Comparison comparison =
      compare({folded({record::testing::interval_of(finished)}), folded({})});
  EXPECT_EQ(row(comparison, "read", "mean us").values[0], 1100.0);
  EXPECT_NEAR(*row(comparison, "read", "p50 us").values[0], 100, 0.1);
  EXPECT_NEAR(*row(comparison, "read", "p90 us").values[0], 100, 0.1);
  EXPECT_NEAR(*row(comparison, "read", "p99 us").values[0], 10'100, 10.1);
  EXPECT_EQ(row(comparison, "read", "p99.9 us").values[0], std::nullopt);
  EXPECT_EQ(row(comparison, "read", "IOPS").values[0], 1000.0);
  EXPECT_EQ(row(comparison, "read", "MiB/s").values[0], 1000.0);
  EXPECT_EQ(row(comparison, "read", "mean us").values[1], std::nullopt);
  EXPECT_EQ(row(comparison, "read", "ops").ratio(1), 0.0);
  EXPECT_EQ(row(comparison, "read", "mean us").difference(1), std::nullopt);
}

TEST(Compare, DeviationIsThatOfTheSeconds_AndOfTheLatencies) {
  std::vector<record::Interval> intervals;
  for (const int second : {0, 1}) {
    std::vector<Slot> finished(second == 0 ? 100 : 300);
    for (Slot& slot : finished) {
      slot.phase = Phase::measure;
      slot.completed = std::chrono::microseconds(second == 0 ? 100 : 500);
    }
    intervals.push_back(record::testing::interval_of(finished, std::chrono::seconds(second)));
  }
  const Comparison comparison = compare({folded(intervals), folded({})});
  EXPECT_NEAR(*row(comparison, "read", "IOPS stddev").values[0], 141.42, 0.01);
  EXPECT_NEAR(*row(comparison, "read", "stddev us").values[0], 173.2, 0.5);
  EXPECT_EQ(row(comparison, "read", "IOPS stddev").values[1], std::nullopt);
  EXPECT_EQ(row(comparison, "read", "p99.99 us").values[0], std::nullopt);
}

TEST(Compare, StalledSeconds_CountInTheDeviation) {
  std::vector<record::Interval> intervals;
  for (int second = 0; second < 4; ++second) {
    std::vector<Slot> finished(second == 0 ? 400 : 0);
    for (Slot& slot : finished) {
      slot.phase = Phase::measure;
      slot.completed = std::chrono::microseconds(100);
    }
    intervals.push_back(record::testing::interval_of(finished, std::chrono::seconds(second)));
  }
  const Comparison comparison = compare({folded(intervals)});
  EXPECT_NEAR(*row(comparison, "read", "IOPS stddev").values[0], 200, 0.01);
}

TEST(Compare, Text_SaysThatItIsNoVerdict) {
  EXPECT_NE(compare_text(compare({run_of({}), slower()})).find("No verdict"), std::string::npos);
}

TEST(Compare, WarnsOfOtherDifferences) {
  const auto warned = [](const RunRecord& other, const std::string& of) {
    for (const std::string& warning : compare({run_of({}), other}).warnings) {
      if (warning.find(of) != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(warned(slower(), "different qd: 64 / 16"));
  RunRecord other = run_of({});
  EXPECT_FALSE(warned(other, "different"));
  other.header.environment =
      record::testing::environment_of(R"({"ceph_versions":{"16.2.15 pacific":9}})");
  EXPECT_TRUE(warned(other, "different Ceph: 18.2.7 / 16.2.15"));
  EXPECT_TRUE(warned(other, "different cluster: "));
  other = run_of({});
  other.grade = {.value = record::GradeValue::void_run, .reasons = {"osd.3 restarted"}};
  EXPECT_TRUE(warned(other, "void: osd.3 restarted"));
  other.timeline.pop_back();
  EXPECT_TRUE(warned(other, "do not add up"));
}

}  // namespace
}  // namespace radosload::report
