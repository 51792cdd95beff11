// The thread that notices when its process does not run, and what the kernel counts of that.
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"
#include "watch/client_witness.h"

namespace radosload::watch {
namespace {

using record::PauseCause;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Moment at_10s = {.monotonic = seconds(10), .boot = seconds(500)};
constexpr Time due = seconds(10) + milliseconds(1);

Moment later(Time monotonic, Time suspended = Time(0)) {
  return {.monotonic = at_10s.monotonic + monotonic, .boot = at_10s.boot + monotonic + suspended};
}

TEST(ClientWitness, LateLook_IsAPauseFrom20msOn) {
  EXPECT_FALSE(pause_between(at_10s, due, later(milliseconds(1))));
  EXPECT_FALSE(pause_between(at_10s, due, later(milliseconds(20))));
  const auto pause = pause_between(at_10s, due, later(milliseconds(3001)));
  ASSERT_TRUE(pause);
  EXPECT_EQ(pause->from, due);
  EXPECT_EQ(pause->length, seconds(3));
  EXPECT_EQ(pause->cause, PauseCause::unknown);
}

TEST(ClientWitness, EarlyLook_IsNoPause) {
  EXPECT_FALSE(pause_between(at_10s, due, later(Time(0))));
}

TEST(ClientWitness, SuspendedMachine_IsAPauseThoughItsClockStoodStill) {
  const auto pause = pause_between(at_10s, due, later(milliseconds(2), seconds(40)));
  ASSERT_TRUE(pause);
  EXPECT_EQ(pause->length, seconds(40) + milliseconds(1));
  EXPECT_EQ(pause->cause, PauseCause::suspended);
}

TEST(ClientWitness, CauseIsWhatExplainsMostOfThePause) {
  const record::Pause pause{.from = Time(0), .length = milliseconds(100)};
  const KernelCpu before{.throttled = seconds(3), .stolen = seconds(7)};
  const auto cause_after = [&](Time throttled, Time stolen) {
    return cause_of(
        pause, before,
        {.throttled = *before.throttled + throttled, .stolen = *before.stolen + stolen});
  };
  EXPECT_EQ(cause_after(milliseconds(80), Time(0)), PauseCause::throttled);
  EXPECT_EQ(cause_after(milliseconds(10), milliseconds(90)), PauseCause::stolen);
  EXPECT_EQ(cause_after(milliseconds(10), milliseconds(10)), PauseCause::unknown);
  EXPECT_EQ(cause_of(pause, {}, {}), PauseCause::unknown) << "not counted by this kernel";
}

TEST(ClientWitness, LooksCostNoMoreThan2InAThousand) {
  EXPECT_EQ(period_for(Time(100)), milliseconds(1));
  EXPECT_EQ(period_for(microseconds(10)), milliseconds(5));
  EXPECT_EQ(period_for(milliseconds(1)), milliseconds(20));
}

TEST(ClientWitness, MeasuredPhaseIsWatched_AndNothingElse) {
  ClientWitness none;
  none.enter(Phase::warmup);
  EXPECT_FALSE(none.finish());
  ClientWitness witness;
  witness.enter(Phase::warmup);
  witness.enter(Phase::measure);
  witness.enter(Phase::drain);
  const auto seen = witness.finish();
  ASSERT_TRUE(seen);
  EXPECT_GT(seen->cpu, Time(0));
  EXPECT_EQ(seen->pauses.count == 0, seen->pauses.sum == Time(0));
}

class Kernel : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    const auto path = m_folder.path() / file;
    std::filesystem::create_directories(path.parent_path());
    test::write_file(path, text);
  }
  KernelCpu read() const {
    return KernelCpuFiles(m_folder.path() / "proc", m_folder.path() / "cgroup").read();
  }

 private:
  test::TemporaryFolder m_folder;
};

TEST_F(Kernel, LimitsOfAllCgroupsAboveCount) {
  write("proc/self/cgroup", "0::/system.slice/docker-1\n");
  write("cgroup/system.slice/docker-1/cpu.stat", "usage_usec 9\nthrottled_usec 1200\n");
  write("cgroup/system.slice/cpu.stat", "throttled_usec 300\n");
  write("cgroup/cpu.stat", "usage_usec 9\n");
  EXPECT_EQ(read().throttled, microseconds(1500));
}

TEST_F(Kernel, FirstVersionOfCgroups_HasOtherNamesAndUnits) {
  write("proc/self/cgroup", "9:cpuset:/a\n4:cpu,cpuacct:/box\n0::/\n");
  write("cgroup/cpu,cpuacct/box/cpu.stat", "nr_periods 5\nthrottled_time 4000\n");
  EXPECT_EQ(read().throttled, Time(4000));
}

TEST_F(Kernel, StolenTimeAndPressureAreRead) {
  write("proc/stat", "cpu  100 0 100 700 0 0 0 100 50 0\ncpu0 1 2 3\n");
  write("proc/pressure/cpu", "some avg10=1.00 avg60=0.50 avg300=0.10 total=2500\nfull total=0\n");
  const KernelCpu counted = read();
  EXPECT_EQ(*counted.all / *counted.stolen, 10);
  EXPECT_EQ(counted.pressure, microseconds(2500));
  EXPECT_FALSE(counted.throttled);
}

TEST_F(Kernel, WhatIsMissingOrNoNumber_IsUnknown) {
  EXPECT_FALSE(read().throttled || read().stolen || read().pressure);
  write("proc/stat", "cpu  100 0\n");
  write("proc/pressure/cpu", "some total=\n");
  write("proc/self/cgroup", "nonsense\n:\n");
  EXPECT_FALSE(read().throttled || read().stolen || read().pressure);
}

}  // namespace
}  // namespace radosload::watch
