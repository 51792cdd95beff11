// How often intervals cover the truth and verdicts are wrong, over thousands of simulated studies.
// Seeds are fixed, so a rate is the same on every machine. Rates must lie within three Monte-Carlo
// errors of the method's exact value.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/arms.h"
#include "stats/rank_interval.h"
#include "unit/stats_arms_support.h"
#include "unit/stats_support.h"

namespace radosload::stats {
namespace {

using testing::judged;
using testing::normal;

constexpr int studies = 2000;

using Draw = std::function<double(Random&)>;

double lognormal(Random& random) {
  return std::exp(3 + 0.3 * normal(random));
}
// One figure in ten is five times as large.
double with_outliers(Random& random) {
  const double value = lognormal(random);
  return random.below(10) == 0 ? 5 * value : value;
}
// Whole milliseconds: many ties.
double with_ties(Random& random) {
  return std::max(1.0, std::round(lognormal(random) / 4));
}

std::vector<double> some(Random& random, const Draw& draw, std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(draw(random));
  return values;
}

struct Rates {
  int wrong = 0;    // verdicts of faster or slower where nothing differs
  int covered = 0;  // intervals that hold the ratio 1
};

Rates rates_of(std::size_t n, const std::string& name, const Draw& draw) {
  Rates rates;
  Random random(22, name);
  for (int study = 0; study < studies; ++study) {
    const auto base = some(random, draw, n);
    const auto other = some(random, draw, n);
    const Finding finding = judged(testing::question_of(base, other), {.threshold = 0}).this_kind;
    if (finding.told == ArmVerdict::faster || finding.told == ArmVerdict::slower) ++rates.wrong;
    if (finding.interval && finding.interval->low <= 1 && finding.interval->high >= 1) {
      ++rates.covered;
    }
  }
  return rates;
}

double three_errors(double rate) {
  return 3 * std::sqrt(rate * (1 - rate) / studies);
}

void expect_exact(std::size_t n, const std::string& name, const Draw& draw) {
  const double exact = mann_whitney_rank(n, n, 0.95)->coverage;
  const Rates rates = rates_of(n, name, draw);
  EXPECT_NEAR(rates.covered / double(studies), exact, three_errors(exact)) << name << " " << n;
  EXPECT_NEAR(rates.wrong / double(studies), 1 - exact, three_errors(exact)) << name << " " << n;
}

TEST(ArmRates, WithoutTies_CoverageIsThatOfTheOrderStatistic) {
  expect_exact(4, "log-normal", lognormal);
  expect_exact(6, "outliers", with_outliers);
  expect_exact(8, "log-normal", lognormal);
}

TEST(ArmRates, WithTies_CoverageIsAtLeastThatOfTheOrderStatistic) {
  for (const std::size_t n : {4U, 8U}) {
    const double exact = mann_whitney_rank(n, n, 0.95)->coverage;
    const Rates rates = rates_of(n, "ties", with_ties);
    EXPECT_GT(rates.covered / double(studies), exact - three_errors(exact));
    EXPECT_LT(rates.wrong / double(studies), 1 - exact + three_errors(exact));
  }
}

TEST(ArmRates, LogNormalFiguresOfThreeOsds_WelchKeepsItsLevel) {
  const Rates rates = rates_of(3, "three", lognormal);
  EXPECT_GT(rates.covered / double(studies), 0.95 - three_errors(0.95));
}

// Every round is a percent slower than the one before, for both arms: pairs of rounds cancel it.
TEST(ArmRates, DriftOfBothArms_PairedRoundsKeepTheLevel) {
  constexpr int rounds = 8;
  const double exact = wilcoxon_rank(rounds, 0.95)->coverage;
  Random random(22, "drift");
  int covered = 0;
  for (int study = 0; study < studies; ++study) {
    Question question;
    for (int round = 0; round < rounds; ++round) {
      const double drift = std::exp(0.5 * round);
      const std::string name = std::to_string(round);
      question.base.push_back({"osd.1", name, drift * std::exp(0.05 * normal(random))});
      question.other.push_back({"osd.2", name, drift * std::exp(0.05 * normal(random))});
    }
    const auto interval = judged(question).these_osds.interval;
    if (interval && interval->low <= 1 && interval->high >= 1) ++covered;
  }
  EXPECT_NEAR(covered / double(studies), exact, three_errors(exact));
}

// At least one wrong verdict among three metrics of one study, all drawn independently.
TEST(ArmRates, ThreeMetrics_FamilyKeepsTheLevel) {
  Random random(22, "family");
  int wrong = 0;
  for (int study = 0; study < studies; ++study) {
    std::vector<Question> questions;
    for (int metric = 0; metric < 3; ++metric) {
      const auto base = some(random, lognormal, 8);
      questions.push_back(testing::question_of(base, some(random, lognormal, 8)));
      questions.back().metric = std::to_string(metric);
    }
    bool any = false;
    for (const Answer& answer : judge(questions, {.threshold = 0})) {
      any = any || answer.this_kind.told == ArmVerdict::faster ||
            answer.this_kind.told == ArmVerdict::slower;
    }
    wrong += any ? 1 : 0;
  }
  EXPECT_LT(wrong / double(studies), 0.05 + three_errors(0.05));
  EXPECT_GT(wrong, 0);
}

TEST(ArmRates, HalfAsFast_IsFoundInMostStudiesOfEight) {
  Random random(22, "power");
  int found = 0;
  for (int study = 0; study < 500; ++study) {
    auto other = some(random, lognormal, 8);
    for (double& value : other) value *= 2;
    if (judged(testing::question_of(some(random, lognormal, 8), other)).this_kind.told ==
        ArmVerdict::slower) {
      ++found;
    }
  }
  RecordProperty("found_of_500", found);
  EXPECT_GT(found, 400);
}

}  // namespace
}  // namespace radosload::stats
