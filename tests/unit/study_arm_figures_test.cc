// Figures of arms: reading CSV, which metrics are better lower, and from figures to verdicts.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "study/arm_figures.h"

namespace radosload::study {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string header = "arm,unit,round,metric,value\n";

std::string refusal(const std::string& text) {
  const auto figures = figures_of_csv(text, "f.csv");
  if (figures) return "accepted";
  EXPECT_EQ(figures.error().exit, Exit::usage);
  EXPECT_NE(figures.error().hint, "");
  return figures.error().message();
}

TEST(FiguresCsv, PlainRows_AreRead) {
  const auto figures = figures_of_csv(header + "a,osd.1,1,p99,12.5\nb,osd.2,,read IOPS,1e3\n", "f");
  ASSERT_TRUE(figures) << figures.error().message();
  EXPECT_EQ((*figures)[0], (ArmFigure{"a", "osd.1", "1", "p99", 12.5, true}));
  EXPECT_EQ((*figures)[1], (ArmFigure{"b", "osd.2", "", "read IOPS", 1000, false}));
}

TEST(FiguresCsv, QuotesBomCrlfAndOtherOrderOfColumns_AreUnderstood) {
  const auto figures = figures_of_csv(
      "\xef\xbb\xbfvalue,better,arm,unit,round,metric\r\n1,lower,\"a, "
      "\"\"x\"\"\",u,,\"two\nlines\"\r\n"
      "\r\n2,lower,b,u,,\"two\nlines\"",
      "f");
  ASSERT_TRUE(figures) << figures.error().message();
  EXPECT_EQ((*figures)[0].arm, "a, \"x\"");
  EXPECT_EQ((*figures)[1].metric, "two\nlines");
}

TEST(FiguresCsv, WrongInput_IsRefusedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "line 1: the file is empty"},
      {"arm,unit,round,metric\n", "line 1: the column value is missing"},
      {"arm,unit,round,metric,value,size\n", "line 1: there is no column 'size'"},
      {"arm,arm,unit,round,metric,value\n", "the column arm occurs twice"},
      {header, "there are no figures"},
      {header + "a,u,,p99,1\na,v,,p99,1\n", "all lines have the arm 'a'"},
      {header + "a,u,,p99,1\nb,u,,p99\n", "line 3: 4 fields instead of 5"},
      {header + "a,u,,p99,0\n", "line 2: the value 0 is not above 0"},
      {header + "a,u,,p99,-3\n", "line 2: the value -3 is not above 0"},
      {header + "a,u,,p99,12ms\n", "line 2: the value '12ms' is not a number"},
      {header + "a,u,,p99,nan\n", "line 2: the value 'nan' is not a number"},
      {header + "a,u,,p99,inf\n", "is not a number"},
      {header + ",u,,p99,1\n", "line 2: arm is empty"},
      {header + "a,u,1,p99,1\n\na,u,1,p99,2\n", "line 2 has the same arm"},
      {header + "a,u,,sponge,1\n", "line 2: it is not known whether less of 'sponge' is better"},
      {"arm,unit,round,metric,value,better\na,u,,p99,1,less\n", "better is 'less'"},
      {"arm,unit,round,metric,value,better\na,u,,x,1,lower\nb,u,,x,1,higher\n",
       "line 3: better of 'x' differs from line 2"},
      {header + "a,u,,p99,\"1\n\n", "line 2: a quoted field has no closing quote"},
      {header + "a,u,,p99,\"1\"2\n", "text follows the closing quote"},
      {header + "a,u\"v,,p99,1\n", "a quote is inside a field"},
  };
  for (const auto& [text, said] : cases) EXPECT_THAT(refusal(text), HasSubstr(said)) << text;
}

TEST(FiguresCsv, TooManyRowsOrBytes_AreRefusedWithTheLimit) {
  std::string rows = header;
  for (std::size_t i = 0; i <= most_csv_rows; ++i) rows += "a," + std::to_string(i) + ",,p99,1\n";
  EXPECT_THAT(refusal(rows), HasSubstr("200000 rows"));
  EXPECT_THAT(refusal(std::string(most_csv_bytes + 1, 'x')), HasSubstr("16777216"));
}

TEST(FiguresCsv, DirectionsOfKnownMetrics_AreBuiltIn) {
  for (const char* const less : {"p99", "read p99.9_us", "write mean_us", "op_w_latency", "P50"}) {
    EXPECT_EQ(lower_is_better(less), true) << less;
  }
  for (const char* const more : {"IOPS", "read iops", "throughput", "MiB/s"}) {
    EXPECT_EQ(lower_is_better(more), false) << more;
  }
  EXPECT_FALSE(lower_is_better("sponge"));
  EXPECT_FALSE(lower_is_better("p"));
}

std::vector<ArmFigure> figures_named(const std::vector<std::string>& arms) {
  std::vector<ArmFigure> figures;
  double value = 10;
  for (const std::string& arm : arms) {
    for (int osd = 0; osd < 6; ++osd) {
      figures.push_back({arm, arm + std::to_string(osd), "", "p99", value + 0.01 * osd, true});
    }
    value *= 2;
  }
  return figures;
}

TEST(JudgeFigures, ThreeArms_EachIsComparedWithTheFirst) {
  const auto contests = judge_figures(figures_named({"a", "b", "c"}), {});
  ASSERT_TRUE(contests) << contests.error().message();
  ASSERT_EQ(contests->size(), 2U);
  EXPECT_EQ((*contests)[0].other, "b");
  EXPECT_NEAR(*(*contests)[0].answer.this_kind.ratio, 2, 0.01);
  EXPECT_EQ((*contests)[1].base, "a");
  EXPECT_NEAR(*(*contests)[1].answer.this_kind.ratio, 4, 0.01);
  EXPECT_EQ((*contests)[1].answer.this_kind.told, stats::ArmVerdict::slower);
}

TEST(JudgeFigures, OneArmOrAnUnknownPrimaryMetric_IsAUsageError) {
  const auto alone = judge_figures(figures_named({"a"}), {});
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error().message(), HasSubstr("only one arm"));
  std::vector<std::string> many;
  for (std::size_t i = 0; i <= most_names; ++i) many.push_back(std::to_string(i));
  const auto crowd = judge_figures(figures_named(many), {});
  ASSERT_FALSE(crowd);
  EXPECT_THAT(crowd.error().message(), HasSubstr("more than 50"));
  const auto unknown = judge_figures(figures_named({"a", "b"}), {.primary = "iops"});
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message(), HasSubstr("the metrics are: p99"));
  EXPECT_THAT(unknown.error().message(), Not(HasSubstr("measure longer")));
  const auto too_few = judge_figures(figures_named({"a", "b"}), {.primary = "writes p99.9_us"});
  ASSERT_FALSE(too_few);
  EXPECT_THAT(too_few.error().message(), HasSubstr("measure longer"));
}

}  // namespace
}  // namespace radosload::study
