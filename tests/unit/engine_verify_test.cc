// Writes that a cluster acknowledges and does not carry out as it says: each is found and named;
// and nothing is found where there is nothing.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/sim_loop.h"
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

// Objects that really hold what was written to them. What reads return of it may be changed.
class Held final : public Target {
 public:
  using Change = std::function<void(const Op&, std::span<std::byte>)>;

  Held(Loop& loop, workload::Payload filled, Change change)
      : m_loop(loop), m_filled(std::move(filled)), m_change(std::move(change)) {}

  Status attach(std::span<Slot>) override { return {}; }
  void submit(Slot& slot) noexcept override {
    m_loop.at(m_loop.now() + milliseconds(1), [this, &slot] { answer(slot); });
  }
  void cancel() noexcept override {}
  bool carries_data() const noexcept override { return true; }

 private:
  void answer(Slot& slot) {
    const auto bytes = slot.buffer.first(slot.op.length);
    auto& held = m_held[{slot.op.object, slot.op.offset}];
    if (slot.op.kind == OpKind::write) {
      held.assign(bytes.begin(), bytes.end());
    } else {
      m_filled.fill(slot.op, bytes);
      std::copy(held.begin(), held.end(), bytes.begin());
      m_change(slot.op, bytes);
      slot.received = bytes;
    }
    slot.complete({.rc = 0, .bytes = slot.op.length});
  }

  Loop& m_loop;
  workload::Payload m_filled;
  Change m_change;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::byte>> m_held;
};

SimRun run_held(const EnginePlan& plan, const Held::Change& change) {
  SimLoop loop;
  Held held(loop, *plan.payload, change);
  return test::run_target(plan, held, loop);
}

// Each names a block of the working set and what its generation had to be.
void expect_lost_writes_are_named(const std::vector<Finding>& findings) {
  ASSERT_FALSE(findings.empty());
  EXPECT_LE(findings.size(), 8U);
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.rc, rc_lost_write);
    EXPECT_LT(finding.op.object, 16U);
    EXPECT_EQ(finding.op.offset % 4096, 0U);
    EXPECT_EQ(finding.offset, finding.op.offset);
    EXPECT_LT(finding.found, finding.floor);
    EXPECT_LE(finding.floor, finding.ceiling);
  }
}

constexpr const char* small = "randrw4k,size=1M,object-size=64k,qd=8";

TEST(Verified, ALostWriteIsFoundAndNamedWithObjectBlockAndGenerations) {
  const SimRun run = run_virtual(checked_plan(small, seconds(10)), "latency=exp:1ms,lose=0.001");
  expect_conservation(run);
  const auto counts = failures(run);
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_GT(counts.at(rc_lost_write), 5U);
  expect_lost_writes_are_named(run.findings);
}

TEST(Verified, WriteThatOvertakesTheNextOne_IsReportedAsALostWrite) {
  const SimRun run = run_virtual(checked_plan(small, seconds(10)), "latency=exp:1ms,reorder=0.001");
  const auto counts = failures(run);
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_GT(counts.at(rc_lost_write), 5U);
  expect_lost_writes_are_named(run.findings);
}

TEST(Verified, ATornWriteIsFoundAndNamesBothGenerations) {
  const SimRun run = run_virtual(checked_plan(small, seconds(10)), "latency=exp:1ms,tear=0.001");
  const auto counts = failures(run);
  EXPECT_GT(counts.at(rc_torn), 5U);
  ASSERT_FALSE(run.findings.empty());
  // A block that is torn may be overwritten by halves once more: then the second half is older yet.
  for (const Finding& finding : run.findings) {
    EXPECT_EQ(finding.rc, rc_torn);
    EXPECT_LT(finding.op.object, 16U);
    EXPECT_EQ(finding.op.offset % 4096, 0U);
    EXPECT_GT(finding.found, finding.other);
    EXPECT_EQ(finding.offset, finding.op.offset + 2048);
  }
}

TEST(Verified, MisdirectedWrite_IsReportedAtBothPlaces) {
  const SimRun run =
      run_virtual(checked_plan(small, seconds(10)), "latency=exp:1ms,misdirect=0.001");
  const auto counts = failures(run);
  EXPECT_GT(counts.at(rc_misdirected), 5U);
  EXPECT_GT(counts.at(rc_lost_write), 5U);
  std::vector<Finding> lost;
  std::set<int> kinds;
  for (const Finding& finding : run.findings) {
    kinds.insert(finding.rc);
    if (finding.rc == rc_lost_write) lost.push_back(finding);
    if (finding.rc != rc_misdirected) continue;
    EXPECT_LT(finding.op.object, 16U);
    EXPECT_EQ(finding.offset, finding.op.offset);
  }
  EXPECT_EQ(kinds, (std::set{rc_lost_write, rc_misdirected}));
  expect_lost_writes_are_named(lost);
}

// As after a snapshot that was rolled back: what is there is sound, and by the run that wrote the
// objects which this one uses again.
TEST(Verified, ContentOfAnEarlierRunOverAnAcknowledgedWrite_IsALostWrite) {
  const EnginePlan plan = checked_plan(small, seconds(2));
  const workload::Payload earlier(stamp, workload::Writer{.id = 5});
  int reads = 0;
  const SimRun run = run_held(plan, [&](const Op& op, std::span<std::byte> bytes) {
    if (++reads > 1000) earlier.fill(op, bytes, 3);
  });
  expect_conservation(run);
  const auto counts = failures(run);
  ASSERT_EQ(counts.size(), 1U);
  // Most blocks had been written before, so few reads after the thousandth return what they should.
  EXPECT_GT(counts.at(rc_lost_write), static_cast<std::uint64_t>(reads - 1000) * 9 / 10);
  expect_lost_writes_are_named(run.findings);
}

TEST(Verified, ContentOfAnEarlierRunWhereThisOneWroteNothing_IsPermitted) {
  const EnginePlan plan = checked_plan("randread4k,size=1M,object-size=64k,qd=8", seconds(2));
  const workload::Payload earlier(stamp, workload::Writer{.id = 5});
  const SimRun run =
      run_held(plan, [&](const Op& op, std::span<std::byte> bytes) { earlier.fill(op, bytes, 3); });
  EXPECT_TRUE(failures(run).empty());
}

TEST(Verified, HalfABlockOfAnEarlierRunBesideAWriteOfThisOne_IsTorn) {
  const EnginePlan plan = checked_plan(small, seconds(2));
  const workload::Payload earlier(stamp, workload::Writer{.id = 5});
  int reads = 0;
  const SimRun run = run_held(plan, [&](const Op& op, std::span<std::byte> bytes) {
    if (++reads != 1000) return;
    std::vector<std::byte> old(bytes.size());
    earlier.fill(op, old, 3);
    std::copy_n(old.begin(), old.size() / 2, bytes.begin());
  });
  EXPECT_EQ(failures(run), (std::map<int, std::uint64_t>{{rc_torn, 1}}));
}

TEST(Verified, WriteThatWasNeverSent_IsReportedWithTheHighestSentGeneration) {
  const EnginePlan plan = checked_plan(small, seconds(2));
  int reads = 0;
  Op where;
  const SimRun run = run_held(plan, [&](const Op& op, std::span<std::byte> bytes) {
    if (++reads != 100) return;
    where = op;
    plan.payload->fill(op, bytes, 1000);
  });
  expect_conservation(run);
  EXPECT_EQ(failures(run), (std::map<int, std::uint64_t>{{rc_never_sent, 1}}));
  ASSERT_EQ(run.findings.size(), 1U);
  const Finding& finding = run.findings.front();
  EXPECT_EQ(finding.rc, rc_never_sent);
  EXPECT_EQ(finding.op.object, where.object);
  EXPECT_EQ(finding.op.offset, where.offset);
  EXPECT_EQ(finding.offset, where.offset);
  EXPECT_EQ(finding.found, 1000U);
  EXPECT_LT(finding.ceiling, 1000U);
  EXPECT_LE(finding.floor, finding.ceiling);
}

// One byte behind the second stamp of a block.
TEST(Verified, WrongByteOutsideStamps_IsFoundOnlyByVerifyFull) {
  constexpr std::size_t wrong = workload::sector_bytes + workload::stamp_bytes + 7;
  for (const auto& [how, found] :
       {std::pair{"off", false}, {"stamp", false}, {"generation", false}, {"full", true}}) {
    int reads = 0;
    const SimRun run = run_held(checked_plan(fmt::format("{},verify={}", small, how), seconds(2)),
                                [&](const Op&, std::span<std::byte> bytes) {
                                  if (++reads % 100 == 0) bytes[wrong] ^= std::byte{1};
                                });
    ASSERT_GT(reads, 1000);
    const auto counts = failures(run);
    if (!found) {
      EXPECT_TRUE(counts.empty()) << how;
      continue;
    }
    EXPECT_EQ(counts,
              (std::map<int, std::uint64_t>{{rc_torn, static_cast<std::uint64_t>(reads / 100)}}));
    ASSERT_FALSE(run.findings.empty());
    EXPECT_EQ(run.findings.front().rc, rc_torn);
    EXPECT_EQ(run.findings.front().found, run.findings.front().other);
    EXPECT_EQ(run.findings.front().offset, run.findings.front().op.offset + workload::sector_bytes);
  }
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

TEST(Verified, Coverage_HasTheVerifiedAndTheReadBackShare) {
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

TEST(Verified, BlocksWithoutWholeSectors_AreNotVerified) {
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
