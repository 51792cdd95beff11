// Where the slowest operations of a run waited: OSDs are scripted, with clocks of their own.
#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "support/files.h"
#include "unit/slow_op_support.h"
#include "watch/op_stages.h"
#include "watch/slow_op_match.h"

#include <fmt/format.h>

namespace radosload::watch {
namespace {

using observe::OsdOp;
using record::SlowOp;
using record::Wait;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::noon;
using testing::our_write;
using testing::ours;
using testing::seen_op;

// The OSD was asked at this time, and its clock is so far ahead.
void tell(OpMemory& memory, std::int32_t osd, Time asked, Time ahead, std::vector<OsdOp> ops) {
  const Time answered = asked + milliseconds(2);
  memory.add(osd, {.ops = std::move(ops), .now = asked + milliseconds(1) + ahead}, asked, answered);
}

Wait longest_of(const std::vector<std::pair<const char*, int>>& events) {
  return stages_of(seen_op(noon, events)).where;
}

TEST(OpStages, TheLongestStageIsWhereItWaited) {
  EXPECT_EQ(longest_of({{"initiated", 0}, {"queued_for_pg", 40}, {"reached_pg", 50}, {"done", 60}}),
            Wait::receive);
  EXPECT_EQ(longest_of({{"initiated", 0}, {"queued_for_pg", 1}, {"reached_pg", 50}, {"done", 60}}),
            Wait::queue);
  EXPECT_EQ(longest_of({{"queued_for_pg", 0}, {"reached_pg", 1}, {"started", 2}, {"done", 60}}),
            Wait::execution);
  EXPECT_EQ(longest_of({{"queued_for_pg", 0},
                        {"reached_pg", 1},
                        {"waiting for degraded object", 2},
                        {"reached_pg", 50},
                        {"started", 51},
                        {"done", 60}}),
            Wait::blocked);
}

TEST(OpStages, CommitOfThePrimaryIsLast_IsNoReplica) {
  const auto stages = stages_of(seen_op(noon, {{"started", 0},
                                               {"waiting for subops from 1,2", 1},
                                               {"sub_op_commit_rec", 20},
                                               {"sub_op_commit_rec", 30},
                                               {"op_commit", 90},
                                               {"commit_sent", 91},
                                               {"done", 92}}));
  EXPECT_EQ(stages.where, Wait::commit);
  EXPECT_EQ(stages.longest, milliseconds(89));
}

TEST(OpStages, CommitOfAReplicaIsLast_IsAReplica) {
  const auto stages = stages_of(seen_op(noon, {{"started", 0},
                                               {"waiting for subops from 1,2", 1},
                                               {"op_commit", 20},
                                               {"sub_op_commit_rec", 30},
                                               {"sub_op_commit_rec", 90},
                                               {"commit_sent", 91}}));
  EXPECT_EQ(stages.where, Wait::replica);
  EXPECT_THAT(stages.replicas, ElementsAre(1, 2));
  EXPECT_EQ(stages.longest, milliseconds(89));
}

TEST(OpStages, PoolWithoutReplicasAndErasureCodedPool_AreDistinguished) {
  EXPECT_EQ(longest_of({{"started", 0}, {"op_commit", 90}, {"commit_sent", 91}}), Wait::commit);
  EXPECT_EQ(longest_of({{"sub_op_started", 0}, {"sub_op_committed", 90}, {"commit_sent", 120}}),
            Wait::commit);
  EXPECT_EQ(longest_of({{"sub_op_started", 0}, {"sub_op_committed", 30}, {"commit_sent", 120}}),
            Wait::shards);
}

TEST(OpStages, InFlight_WaitsForWhatHasNotHappened) {
  EXPECT_EQ(longest_of({{"started", 0}, {"waiting for subops from 1", 1}, {"op_commit", 20}}),
            Wait::replica);
  EXPECT_EQ(
      longest_of({{"started", 0}, {"waiting for subops from 1", 1}, {"sub_op_commit_rec", 20}}),
      Wait::commit);
}

TEST(OpStages, OfBothReleases_SayWhereRecordedWritesWaited) {
  const auto wait_of = [](const std::string& version, const std::string& file, std::uint64_t tid) {
    const auto read = observe::parse_osd_ops(test::fixture(version, file));
    for (const OsdOp& op : read->ops) {
      if (!op.part && op.tid == tid) return stages_of(op);
    }
    throw std::runtime_error("no such operation");
  };
  const auto own = wait_of("16.2.15", "osd0-dump_historic_ops.json", 74);
  EXPECT_EQ(own.where, Wait::commit);
  EXPECT_EQ(own.longest, microseconds(396'718));
  EXPECT_EQ(wait_of("16.2.15", "osd0-dump_historic_ops.json", 109).where, Wait::replica);
  const auto replica = wait_of("18.2.7", "osd1-dump_historic_ops.json", 69);
  EXPECT_EQ(replica.where, Wait::replica);
  EXPECT_THAT(replica.replicas, ElementsAre(0, 2));
}

TEST(OpStages, ReplicasAreReadAsFarAsTheyAreNumbers) {
  EXPECT_THAT(replicas_in("waiting for subops from 12,3"), ElementsAre(12, 3));
  EXPECT_THAT(replicas_in("waiting for subops from 12(1),3(2)"), ElementsAre(12, 3));
  EXPECT_THAT(replicas_in("waiting for subops from 99999999999,3"), IsEmpty());
  EXPECT_THAT(replicas_in("waiting for subops from "), IsEmpty());
  EXPECT_THAT(replicas_in("op_commit"), IsEmpty());
}

RC_GTEST_PROP(SlowOpMatch, ClocksOfOsdsDiffer_TheRightOneOfManyIsFound, ()) {
  const Time ahead = milliseconds(*rc::gen::inRange(-600'000, 600'000));
  const int wanted = *rc::gen::inRange(0, 10);
  OpMemory memory({7});
  std::vector<OsdOp> ops;
  // The same object again and again; the one we ask for waited in the queue, the others did not.
  for (int i = 0; i < 10; ++i) {
    const int queued = i == wanted ? 400 : 0;
    ops.push_back(seen_op(noon + seconds(i) + milliseconds(5) + ahead,
                          {{"initiated", 0},
                           {"queued_for_pg", 0},
                           {"reached_pg", queued},
                           {"started", 400},
                           {"op_commit", 400},
                           {"commit_sent", 401},
                           {"done", 401}},
                          static_cast<std::uint64_t>(i)));
  }
  tell(memory, 3, noon + seconds(20), ahead, std::move(ops));
  std::vector<SlowOp> slowest = {our_write(noon + seconds(wanted), milliseconds(410))};
  RC_ASSERT(match(slowest, memory, ours) == 1U);
  RC_ASSERT(slowest[0].waited->where == Wait::queue);
  RC_ASSERT(std::chrono::abs(slowest[0].waited->before - milliseconds(5)) <= milliseconds(2));
}

TEST(SlowOpMatch, OtherObjectNamespaceRangeClientOrTime_IsNoMatch) {
  const std::vector<std::pair<const char*, int>> events = {{"initiated", 0}, {"done", 90}};
  const OsdOp good = seen_op(noon + milliseconds(1), events);
  std::vector<OsdOp> others(5, good);
  others[0].object = "y";
  others[1].nspace = "";
  others[2].extents[0].offset = 4096;
  others[3].client = 8;
  others[4] = seen_op(noon + milliseconds(30), events);  // ended after our answer
  for (const OsdOp& other : others) {
    OpMemory memory({7});
    tell(memory, 3, noon + seconds(5), Time(0), {other});
    std::vector<SlowOp> slowest = {our_write(noon, milliseconds(100))};
    EXPECT_EQ(match(slowest, memory, ours), 0U);
    EXPECT_FALSE(slowest[0].waited);
  }
  OpMemory memory({7});
  tell(memory, 3, noon + seconds(5), Time(0), {good});
  std::vector<SlowOp> slowest = {our_write(noon, milliseconds(100)),
                                 our_write(noon, milliseconds(100))};
  EXPECT_EQ(match(slowest, memory, ours), 1U) << "one operation of an OSD is one of ours";
}

TEST(SlowOpMatch, WayToTheOsdAndBack_AreDistinguished) {
  const auto waited = [](int before, int after) {
    OpMemory memory({7});
    tell(memory, 3, noon + seconds(9), seconds(-30),
         {seen_op(noon + milliseconds(before) - seconds(30), {{"initiated", 0}, {"done", 10}})});
    std::vector<SlowOp> slowest = {our_write(noon, milliseconds(before + 10 + after))};
    EXPECT_EQ(match(slowest, memory, ours), 1U);
    return slowest[0].waited->where;
  };
  EXPECT_EQ(waited(4000, 20), Wait::to_osd);
  EXPECT_EQ(waited(20, 4000), Wait::from_osd);
}

// A write that waited for the replicas 1 and 2 from 1 to 91 ms.
OsdOp waits_for_two() {
  return seen_op(noon, {{"started", 0},
                        {"waiting for subops from 1,2", 1},
                        {"op_commit", 20},
                        {"sub_op_commit_rec", 30},
                        {"sub_op_commit_rec", 91},
                        {"commit_sent", 92},
                        {"done", 92}});
}

OsdOp part_of_it(Time clock_ahead, int received, int committed) {
  OsdOp part = seen_op(noon + milliseconds(received) + clock_ahead,
                       {{"started", 0}, {"commit_sent", committed - received}});
  part.part = true;
  return part;
}

std::vector<std::int32_t> replica_waited_for(const OpMemory& memory) {
  std::vector<SlowOp> slowest = {our_write(noon, milliseconds(93))};
  EXPECT_EQ(match(slowest, memory, ours), 1U);
  EXPECT_EQ(slowest[0].waited->where, Wait::replica);
  return slowest[0].waited->replicas;
}

TEST(SlowReplica, CommittedLast_IsNamedWithAnyClock) {
  OpMemory memory({7});
  tell(memory, 3, noon + seconds(5), Time(0), {waits_for_two()});
  tell(memory, 1, noon + seconds(5), seconds(-40), {part_of_it(seconds(-40), 2, 29)});
  tell(memory, 2, noon + seconds(5), seconds(70), {part_of_it(seconds(70), 2, 90)});
  EXPECT_THAT(replica_waited_for(memory), ElementsAre(2));
}

TEST(SlowReplica, OnlyTheEarlyOneIsKnown_IsTheOther) {
  OpMemory memory({7});
  tell(memory, 3, noon + seconds(5), Time(0), {waits_for_two()});
  tell(memory, 1, noon + seconds(5), Time(0), {part_of_it(Time(0), 2, 29)});
  EXPECT_THAT(replica_waited_for(memory), ElementsAre(2));
}

TEST(SlowReplica, OneDidNotAnswerMeanwhile_IsNamed) {
  OpMemory memory({7});
  tell(memory, 3, noon + seconds(5), Time(0), {waits_for_two()});
  memory.add_silence(1, noon - seconds(1), noon + seconds(1));
  memory.add_silence(2, noon + seconds(50), noon + seconds(52));
  EXPECT_THAT(replica_waited_for(memory), ElementsAre(1));
}

// On a busy machine the other one may answer late.
TEST(SlowReplica, OneWasSilentForMuchLongerThanTheOther_IsNamed) {
  OpMemory memory({7});
  tell(memory, 3, noon + seconds(5), Time(0), {waits_for_two()});
  memory.add_silence(1, noon - seconds(1), noon + seconds(1));
  memory.add_silence(2, noon - seconds(1), noon + milliseconds(40));
  EXPECT_THAT(replica_waited_for(memory), ElementsAre(1));
}

TEST(SlowReplica, BothWereSilentForAboutAsLong_BothArePossible) {
  OpMemory memory({7});
  tell(memory, 3, noon + seconds(5), Time(0), {waits_for_two()});
  memory.add_silence(1, noon - seconds(1), noon + seconds(1));
  memory.add_silence(2, noon - seconds(1), noon + milliseconds(70));
  EXPECT_THAT(replica_waited_for(memory), ElementsAre(1, 2));
}

// It stood still itself: the answers of the replicas came in time, and it saw them too late.
TEST(SlowReplica, ThePrimaryDidNotAnswerMeanwhile_IsNamedInPlaceOfTheReplicas) {
  OpMemory memory({7});
  tell(memory, 3, noon + seconds(5), Time(0), {waits_for_two()});
  memory.add_silence(3, noon - seconds(1), noon + seconds(1));
  std::vector<SlowOp> slowest = {our_write(noon, milliseconds(93))};
  EXPECT_EQ(match(slowest, memory, ours), 1U);
  EXPECT_EQ(slowest[0].waited->where, Wait::silent);
  EXPECT_TRUE(slowest[0].waited->replicas.empty());
  EXPECT_EQ(slowest[0].waited->longest, milliseconds(90));

  // A replica that was silent as long may be the cause as well.
  memory.add_silence(2, noon - seconds(1), noon + seconds(1));
  EXPECT_THAT(replica_waited_for(memory), ElementsAre(1, 2));
}

// The OSD was last asked while the operation waited, and remembers longer ones from then on.
TEST(SlowReplica, SeenOnlyWhileItWaited_IsTheOneThatWasSilentUntilTheAnswer) {
  OsdOp waiting = waits_for_two();
  waiting.events.resize(4);  // one replica has committed
  OpMemory memory({7});
  tell(memory, 3, noon + seconds(5), Time(0), {waiting});
  memory.add_silence(1, noon + milliseconds(500), noon + milliseconds(3900));
  std::vector<SlowOp> slowest = {our_write(noon, seconds(4))};
  EXPECT_EQ(match(slowest, memory, ours), 1U);
  EXPECT_EQ(slowest[0].waited->where, Wait::replica);
  EXPECT_THAT(slowest[0].waited->replicas, ElementsAre(1));
}

// What the OSD reported was far shorter than the way to it, but the operation went on afterwards.
TEST(SlowReplica, SeenInFlightAtItsBeginning_WaitedThereUntilTheAnswer) {
  for (const std::size_t events : {2U, 3U}) {  // before and after the primary's own commit
    OsdOp waiting = waits_for_two();
    waiting.events.resize(events);
    OpMemory memory({7});
    tell(memory, 3, noon + seconds(5), Time(0), {waiting});
    memory.add_silence(1, noon + milliseconds(500), noon + milliseconds(3900));
    std::vector<SlowOp> slowest = {our_write(noon - milliseconds(50), seconds(4))};
    EXPECT_EQ(match(slowest, memory, ours), 1U);
    EXPECT_EQ(slowest[0].waited->where, Wait::replica) << events;
    EXPECT_THAT(slowest[0].waited->replicas, ElementsAre(1)) << events;
    EXPECT_GT(slowest[0].waited->longest, seconds(3)) << events;
  }
}

TEST(SlowOpMatch, SeenInFlightInTheQueue_WaitedThereUntilTheAnswer) {
  OpMemory memory({7});
  tell(memory, 3, noon + seconds(5), Time(0),
       {seen_op(noon + milliseconds(20), {{"initiated", 0}, {"queued_for_pg", 1}})});
  std::vector<SlowOp> slowest = {our_write(noon, seconds(4))};
  EXPECT_EQ(match(slowest, memory, ours), 1U);
  EXPECT_EQ(slowest[0].waited->where, Wait::queue);
}

TEST(SlowReplica, NothingIsKnown_BothArePossible) {
  OpMemory memory({7});
  tell(memory, 3, noon + seconds(5), Time(0), {waits_for_two()});
  EXPECT_THAT(replica_waited_for(memory), ElementsAre(1, 2));
}

TEST(SlowReplica, RecordedByRelease18_IsTheOneWhosePartEndedLast) {
  OpMemory memory({4169});
  for (const std::int32_t osd : {0, 1}) {
    auto read = observe::parse_osd_ops(
        test::fixture("18.2.7", fmt::format("osd{}-dump_historic_ops.json", osd)));
    ASSERT_TRUE(read);
    const Time now = *read->now;
    memory.add(osd, *std::move(read), now - milliseconds(3), now + milliseconds(3));
  }
  const OsdOp* op = nullptr;
  for (const OsdOp* const one : memory.ops_on(1)) op = one->tid == 69 ? one : op;
  ASSERT_NE(op, nullptr);
  std::vector<SlowOp> slowest = {our_write(op->initiated - milliseconds(1), milliseconds(400), 1)};
  slowest[0].object = op->object;
  EXPECT_EQ(match(slowest, memory, {.pool = 1, .nspace = ""}), 1U);
  EXPECT_EQ(slowest[0].waited->where, Wait::replica);
  EXPECT_THAT(slowest[0].waited->replicas, ElementsAre(0));
}

TEST(SlowOpMatch, OsdThatDidNotAnswer_IsNamedForOperationsItDidNotReport) {
  OpMemory memory({7});
  memory.add_silence(3, noon + milliseconds(100), noon + milliseconds(2100));
  memory.add_silence(3, noon + milliseconds(2200), noon + milliseconds(4200));
  std::vector<SlowOp> slowest = {our_write(noon, seconds(4)), our_write(noon, seconds(4), 5)};
  EXPECT_EQ(match(slowest, memory, ours), 0U);
  ASSERT_TRUE(slowest[0].waited);
  EXPECT_EQ(slowest[0].waited->where, Wait::silent);
  EXPECT_EQ(slowest[0].waited->longest, milliseconds(3900));
  EXPECT_FALSE(slowest[1].waited);
}

// Questions come seconds apart, and the one that waits when a paused OSD goes on is answered late.
TEST(OpMemory, SilenceLastsUntilTheOsdAnswers) {
  OpMemory memory({7});
  const auto silent = [&memory] { return memory.silence(3, noon, noon + seconds(10)); };
  const auto answer = [&memory](Time asked, Time took) {
    memory.add(3, {.ops = {}, .now = std::nullopt}, noon + asked, noon + asked + took);
  };
  memory.add_silence(3, noon + seconds(1), noon + seconds(2));
  answer(milliseconds(3300), milliseconds(900));
  EXPECT_EQ(silent(), milliseconds(3200));
  answer(seconds(5), milliseconds(2));
  EXPECT_EQ(silent(), milliseconds(3200)) << "a prompt answer is no silence";
  answer(seconds(6), milliseconds(200));
  EXPECT_EQ(silent(), milliseconds(3400)) << "a late answer is one until it comes";
  memory.add_silence(3, noon + seconds(7), noon + seconds(8));
  answer(seconds(9), milliseconds(2));
  EXPECT_EQ(silent(), milliseconds(4400)) << "it may have answered before the prompt one";
}

TEST(OpMemory, ClockIsNarrowedByEveryAnswer_UntilItIsSet) {
  OpMemory memory({7});
  const auto answer = [&memory](Time asked, Time took, Time now) {
    memory.add(3, {.ops = {}, .now = now}, asked, asked + took);
    return *memory.clock_of(3);
  };
  EXPECT_EQ(answer(noon, milliseconds(100), noon + milliseconds(5050)).half(), milliseconds(50));
  const auto narrow = answer(noon + seconds(1), milliseconds(2), noon + milliseconds(6001));
  EXPECT_LE(narrow.half(), milliseconds(1));
  EXPECT_EQ(narrow.middle(), seconds(5));
  const auto wide = answer(noon + seconds(2), milliseconds(800), noon + milliseconds(7400));
  EXPECT_LE(wide.half(), milliseconds(2)) << "but for a drift of 50 us a second";
  const auto set = answer(noon + seconds(3), milliseconds(2), noon + milliseconds(3001));
  EXPECT_EQ(set.middle(), Time(0)) << "somebody has set the clock";
}

TEST(OpMemory, TooManyOperations_TheLongestAreKept) {
  OpMemory memory({7});
  constexpr int turns = 15;
  constexpr int each = 2000;
  for (int turn = 0; turn < turns; ++turn) {
    std::vector<OsdOp> ops;
    for (int i = 0; i < each; ++i) {
      const int tid = turn * each + i;
      ops.push_back(seen_op(noon, {{"initiated", 0}, {"done", turn == 0 ? 5000 : tid % 100}},
                            static_cast<std::uint64_t>(tid)));
    }
    tell(memory, 3, noon, Time(0), std::move(ops));
    EXPECT_LE(memory.size(), OpMemory::most_kept);
  }
  std::size_t long_ones = 0;
  for (const OsdOp* const op : memory.ops_on(3)) {
    long_ones += op->last() - op->initiated == seconds(5) ? 1U : 0U;
  }
  EXPECT_EQ(long_ones, static_cast<std::size_t>(each));
}

}  // namespace
}  // namespace radosload::watch
