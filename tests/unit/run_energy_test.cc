// The energy of a run, from known power and a known timeline; virtual time.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "prepare/engine_plan.h"
#include "run/energy.h"
#include "run/recording.h"

namespace radosload::run {
namespace {

using record::TimelineRow;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// When the process began to read.
constexpr Time epoch = seconds(1000);
// 5 s without load, a warm-up of 3 s, then the measured phase.
constexpr PowerTimes times{
    .idle_begin = epoch, .idle_end = epoch + seconds(5), .begin = epoch + seconds(8)};

// With so much power before the measured phase and in it, read each second until then.
watch::PowerReadings source(const std::string& name, double idle, double load,
                            Time until = seconds(30)) {
  watch::PowerReadings readings{.name = name};
  for (Time at{0}; at <= until; at += milliseconds(500)) {
    readings.curve.add_power(epoch + at, at <= seconds(5) ? idle : load);
  }
  return readings;
}

std::vector<TimelineRow> timeline(int count, std::uint64_t ops) {
  std::vector<TimelineRow> rows;
  for (int i = 0; i < count; ++i) {
    TimelineRow row;
    row.start = seconds(i);
    row.length = seconds(1);
    row.all.ops = ops;
    rows.push_back(row);
  }
  return rows;
}

MeasuredOps during(const std::vector<TimelineRow>& rows, std::uint64_t drained = 0) {
  return {.timeline = rows, .measured = seconds(10), .drained = drained};
}

TEST(EnergyOfOperations, IsWattsTimesSecondsByOperations) {
  const auto energy = energy_of({source("a", 80, 100)}, times, during(timeline(10, 50)));
  EXPECT_EQ(energy.known, seconds(10));
  EXPECT_NEAR(energy.joules, 1000, 1e-6);
  EXPECT_EQ(energy.ops, 500U);
  EXPECT_NEAR(energy.joules_per_op.value().value, 2, 1e-9);
  EXPECT_NEAR(record::mean_watts(energy).value(), 100, 1e-6);
}

TEST(EnergyOfOperations, IdlePowerIsSubtracted) {
  const auto energy = energy_of({source("a", 80, 100)}, times, during(timeline(10, 50)));
  EXPECT_NEAR(energy.idle_w.value(), 80, 1e-6);
  EXPECT_EQ(energy.idle_length, seconds(5));
  EXPECT_NEAR(energy.net_joules_per_op.value().value, 20.0 / 50, 1e-6);
  // The power never varies, and may be 79.5 and 100.5 W.
  const double low = energy.net_joules_per_op->low.value();
  EXPECT_LT(low, 0.4 - 0.5 / 50);
  EXPECT_GT(low, 0.4 - 2.0 / 50);
}

// What remains is the rounding of sums.
TEST(EnergyOfOperations, PowerThatIsThatWithoutLoad_GivesNoOperationsPerJoule) {
  for (const double load : {87.3, 87.3 + 1e-13, 87.4}) {
    const auto energy = energy_of({source("a", 87.3, load)}, times, during(timeline(10, 50)));
    EXPECT_LT(energy.net_joules_per_op->low.value(), 0) << load;
    EXPECT_GT(energy.net_joules_per_op->high.value(), 0) << load;
    EXPECT_FALSE(record::net_ops_per_joule(energy)) << load;
    EXPECT_TRUE(record::ops_per_joule(energy)) << load;
  }
  const auto energy = energy_of({source("a", 87.3, 88.3)}, times, during(timeline(10, 50)));
  EXPECT_TRUE(record::net_ops_per_joule(energy)) << "ten times the last digit";
}

TEST(EnergyOfOperations, SourcesAreAddedUp) {
  const auto energy =
      energy_of({source("a", 80, 100), source("b", 20, 50)}, times, during(timeline(10, 50)));
  EXPECT_NEAR(energy.joules, 1500, 1e-6);
  EXPECT_NEAR(energy.idle_w.value(), 100, 1e-6);
  ASSERT_EQ(energy.sources.size(), 2U);
  EXPECT_NEAR(energy.sources[1].idle_w.value(), 20, 1e-6);
  EXPECT_NEAR(energy.sources[1].mean_w.value(), 50, 1e-6);
  EXPECT_EQ(energy.sources[1].missing, "");
}

TEST(EnergyOfOperations, WithoutIdle_HasNoNetFigures) {
  PowerTimes unmeasured = times;
  unmeasured.idle_end = unmeasured.idle_begin;
  const auto energy = energy_of({source("a", 80, 100)}, unmeasured, during(timeline(10, 50)));
  EXPECT_FALSE(energy.idle_w || energy.net_joules_per_op);
  EXPECT_EQ(energy.idle_length, Time(0));
  EXPECT_TRUE(energy.joules_per_op);
}

TEST(EnergyOfOperations, WarmUpAndDrainDoNotCount) {
  auto rows = timeline(12, 50);
  rows[0].start = seconds(-1);  // of a warm-up
  rows[11].start = seconds(10);
  const auto energy = energy_of({source("a", 80, 100)}, times, during(rows));
  EXPECT_EQ(energy.ops, 450U) << "of the nine seconds from 1 to 10";
}

// On a busy machine the timer that begins the first row may be late; what was answered until then
// is in that row.
TEST(EnergyOfOperations, FirstRowThatStartsLate_HasTheTimeBeforeIt) {
  auto rows = timeline(10, 50);
  rows[0].start = milliseconds(40);
  rows[0].length = milliseconds(960);
  const auto energy = energy_of({source("a", 80, 100)}, times, during(rows));
  EXPECT_EQ(energy.known, seconds(10));
  EXPECT_EQ(energy.ops, 500U);
  EXPECT_NEAR(energy.joules_per_op.value().value, 2, 1e-9);
}

// On a busy machine the timer that ends a row may be late.
TEST(EnergyOfOperations, OfARowThatEndsAfterTheMeasuredPhase_OnlyTheMeasuredOperationsCount) {
  auto rows = timeline(11, 50);
  rows[9].length = milliseconds(1500);
  rows[9].all.ops = 53;
  rows[10].start = seconds(10) + milliseconds(500);
  rows[10].all.ops = 2;
  const auto energy = energy_of({source("a", 80, 100)}, times, during(rows, 5));
  EXPECT_EQ(energy.known, seconds(10));
  EXPECT_EQ(energy.ops, 500U);
  EXPECT_NEAR(energy.joules, 1000, 1e-6);
  EXPECT_NEAR(energy.joules_per_op.value().value, 2, 1e-9);
}

// One of two sources is not read any more from 4 s on, so joules and operations are those of the
// first four seconds.
TEST(EnergyOfOperations, SecondsWithoutTheirPower_CountOnNeitherSide) {
  auto lost = source("b", 20, 50, seconds(8 + 4));
  lost.failure = "it did not end within 5 s";
  const auto energy = energy_of({source("a", 80, 100), lost}, times, during(timeline(10, 50)));
  EXPECT_EQ(energy.known, seconds(4));
  EXPECT_EQ(energy.ops, 200U);
  EXPECT_NEAR(energy.joules, 600, 1e-6);
  EXPECT_NEAR(energy.joules_per_op.value().value, 3, 1e-9);
  EXPECT_EQ(energy.sources[0].missing, "");
  EXPECT_EQ(energy.sources[1].missing, "6.0 of 10.0 s, from 4.0 s on: it did not end within 5 s");
}

TEST(EnergyOfOperations, NothingKnownOrNothingDone_HasNoFigures) {
  const watch::PowerReadings unread{.name = "a"};
  const auto unknown = energy_of({unread}, times, during(timeline(10, 50)));
  EXPECT_EQ(unknown.known, Time(0));
  EXPECT_FALSE(unknown.joules_per_op || unknown.idle_w || unknown.sources[0].mean_w);
  EXPECT_THAT(unknown.sources[0].missing, HasSubstr("10.0 of 10.0 s, from 0.0 s on"));
  const auto nothing = energy_of({source("a", 80, 100)}, times, during(timeline(10, 0)));
  EXPECT_FALSE(nothing.joules_per_op);
  EXPECT_NEAR(record::mean_watts(nothing).value(), 100, 1e-6);
}

class EnergyNotes final : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string&) override {}
};

TEST(EnergyOfARecord, MissingPower_IsAWarning) {
  EnergyNotes notes;
  const OutputOptions output{.store = {}, .file = {}, .program = "radosload test"};
  const RunPlan plan;
  Recording recording(plan, prepare::header_for(plan, output.program, "x", {}), output, notes);
  recording.add_energy(record::Energy{
      .sources = {{.name = "RAPL package-0"},
                  {.name = "--power-cmd", .missing = "6.0 of 10.0 s, from 4.0 s on: it failed"}}});
  PassEnd pass;
  pass.end.ended_by = record::EndedBy::time;
  const auto result = recording.finish(pass);
  EXPECT_THAT(result.record.warnings,
              ElementsAre("the power from --power-cmd is not known for 6.0 of 10.0 s, from 4.0 s "
                          "on: it failed"));
  EXPECT_TRUE(result.record.energy);
  EXPECT_EQ(result.exit, Exit::measured) << "the operations are measured all the same";
}

}  // namespace
}  // namespace radosload::run
