// Writes that a cluster acknowledges and does not carry out as it says: each is found and named;
// and nothing is found where there is nothing.

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/sim_run.h"

#include <fmt/format.h>

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::expect_conservation;
using test::plan_for;
using test::run_threads;
using test::run_virtual;
using test::SimRun;

constexpr std::uint64_t stamp = 7;

EnginePlan checked_plan(const std::string& pattern, Time time, std::uint32_t lanes = 1) {
  EnginePlan plan = plan_for(pattern, time, lanes);
  plan.payload.emplace(stamp, workload::Writer{.id = 99});
  return plan;
}

// Failures by their codes.
std::map<int, std::uint64_t> failures(const SimRun& run) {
  std::map<int, std::uint64_t> counts;
  for (const record::Cell& cell : run.total.kinds) {
    for (const auto& [rc, count] : cell.errors) counts[rc] += count;
  }
  return counts;
}

constexpr const char* small = "randrw4k,size=1M,object-size=64k,qd=8";

TEST(Verified, ALostWriteIsFoundAndNamedWithObjectBlockAndGenerations) {
  const SimRun run = run_virtual(checked_plan(small, seconds(10)), "latency=exp:1ms,lose=0.001");
  expect_conservation(run);
  const auto counts = failures(run);
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_GT(counts.at(rc_lost_write), 5U);
  ASSERT_FALSE(run.findings.empty());
  EXPECT_LE(run.findings.size(), 8U);
  for (const Finding& finding : run.findings) {
    EXPECT_EQ(finding.rc, rc_lost_write);
    EXPECT_LT(finding.op.object, 16U);
    EXPECT_EQ(finding.offset, finding.op.offset);
    EXPECT_LT(finding.found, finding.floor);
    EXPECT_LE(finding.floor, finding.ceiling);
  }
}

TEST(Verified, AWriteThatOvertakesTheNextOneIsALostWrite) {
  const SimRun run = run_virtual(checked_plan(small, seconds(10)), "latency=exp:1ms,reorder=0.001");
  const auto counts = failures(run);
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_GT(counts.at(rc_lost_write), 5U);
}

TEST(Verified, ATornWriteIsFoundAndNamesBothGenerations) {
  const SimRun run = run_virtual(checked_plan(small, seconds(10)), "latency=exp:1ms,tear=0.001");
  const auto counts = failures(run);
  EXPECT_GT(counts.at(rc_torn), 5U);
  ASSERT_FALSE(run.findings.empty());
  const Finding& first = run.findings.front();
  EXPECT_EQ(first.rc, rc_torn);
  EXPECT_GT(first.found, first.other);
  EXPECT_EQ(first.offset, first.op.offset + 2048);
}

TEST(Verified, AMisdirectedWriteIsFoundInItsPlaceAndMissedInTheOther) {
  const SimRun run =
      run_virtual(checked_plan(small, seconds(10)), "latency=exp:1ms,misdirect=0.001");
  const auto counts = failures(run);
  EXPECT_GT(counts.at(rc_misdirected), 5U);
  EXPECT_GT(counts.at(rc_lost_write), 5U);
}

TEST(Verified, VerifyLevel_DecidesWhichFaultsAreFound) {
  for (const auto& [how, found] :
       {std::pair{"off", false}, {"stamp", false}, {"generation", true}, {"full", true}}) {
    const SimRun run =
        run_virtual(checked_plan(fmt::format("{},verify={}", small, how), seconds(5)),
                    "latency=exp:1ms,lose=0.01");
    EXPECT_EQ(failures(run).contains(rc_lost_write), found) << how;
    EXPECT_EQ(run.end.verification.has_value(), found) << how;
  }
}

TEST(Verified, CoverageSaysWhatWasFollowedAndReadBack) {
  const SimRun run = run_virtual(checked_plan(small, seconds(10)), "latency=exp:1ms,lose=0");
  EXPECT_TRUE(failures(run).empty());
  ASSERT_TRUE(run.end.verification);
  EXPECT_EQ(run.end.verification->blocks, 256U);
  EXPECT_EQ(run.end.verification->followed, 256U);
  std::uint64_t writes = 0;
  for (const record::Cell& cell : run.total.kinds) {
    if (cell.kind == OpKind::write) writes += cell.ops();
  }
  EXPECT_EQ(run.end.verification->acknowledged, writes);
  // Of four operations three are reads, and so is the next one on a block.
  EXPECT_NEAR(static_cast<double>(run.end.verification->read_back) / static_cast<double>(writes),
              0.75, 0.05);
}

TEST(Verified, BlocksThatHoldNoWholeSectorsAreNotFollowed) {
  const SimRun run =
      run_virtual(checked_plan("randrw4k,size=1M,object-size=100000,bs=1000,qd=8", seconds(2)),
                  "latency=exp:1ms,lose=0");
  EXPECT_TRUE(failures(run).empty());
  EXPECT_FALSE(run.end.verification);
}

// Hot blocks, errors, timeouts whose writes land later, answers out of order, several clients.
RC_GTEST_PROP(Verified, GivesNoFalseAlarm, ()) {
  const auto lanes = *rc::gen::inRange(1U, 4U);
  const auto depth = *rc::gen::inRange(lanes, 65U);
  const auto blocks = *rc::gen::inRange(4U, 40U);
  const bool whole = *rc::gen::arbitrary<bool>();
  auto plan = checked_plan(fmt::format("randrw4k,size={}k,object-size=16k,qd={},verify={}",
                                       blocks * 4, depth, whole ? "full" : "generation"),
                           milliseconds(60), lanes);
  plan.seed = *rc::gen::inRange<std::uint64_t>(1, 1U << 30U);
  plan.drain = milliseconds(100);
  const SimRun run = run_virtual(
      plan, "latency=lognormal:1ms:1,osds=3,slow=1:20,error=EIO:0.02,lost=0.001,lose=0", lanes);
  for (const auto& [rc, count] : failures(run)) RC_ASSERT(rc == -EIO);
}

TEST(Threads, OnTheSameBlocksGiveNoFalseAlarm) {
  const auto plan = checked_plan("randrw4k,size=64k,object-size=16k,qd=48", seconds(1), 3);
  const SimRun run = run_threads(plan, "latency=exp:100us,osds=3,error=EIO:0.01,lose=0", 3);
  expect_conservation(run);
  for (const auto& [rc, count] : failures(run)) EXPECT_EQ(rc, -EIO) << count;
  ASSERT_TRUE(run.end.verification);
  EXPECT_GT(run.end.verification->read_back, 100U);
}

}  // namespace
}  // namespace radosload::engine
