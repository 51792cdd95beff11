// Power and energy in the text of a report, in a comparison and for Prometheus.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/compare.h"
#include "report/energy_text.h"
#include "report/prometheus.h"
#include "report/text.h"
#include "unit/report_support.h"

namespace radosload::report {
namespace {

using record::Energy;
using record::Estimated;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_of;

record::RunRecord run_with(const std::optional<Energy>& energy) {
  record::RunRecord run = run_of({.seconds = 3});
  run.energy = energy;
  return run;
}

Energy known() {
  return {.sources = {{.name = "RAPL package-0"}, {.name = "--power-cmd"}},
          .idle_length = std::chrono::seconds(5),
          .idle_w = 80.2,
          .known = std::chrono::seconds(10),
          .joules = 1423,
          .ops = 115'691,
          .joules_per_op = Estimated{.value = 0.0123, .low = 0.0121, .high = 0.0125},
          .net_joules_per_op = Estimated{.value = 0.00536, .low = 0.0052, .high = 0.00552}};
}

TEST(EnergyText, HasPowerEnergyAndOperationsPerJoule) {
  const auto run = run_with(known());
  EXPECT_EQ(power_text(run), "142 W (RAPL package-0, --power-cmd), without load 80.2 W");
  EXPECT_EQ(energy_text(run),
            "12.3 mJ per operation (12.1 mJ to 12.5 mJ), 5.36 mJ above the power without load "
            "(5.2 mJ to 5.52 mJ)");
  EXPECT_EQ(efficiency_text(run),
            "81.3 operations per joule, which is IOPS per watt (80.0 to 82.6), 187 above the power "
            "without load (181 to 192)");
  const std::string report = text(run, "", {});
  EXPECT_THAT(report, HasSubstr("\n  power     142 W ("));
  EXPECT_THAT(report, HasSubstr("\n  energy    12.3 mJ"));
  EXPECT_THAT(report, HasSubstr("\n  IOPS/W    81.3 operations"));
}

TEST(EnergyText, OfARunWithoutPower_IsEmpty) {
  const auto run = run_with(std::nullopt);
  EXPECT_EQ(power_text(run) + energy_text(run) + efficiency_text(run), "");
  EXPECT_THAT(text(run, "", {}), Not(HasSubstr("power")));
}

TEST(EnergyText, WhatIsNotKnown_IsSaidOrLeftOut) {
  const auto unknown = run_with(Energy{.sources = {{.name = "RAPL package-0"}}});
  EXPECT_EQ(power_text(unknown), "not known (RAPL package-0)");
  EXPECT_EQ(energy_text(unknown), "");
  Energy brief = known();
  brief.joules_per_op = Estimated{.value = 0.0123};
  brief.net_joules_per_op = Estimated{.value = 0.00001, .low = -0.001, .high = 0.00102};
  const auto run = run_with(brief);
  EXPECT_EQ(energy_text(run),
            "12.3 mJ per operation, 10 uJ above the power without load (-1 mJ to 1.02 mJ)");
  EXPECT_EQ(efficiency_text(run), "81.3 operations per joule, which is IOPS per watt");
}

TEST(JoulesText, HasThreeDigitsAndAFittingUnit) {
  EXPECT_EQ(joules_text(1234.5), "1.23e+03 J");
  EXPECT_EQ(joules_text(0.6), "600 mJ");
  EXPECT_EQ(joules_text(0.0000005), "500 nJ");
  EXPECT_EQ(joules_text(0), "0 J");
  EXPECT_EQ(joules_text(-1e-16), "0 J") << "the error of a sum of seconds";
  EXPECT_EQ(joules_text(-0.002), "-2 mJ");
}

std::vector<std::string> metrics_of(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const auto& row : comparison.rows) names.push_back(row.metric);
  return names;
}

const Comparison::Row& last_row(const Comparison& comparison, const std::string& metric) {
  for (auto row = comparison.rows.rbegin(); row != comparison.rows.rend(); ++row) {
    if (row->metric == metric) return *row;
  }
  throw std::runtime_error("no such row");
}

TEST(CompareEnergy, OfRunsThatMeasuredIt_HasRowsOfAllOperations) {
  Energy half = known();
  half.joules /= 2;
  half.joules_per_op = Estimated{.value = 0.00615};
  const Comparison comparison = compare({run_with(known()), run_with(half)});
  EXPECT_EQ(last_row(comparison, "IOPS/W").kind, "all");
  EXPECT_NEAR(last_row(comparison, "IOPS/W").ratio(1).value(), 2, 1e-9);
  EXPECT_NEAR(last_row(comparison, "mJ/op").values[0].value(), 12.3, 1e-9);
  EXPECT_NEAR(last_row(comparison, "net mJ/op").ratio(1).value(), 1, 1e-9);
  EXPECT_NEAR(last_row(comparison, "watts").ratio(1).value(), 0.5, 1e-9);
}

TEST(CompareEnergy, OfOtherRuns_IsAbsent) {
  const Comparison none = compare({run_with(std::nullopt), run_with(std::nullopt)});
  EXPECT_THAT(metrics_of(none), Not(::testing::Contains("IOPS/W")));
  const Comparison one = compare({run_with(std::nullopt), run_with(known())});
  EXPECT_FALSE(last_row(one, "IOPS/W").values[0]);
  EXPECT_TRUE(last_row(one, "IOPS/W").values[1]);
}

TEST(CompareEnergy, FromOtherSources_IsAWarning) {
  Energy other = known();
  other.sources.pop_back();
  const Comparison comparison = compare({run_with(known()), run_with(other)});
  EXPECT_THAT(comparison.warnings, ::testing::Contains(HasSubstr(
                                       "different sources of power: RAPL package-0, --power-cmd / "
                                       "RAPL package-0")));
}

TEST(PrometheusEnergy, IsThereWhenItWasMeasured) {
  const std::string with = prometheus_text(run_with(known()));
  EXPECT_THAT(with,
              HasSubstr("\nradosload_power_watts{pool=\"hdd\",pattern=\"randrw4k\"} 142.3\n"));
  EXPECT_THAT(with, HasSubstr("radosload_idle_power_watts"));
  EXPECT_THAT(with, HasSubstr("radosload_net_joules_per_operation"));
  EXPECT_THAT(prometheus_text(run_with(std::nullopt)), Not(HasSubstr("watts")));
}

}  // namespace
}  // namespace radosload::report
