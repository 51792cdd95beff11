// Verdicts on arms: known answers, properties, and the rules of levels and scopes.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "stats/arms.h"
#include "stats/permutation.h"
#include "stats/rank_interval.h"
#include "stats/shift.h"
#include "support/places.h"
#include "unit/stats_arms_support.h"

namespace radosload::stats {
namespace {

using testing::judged;
using testing::one_each;
using testing::pairs_of;
using testing::question_of;
using Values = std::vector<double>;

const Values many_low = {10.0, 10.2, 9.9, 10.1, 10.3, 9.8};
const Values many_high = {15.0, 15.2, 14.9, 15.1, 15.3, 14.8};

// ---- known answers ----

struct Published {
  Values wal;
  Values db;
  double ratio;
  double low;
  double high;
  double hodges_lehmann;
};

void expect_published(const Published& published) {
  const Finding finding = judged(question_of(published.wal, published.db)).this_kind;
  constexpr double digits = 0.0005;
  ASSERT_TRUE(finding.interval);
  EXPECT_EQ(finding.method, Method::welch);
  EXPECT_NEAR(*finding.ratio, published.ratio, digits);
  EXPECT_NEAR(finding.interval->low, published.low, digits);
  EXPECT_NEAR(finding.interval->high, published.high, digits);
  EXPECT_NEAR(*finding.hodges_lehmann, published.hodges_lehmann, digits);
  EXPECT_EQ(finding.told, ArmVerdict::inconclusive);
  EXPECT_GT(*finding.smallest, 0.4);
}

TEST(Arms, PublishedMatchedReads_AreInconclusive) {
  expect_published({{31.1, 18.8, 7.0}, {16.7, 17.8, 16.5}, 1.062, 0.163, 6.940, 0.888});
}

TEST(Arms, PublishedMatchedWrites_AreInconclusive) {
  expect_published({{388.4, 715.4, 350.0}, {539.8, 507.1, 253.1}, 0.893, 0.357, 2.236, 0.755});
}

TEST(Arms, PublishedFirstPhase_IsInconclusive) {
  const Values wal = {3.7, 40.4, 26.3, 0.5, 29.0, 31.1, 18.8, 7.0};
  const Values db = {16.7, 17.8, 16.5, 22.0, 0.3, 6.6};
  const Finding finding = judged(question_of(wal, db)).this_kind;
  EXPECT_EQ(finding.method, Method::hodges_lehmann);
  EXPECT_NEAR(*finding.ratio, 0.631, 0.0005);
  EXPECT_EQ(finding.told, ArmVerdict::inconclusive);
}

// ---- figures that may be any larger, because operations were lost ----

Question with_bounds(Question question, bool of_base, bool of_other) {
  if (of_base) question.base.front().at_least = true;
  if (of_other) question.other.front().at_least = true;
  return question;
}

TEST(Arms, FigureOfLostOperations_CanOnlyMakeItsArmSlower) {
  const Finding slower =
      judged(with_bounds(question_of(many_low, many_high), false, true)).this_kind;
  EXPECT_EQ(slower.told, ArmVerdict::slower);
  EXPECT_TRUE(slower.reason.starts_with("at least by a factor of 1.4")) << slower.reason;
  EXPECT_TRUE(
      slower.reason.ends_with("1 of 12 figures are only known to be at least so long, because "
                              "operations were lost"))
      << slower.reason;
  EXPECT_FALSE(slower.ratio);
  EXPECT_FALSE(slower.interval);
  const Finding faster =
      judged(with_bounds(question_of(many_high, many_low), false, true)).this_kind;
  EXPECT_EQ(faster.told, ArmVerdict::not_assessable) << "it may be 400 times as slow";
  EXPECT_TRUE(faster.reason.starts_with("1 of 12 figures")) << faster.reason;
  EXPECT_FALSE(faster.ratio);
}

TEST(Arms, FigureOfLostOperationsOfTheBase_CanOnlyMakeTheOtherFaster) {
  EXPECT_EQ(judged(with_bounds(question_of(many_high, many_low), true, false)).this_kind.told,
            ArmVerdict::faster);
  EXPECT_EQ(judged(with_bounds(question_of(many_low, many_high), true, false)).this_kind.told,
            ArmVerdict::not_assessable);
}

TEST(Arms, FiguresOfLostOperations_AreNeverEquivalentNorComparedWithEachOther) {
  EXPECT_EQ(judged(question_of(many_low, many_low)).this_kind.told, ArmVerdict::equivalent);
  for (const bool of_base : {false, true}) {
    EXPECT_EQ(
        judged(with_bounds(question_of(many_low, many_low), of_base, !of_base)).this_kind.told,
        ArmVerdict::not_assessable);
  }
  EXPECT_EQ(judged(with_bounds(question_of(many_low, many_high), true, true)).this_kind.told,
            ArmVerdict::not_assessable);
}

TEST(Arms, MannWhitney_LeastPAndCoverageAreThoseOfTheTable) {
  struct Row {
    std::size_t n;
    double p;
    double p_digits;
    std::size_t rank;
    double coverage;
  };
  const std::vector<Row> rows = {{4, 0.029, 0.0005, 1, 0.971},
                                 {5, 0.0079, 0.00005, 3, 0.968},
                                 {6, 0.0022, 0.00005, 6, 0.959},
                                 {8, 0.00016, 0.000005, 14, 0.950}};
  for (const Row& row : rows) {
    const auto rank = mann_whitney_rank(row.n, row.n, 0.95);
    ASSERT_TRUE(rank);
    EXPECT_EQ(rank->rank, row.rank);
    EXPECT_NEAR(rank->coverage, row.coverage, 0.0005);
    Values low;
    Values high;
    for (std::size_t i = 0; i < row.n; ++i) {
      low.push_back(static_cast<double>(i));
      high.push_back(static_cast<double>(100 + i));
    }
    EXPECT_NEAR(split_p(low, high, 1), row.p, row.p_digits);
  }
  EXPECT_FALSE(mann_whitney_rank(3, 3, 0.95));
  EXPECT_NEAR(mann_whitney_rank(3, 3, 0.9)->coverage, 0.9, 1e-12);
  EXPECT_NEAR(split_p(Values{1, 2, 3}, Values{4, 5, 6}, 1), 0.1, 1e-12);
}

TEST(Arms, SmallestEffect_IsThatOfTheTextForThreeDesigns) {
  const auto per_deviation = [](std::size_t n) {
    Values base;
    for (std::size_t i = 0; i < n; ++i) base.push_back(static_cast<double>(i));
    const double mean = static_cast<double>(n - 1) / 2;
    double squares = 0;
    for (const double value : base) squares += (value - mean) * (value - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(n - 1));
    return Shift({.base = base, .other = base, .paired = false, .lacking = {}}).smallest(0.95) /
           deviation;
  };
  EXPECT_NEAR(per_deviation(3), 3, 0.05);
  EXPECT_NEAR(per_deviation(5), 2, 0.05);
  EXPECT_NEAR(per_deviation(8), 1.5, 0.05);
}

Values numbers_of(const std::string& text) {
  std::istringstream stream(text);
  Values values;
  for (double value = 0; stream >> value;) values.push_back(value);
  return values;
}

Values logs_of(Values values) {
  for (double& value : values) value = std::log(value);
  return values;
}

void expect_of_scipy(const std::string& method, const Values& first, const Values& second,
                     const Values& values) {
  constexpr double close = 1e-9;
  if (method == "split") {
    EXPECT_NEAR(split_p(first, second, 1), values.at(0), close);
    return;
  }
  Values differences;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    differences.push_back(std::log(second[i]) - std::log(first[i]));
  }
  if (method == "signs") {
    EXPECT_NEAR(sign_p(differences, 1), values.at(0), close);
    return;
  }
  const bool paired = method == "paired";
  const Shift shift(
      {.base = logs_of(first), .other = logs_of(second), .paired = paired, .lacking = {}});
  if (!assumes_normal(shift.method())) return;
  const auto interval = shift.interval(0.95);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(std::exp(interval->low), values.at(0), close * values.at(0));
  EXPECT_NEAR(std::exp(interval->high), values.at(1), close * values.at(1));
}

TEST(Arms, ValuesOfSciPy_AreReproduced) {
  std::ifstream file(test::in_source("tests/fixtures/stats/scipy_values.txt"));
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    std::istringstream parts(line);
    std::string method;
    std::string first;
    std::string second;
    std::string values;
    std::getline(parts, method, ';');
    std::getline(parts, first, ';');
    std::getline(parts, second, ';');
    std::getline(parts, values, ';');
    SCOPED_TRACE(line);
    expect_of_scipy(method, numbers_of(first), numbers_of(second), numbers_of(values));
  }
  EXPECT_EQ(lines, 28U);
}

// ---- verdicts ----

TEST(Arms, BetterHigher_MoreIsFaster) {
  Question question = question_of(many_low, many_high);
  EXPECT_EQ(judged(question).this_kind.told, ArmVerdict::slower);
  question.lower_is_better = false;
  EXPECT_EQ(judged(question).this_kind.told, ArmVerdict::faster);
  EXPECT_NEAR(*judged(question).this_kind.ratio, 1.5, 0.02);
}

TEST(Arms, OneOutlier_ShiftsTheRatioLittle) {
  Values high = many_high;
  high[0] = 1500;
  EXPECT_NEAR(*judged(question_of(many_low, high)).this_kind.ratio, 1.5, 0.03);
}

TEST(Arms, NarrowIntervalAroundOne_IsEquivalent) {
  const Values base = {10, 10.02, 9.98, 10.01, 9.99, 10.03};
  const Values other = {10.01, 10, 9.99, 10.02, 9.98, 10.02};
  EXPECT_EQ(judged(question_of(base, other)).this_kind.told, ArmVerdict::equivalent);
}

TEST(Arms, OneOsdPerArm_KindIsNotAssessableButRoundsAre) {
  Question question;
  question.metric = "p99";
  for (int round = 0; round < 8; ++round) {
    const std::string name = std::to_string(round);
    question.base.push_back({"osd.1", name, 10 + 0.1 * round});
    question.other.push_back({"osd.2", name, 15 + 0.14 * round});
  }
  const Answer answer = judged(question);
  EXPECT_EQ(answer.this_kind.told, ArmVerdict::not_assessable);
  EXPECT_NE(answer.this_kind.reason, "");
  EXPECT_EQ(answer.these_osds.told, ArmVerdict::slower);
  EXPECT_TRUE(answer.these_osds.pairs);
  EXPECT_EQ(answer.these_osds.n_a, 8U);
}

TEST(Arms, ManyRoundsOfThreeOsds_AreThreeReplicatesOfTheKind) {
  Question question;
  question.metric = "p99";
  const Values base = {31.1, 18.8, 7.0};
  const Values other = {16.7, 17.8, 16.5};
  for (std::size_t osd = 0; osd < 3; ++osd) {
    for (int round = 0; round < 20; ++round) {
      const double bend = 1 + 0.001 * round;
      question.base.push_back({"w" + std::to_string(osd), std::to_string(round), base[osd] * bend});
      question.other.push_back(
          {"d" + std::to_string(osd), std::to_string(round), 1.5 * other[osd] * bend});
    }
  }
  const Answer answer = judged(question);
  EXPECT_EQ(answer.this_kind.n_a, 3U);
  EXPECT_EQ(answer.this_kind.told, ArmVerdict::inconclusive);
  EXPECT_EQ(answer.these_osds.n_a, 20U);
  EXPECT_EQ(answer.these_osds.told, ArmVerdict::slower);
  ASSERT_TRUE(answer.scatter);
  EXPECT_LT(answer.scatter->share_of_rounds(), 0.01);
}

TEST(Arms, SameUnitsInBothArms_ArePaired) {
  const Values base = {10, 20, 40, 80, 160, 320, 640};
  Values other;
  for (std::size_t i = 0; i < base.size(); ++i) other.push_back(base[i] * (1.2 + 0.01 * double(i)));
  EXPECT_EQ(judged(question_of(base, other)).this_kind.told, ArmVerdict::inconclusive);
  const Finding paired = judged(pairs_of(base, other)).this_kind;
  EXPECT_EQ(paired.told, ArmVerdict::slower);
  EXPECT_EQ(paired.method, Method::wilcoxon);
  EXPECT_EQ(judged(pairs_of({10, 20}, {12, 24.1})).this_kind.method, Method::paired_t);
}

TEST(Arms, EqualFigures_AreNotAssessableWithoutTheAssumption) {
  const Finding few = judged(question_of({5, 5, 5}, {7, 7, 7})).this_kind;
  EXPECT_EQ(few.told, ArmVerdict::not_assessable);
  EXPECT_NE(few.reason.find("equal"), std::string::npos);
  // By ranks alone: of 70 splits, only two differ as much.
  EXPECT_EQ(judged(question_of({5, 5, 5, 5}, {7, 7, 7, 7})).this_kind.told, ArmVerdict::slower);
}

// ---- levels ----

TEST(Arms, TwoMetricsOfFourAgainstFour_NeedAPrimaryOne) {
  Question one = question_of({10, 10.1, 9.9, 10.2}, {20, 20.1, 19.9, 20.2});
  Question two = one;
  two.metric = "mean";
  const auto shared = judge(std::vector{one, two});
  EXPECT_EQ(shared[0].this_kind.told, ArmVerdict::inconclusive);
  EXPECT_NEAR(*shared[0].this_kind.level, 0.975, 1e-12);
  EXPECT_TRUE(shared[0].this_kind.interval) << "the interval shown is unadjusted";
  const auto primary = judge(std::vector{one, two}, {.primary = "mean"});
  EXPECT_EQ(primary[0].this_kind.told, ArmVerdict::slower);
  EXPECT_EQ(primary[1].this_kind.told, ArmVerdict::slower);
  EXPECT_NEAR(*primary[1].this_kind.level, 0.95, 1e-12);
}

TEST(Arms, InconclusivePrimary_LeavesTheOthersUntested) {
  Question clear = question_of(many_low, many_high);
  Question unclear = question_of(many_low, {5, 20, 9, 11, 8, 14});
  unclear.metric = "iops";
  const auto answers = judge(std::vector{clear, unclear}, {.primary = "iops"});
  EXPECT_EQ(answers[0].this_kind.told, ArmVerdict::inconclusive);
  EXPECT_FALSE(answers[0].this_kind.level);
  EXPECT_NE(answers[0].this_kind.reason.find("iops"), std::string::npos);
}

TEST(Arms, HolmGivesTheLevelOfDecidedMetricsToTheOthers) {
  // 6 v 6: the full range covers 99.78 %, the level of three metrics is 98.33 %.
  Question clear = question_of(many_low, many_high);
  Question close = question_of(many_low, {10.4, 10.7, 10.9, 11.1, 11.3, 12.0});
  close.metric = "mean";
  const auto answers = judge(std::vector{clear, close});
  EXPECT_NEAR(*answers[0].this_kind.level, 0.975, 1e-12);
  EXPECT_NE(answers[0].this_kind.told, ArmVerdict::inconclusive);
  EXPECT_NEAR(*answers[1].this_kind.level, 0.95, 1e-12);
}

// ---- properties ----

rc::Gen<Values> figures() {
  return rc::gen::suchThat(
      rc::gen::container<Values>(
          rc::gen::map(rc::gen::inRange(1, 5000), [](int value) { return value / 10.0; })),
      [](const Values& values) { return values.size() >= 2 && values.size() <= 12; });
}

RC_GTEST_PROP(ArmsProperties, WithItself_TheRatioIsOne, ()) {
  const Values x = *figures();
  for (const Question& question : {question_of(x, x), pairs_of(x, x)}) {
    const Finding finding = judged(question).this_kind;
    RC_ASSERT(*finding.ratio == 1.0);
    RC_ASSERT(finding.told != ArmVerdict::faster && finding.told != ArmVerdict::slower);
  }
}

ArmVerdict mirrored(ArmVerdict told) {
  if (told == ArmVerdict::faster) return ArmVerdict::slower;
  return told == ArmVerdict::slower ? ArmVerdict::faster : told;
}

RC_GTEST_PROP(ArmsProperties, Exchanged_TheRatioIsTheInverse, ()) {
  const Values a = *figures();
  const Values b = *figures();
  const Finding one = judged(question_of(a, b)).this_kind;
  const Finding other = judged(question_of(b, a)).this_kind;
  constexpr double close = 1e-9;
  RC_ASSERT(std::abs(*one.ratio * *other.ratio - 1) < close);
  RC_ASSERT(*one.p == *other.p);
  RC_ASSERT(one.interval.has_value() == other.interval.has_value());
  if (one.interval) RC_ASSERT(std::abs(one.interval->low * other.interval->high - 1) < close);
  RC_ASSERT(mirrored(one.told) == other.told);
}

RC_GTEST_PROP(ArmsProperties, TheOrderOfSamplesDoesNotMatter, ()) {
  Question question = question_of(*figures(), *figures());
  const Finding before = judged(question).this_kind;
  std::reverse(question.base.begin(), question.base.end());
  std::rotate(question.other.begin(), question.other.begin() + 1, question.other.end());
  const Finding after = judged(question).this_kind;
  RC_ASSERT(before.ratio == after.ratio && before.p == after.p && before.told == after.told);
}

}  // namespace
}  // namespace radosload::stats
