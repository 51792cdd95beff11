// The power command, and the meter that reads all sources while a run measures.
#include <atomic>
#include <chrono>
#include <csignal>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/places.h"
#include "support/wait_for.h"
#include "unit/power_tree.h"
#include "watch/power_command.h"
#include "watch/power_meter.h"

namespace radosload::watch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::PowerTree;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::atomic<bool> runs_on{false};

Result<double> ask(const std::string& command, Time limit = seconds(20)) {
  return ask_power_command(command, limit, runs_on);
}

TEST(Watts, AreOneNumber) {
  EXPECT_EQ(parse_watts("100"), 100);
  EXPECT_EQ(parse_watts(" 73.25\r\n"), 73.25);
  EXPECT_EQ(parse_watts("1e2\n\n"), 100);
  EXPECT_EQ(parse_watts("0"), 0);
  for (const char* const text :
       {"", " \n", "W", "100 W", "100 200", "1\n2", "nan", "inf", "-5", "1e10", "0x10", "1,5"}) {
    EXPECT_FALSE(parse_watts(text)) << text;
  }
  EXPECT_THAT(parse_watts("100 W").error().reason, HasSubstr("'100 W', which is not one number"));
  EXPECT_THAT(parse_watts("\x1b[2J").error().reason, Not(HasSubstr("\x1b")));
}

TEST(PowerCommand, OutputIsItsWatts) {
  EXPECT_EQ(ask("echo 100"), 100);
  EXPECT_EQ(ask("echo careful >&2; expr 40 + 2"), 42) << "only its output counts";
}

TEST(PowerCommand, Failure_IsToldWithoutTheCommand) {
  const auto failed = ask("secret=hunter2; echo 7; echo no such host >&2; exit 3");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message(),
              AllOf(HasSubstr("ended with status 3: no such host"), Not(HasSubstr("hunter2"))));
  EXPECT_EQ(failed.error().exit, Exit::refused);
  EXPECT_THAT(ask("kill -9 $$").error().reason, HasSubstr("signal 9"));
  EXPECT_THAT(ask("true").error().reason, HasSubstr("printed nothing"));
  EXPECT_THAT(ask(test::nowhere("meter")).error().reason, HasSubstr("status 127"));
}

TEST(PowerCommand, ThatHangs_IsKilledWithWhatItStarted) {
  const PowerTree tree;
  const std::string file = (tree.path() / "pid").string();
  const auto hung = ask("sleep 100 & echo $! >" + file + "; wait", milliseconds(300));
  ASSERT_FALSE(hung);
  EXPECT_THAT(hung.error().reason, HasSubstr("did not end within 0.3 s"));
  const pid_t child = std::stoi(test::read_file(file));
  EXPECT_TRUE(test::wait_for("the child to end", [&] { return ::kill(child, 0) != 0; }));
}

TEST(PowerCommand, ThatPrintsWithoutEnd_IsKilled) {
  EXPECT_THAT(ask("yes", milliseconds(300)).error().reason, HasSubstr("did not end"));
}

TEST(PowerCommand, OfARunThatEnds_IsKilledAtOnce) {
  const std::atomic<bool> ends{true};
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(ask_power_command("sleep 100", seconds(100), ends));
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(50));
}

// ---- the meter ----

PowerPlan with(PowerSensors sensors, const std::string& command = "") {
  return {.sensors = sensors, .command = command};
}

TEST(PowerMeter, CountsEveryJouleFromBeginToEnd) {
  const PowerTree tree;
  tree.domain("intel-rapl:0", "package-0", 100'000);
  tree.domain("intel-rapl:1", "package-1", 900'000);
  auto meter = PowerMeter::open(with(PowerSensors::rapl), tree.folders());
  ASSERT_TRUE(meter) << meter.error().message();
  tree.domain("intel-rapl:0", "package-0", 400'000);
  tree.domain("intel-rapl:1", "package-1", 200'000);  // began again at 1,000,000
  const auto readings = (*meter)->finish();
  ASSERT_EQ(readings.size(), 2U);
  const Time ever = PowerMeter::now();
  EXPECT_NEAR(readings[0].curve.between(Time(0), ever).joules, 0.3, 1e-9);
  EXPECT_NEAR(readings[1].curve.between(Time(0), ever).joules, 0.3, 1e-9);
  EXPECT_EQ(readings[0].failure, "");
}

TEST(PowerMeter, ReadsSoonWhenAsked) {
  const PowerTree tree;
  tree.domain("intel-rapl:0", "package-0", 100'000);
  auto meter = PowerMeter::open(with(PowerSensors::rapl), tree.folders());
  ASSERT_TRUE(meter);
  const Time asked = PowerMeter::now();
  (*meter)->read_soon();
  EXPECT_TRUE(test::wait_for("a reading", [&] { return (*meter)->read_until() > asked; }));
}

TEST(PowerMeter, SensorThatVanishes_IsUnknownFromThenOn) {
  const PowerTree tree;
  tree.chip("0", "power_meter");
  const auto file = tree.set("hwmon/hwmon0/power1_average", "250000000");
  auto meter = PowerMeter::open(with(PowerSensors::hwmon), tree.folders());
  ASSERT_TRUE(meter);
  const Time before = (*meter)->read_until();
  std::filesystem::remove(file);
  const auto readings = (*meter)->finish();
  EXPECT_THAT(readings[0].failure, AllOf(HasSubstr("power1_average"), HasSubstr("ENOENT")));
  EXPECT_GE(readings[0].curve.first_unknown(before, PowerMeter::now()), before);
}

TEST(PowerMeter, AddsTheCommandToTheSensors) {
  const PowerTree tree;
  tree.chip("0", "power_meter");
  tree.set("hwmon/hwmon0/power1_average", "250000000");
  auto meter = PowerMeter::open(with(PowerSensors::automatic, "echo 100"), tree.folders());
  ASSERT_TRUE(meter);
  const Time begin = (*meter)->read_until();
  const auto readings = (*meter)->finish();
  ASSERT_EQ(readings.size(), 2U);
  EXPECT_EQ(readings[0].name, "hwmon power_meter power1");
  EXPECT_EQ(readings[1].name, "--power-cmd");
  EXPECT_NEAR(readings[0].curve.between(begin, PowerMeter::now()).watts(), 250, 1e-6);
  EXPECT_NEAR(readings[1].curve.between(begin, PowerMeter::now()).watts(), 100, 1e-6);
}

TEST(PowerMeter, WithoutSources_IsNone) {
  const PowerTree tree;
  const auto meter = PowerMeter::open({}, tree.folders());
  ASSERT_TRUE(meter);
  EXPECT_EQ(*meter, nullptr);
}

TEST(PowerMeter, CommandThatFailsAtOnce_RefusesTheRun) {
  const auto meter = PowerMeter::open(with(PowerSensors::off, "exit 3"));
  ASSERT_FALSE(meter);
  EXPECT_EQ(meter.error().exit, Exit::refused);
  EXPECT_THAT(meter.error().message(), AllOf(HasSubstr("--power-cmd"), HasSubstr("status 3"),
                                             HasSubstr("must print watts")));
}

}  // namespace
}  // namespace radosload::watch
