#include "support/target_contract.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <ostream>
#include <thread>
#include <utility>

#include "cluster/bounded_call.h"
#include "support/wait_for.h"

namespace radosload::test {

const workload::Payload& contract_payload() {
  constexpr std::uint64_t id = 17;
  static const workload::Payload payload(id, {.id = id});
  return payload;
}

Op op_at(OpKind kind, std::size_t place) {
  if (kind == OpKind::list) return {.object = 0, .offset = 1, .kind = kind};
  const bool moves = kind == OpKind::read || kind == OpKind::write || kind == OpKind::discard ||
                     kind == OpKind::omap_set || kind == OpKind::omap_get;
  return {.object = place % contract_objects,
          .offset = place / contract_objects * contract_block,
          .length = moves ? contract_block : 0,
          .kind = kind};
}

void PrintTo(const TargetCase& target, std::ostream* out) {
  *out << target.name;
}
void PrintTo(const SilentCase& target, std::ostream* out) {
  *out << target.name;
}

void AttachedTarget::open(const RigMaker& make, std::size_t count) {
  m_slots = std::make_unique<Slots>(count, 2 * contract_block, contract_lanes);
  m_rig = make();
  ASSERT_TRUE(m_slots->attach(target()));
}

// Some targets cannot be made to answer nothing.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SilentTargets);

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t usual_depth = 16;

// Fills the slot's buffer as the engine does before a write.
void prepare_write(Target& target, Slot& slot, const Op& op, workload::Generation generation) {
  target.ready_buffer(slot);
  contract_payload().fill(op, slot.buffer.first(op.length), generation);
}

// What the engine makes of a read.
int checked(const Slot& slot) {
  if (slot.outcome.rc != 0) return slot.outcome.rc;
  return contract_payload().check(slot.op, slot.received);
}

void expect_each_answered_once(Slots& slots, std::uint64_t sent) {
  EXPECT_EQ(slots.in_flight(), 0U);
  EXPECT_EQ(slots.completions(), sent);
  EXPECT_EQ(slots.surplus(), 0U);
  EXPECT_EQ(slots.mistimed(), 0U);
}

void expect_all_cancelled(Slots& slots) {
  EXPECT_EQ(slots.in_flight(), 0U);
  EXPECT_EQ(slots.surplus(), 0U);
  EXPECT_EQ(slots.mistimed(), 0U);
  for (const Slot& slot : slots.all()) {
    EXPECT_EQ(slot.outcome.rc, -ECANCELED) << rc_name(slot.outcome.rc);
  }
}

// For Slots::next.
bool until_cancelled(const Slot& slot) {
  return !slot.outcome.cancelled();
}

TEST_P(TargetContract, EachKindIsCarriedOutOrRefused) {
  open(GetParam().make, 1);
  const auto& kinds = GetParam().kinds;
  std::uint64_t sent = 0;
  // In this order each finds what it needs.
  for (const OpKind kind :
       {OpKind::write, OpKind::read, OpKind::flush, OpKind::discard, OpKind::omap_set,
        OpKind::omap_get, OpKind::stat, OpKind::list, OpKind::remove, OpKind::create}) {
    const bool known = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    const Outcome outcome = slots().run(target(), op_at(kind, 0));
    EXPECT_EQ(outcome.rc, known ? 0 : -EOPNOTSUPP) << op_kind_name(kind);
    EXPECT_EQ(outcome.bytes, known ? op_at(kind, 0).length : 0) << op_kind_name(kind);
    ++sent;
  }
  expect_each_answered_once(slots(), sent);
}

TEST_P(TargetContract, ManyWritesAtOnce_AreAnsweredOnceFromBuffersOfTheirOwn) {
  constexpr std::size_t count = contract_places;
  open(GetParam().make, count);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_GE(slots()[i].buffer.size(), slots()[i].room);
    prepare_write(target(), slots()[i], op_at(OpKind::write, i), 1);
  }
  for (std::size_t i = 0; i < count; ++i) {
    slots().submit(target(), i, op_at(OpKind::write, i));
  }
  ASSERT_TRUE(slots().wait());
  expect_each_answered_once(slots(), count);
  for (const Slot& slot : slots().all()) {
    EXPECT_EQ(slot.outcome.rc, 0) << rc_name(slot.outcome.rc);
    const auto kept = contract_payload().inspect(slot.op, slot.buffer.first(contract_block), true);
    EXPECT_EQ(kept.rc, 0) << "the payload of slot " << slot.index << " was written over";
  }
}

TEST_P(TargetContract, ReadsReturnTheLastWrite) {
  open(GetParam().make, usual_depth);
  constexpr workload::Generation last = 3;
  for (workload::Generation generation = 1; generation <= last; ++generation) {
    for (std::size_t i = 0; i < usual_depth; ++i) {
      const Op op = op_at(OpKind::write, i);
      prepare_write(target(), slots()[i], op, generation);
      slots().submit(target(), i, op);
    }
    ASSERT_TRUE(slots().wait());
    // Each slot, and so each lane, reads what another has written.
    for (std::size_t i = 0; i < usual_depth; ++i) {
      EXPECT_EQ(slots()[i].outcome.rc, 0) << rc_name(slots()[i].outcome.rc);
      slots().submit(target(), i, op_at(OpKind::read, usual_depth - 1 - i));
    }
    ASSERT_TRUE(slots().wait());
    for (const Slot& slot : slots().all()) {
      ASSERT_EQ(slot.outcome.rc, 0) << rc_name(slot.outcome.rc);
      EXPECT_EQ(slot.outcome.bytes, contract_block);
      if (!target().carries_data()) {
        EXPECT_TRUE(slot.received.empty());
        continue;
      }
      const auto found = contract_payload().inspect(slot.op, slot.received, true);
      EXPECT_EQ(found.rc, 0) << rc_name(found.rc);
      EXPECT_EQ(found.generation, generation);
    }
  }
}

TEST_P(TargetContract, ReadOfWhatWasNeverWritten_IsNoSilentSuccess) {
  open(GetParam().make, 1);
  if (!target().carries_data()) GTEST_SKIP() << "it carries no data";
  const GapResults& gaps = GetParam().gaps;
  slots().run(target(), op_at(OpKind::read, 0));
  EXPECT_EQ(checked(slots()[0]), gaps.never_written);

  Op write = op_at(OpKind::write, 0);
  write.offset = 3 * contract_block;
  prepare_write(target(), slots()[0], write, 0);
  ASSERT_EQ(slots().run(target(), write).rc, 0);
  slots().run(target(), op_at(OpKind::read, 0));
  EXPECT_EQ(checked(slots()[0]), gaps.before_written);

  Op beyond = write;
  beyond.kind = OpKind::read;
  beyond.length = 2 * contract_block;
  const Outcome outcome = slots().run(target(), beyond);
  EXPECT_EQ(checked(slots()[0]), gaps.beyond_the_written);
  if (gaps.beyond_the_written != rc_short_read) return;
  EXPECT_EQ(outcome.bytes, 0U);
  EXPECT_EQ(slots()[0].received.size(), contract_block) << "what there is";
}

TEST_P(TargetContract, FailedOperation_IsAnsweredOnceWithItsReason) {
  if (!GetParam().make_failing) GTEST_SKIP() << "nothing fails on it";
  open(GetParam().make_failing, usual_depth);
  for (const std::size_t round : {1U, 2U}) {
    for (std::size_t i = 0; i < usual_depth; ++i) slots().submit(target(), i, GetParam().failing);
    ASSERT_TRUE(slots().wait());
    expect_each_answered_once(slots(), round * usual_depth);
    for (const Slot& slot : slots().all()) {
      EXPECT_EQ(slot.outcome.rc, GetParam().failure) << rc_name(slot.outcome.rc);
      EXPECT_EQ(slot.outcome.bytes, 0U);
    }
  }
}

// As in a closed loop: answers come inside submit(), while it returns, or later.
TEST_P(TargetContract, SlotsThatSendAgainFromTheirAnswers_AreAnsweredOnceForEach) {
  constexpr int again = 500;
  open(GetParam().make, usual_depth);
  std::atomic<int> left{again};
  slots().next = [&left](Slot& slot) { return slot.outcome.ok() && left.fetch_sub(1) > 0; };
  for (std::size_t i = 0; i < usual_depth; ++i) {
    slots().submit(target(), i, op_at(OpKind::write, i));
  }
  ASSERT_TRUE(slots().wait());
  expect_each_answered_once(slots(), usual_depth + again);
  for (std::size_t i = 0; i < usual_depth; ++i) {
    EXPECT_EQ(slots().run(target(), op_at(OpKind::read, i), i).rc, 0) << "alone, after a pause";
  }
}

TEST_P(TargetContract, CancelAmidSubmits_EachIsAnsweredOnceAndTheNextPassWorks) {
  open(GetParam().make, usual_depth);
  const auto send = [this](std::size_t lane) {
    for (std::size_t i = lane; i < usual_depth; i += contract_lanes) {
      slots().submit(target(), i, op_at(OpKind::write, i));
    }
  };
  for (int round = 0; round < 10; ++round) {
    slots().next = until_cancelled;
    {
      const std::jthread one(send, 0);
      const std::jthread two(send, 1);
      // Time: the cancel comes at a moment that no submit knows.
      std::this_thread::sleep_for(milliseconds(round));
      target().cancel();
      target().cancel();
    }
    ASSERT_TRUE(slots().wait());
    expect_all_cancelled(slots());
    slots().next = {};
    EXPECT_EQ(slots().run(target(), op_at(OpKind::write, 0)).rc, -ECANCELED);
    ASSERT_TRUE(slots().attach(target()));
    EXPECT_EQ(slots().run(target(), op_at(OpKind::write, 0)).rc, 0);
  }
}

TEST_P(TargetContract, DestroyedUnderLoad_EachSlotIsAnsweredOnce) {
  const int abandoned = cluster::abandoned_work();
  open(GetParam().make, contract_places);
  for (std::size_t i = 0; i < contract_places; ++i) {
    slots().submit(target(), i, op_at(OpKind::write, i));
  }
  rig().destroy();
  expect_each_answered_once(slots(), contract_places);
  for (const Slot& slot : slots().all()) {
    EXPECT_TRUE(slot.outcome.ok() || slot.outcome.cancelled()) << rc_name(slot.outcome.rc);
  }
  EXPECT_EQ(cluster::abandoned_work(), abandoned);
}

// Sends in all slots, and again after answers, until none is answered any more: a cluster becomes
// silent for a client only with its next map.
testing::AssertionResult await_silence(Target& target, Slots& slots, OpKind kind) {
  const std::size_t count = slots.all().size();
  slots.next = until_cancelled;
  for (std::size_t i = 0; i < count; ++i) slots.submit(target, i, op_at(kind, i));
  std::uint64_t before = std::numeric_limits<std::uint64_t>::max();
  const auto silent = [&] {
    const std::uint64_t now = slots.completions();
    return Seen(now == std::exchange(before, now), std::to_string(now) + " answers");
  };
  return wait_for("no more answers", silent, patience, seconds(1));
}

constexpr std::size_t silent_depth = 8;

testing::AssertionResult works_become(int count) {
  return wait_for("the abandoned work", [count] {
    const int works = cluster::abandoned_work();
    return Seen(works == count, std::to_string(works));
  });
}

TEST_P(SilentTargets, Cancel_AnswersEverythingSoonAndLateAnswersAreIgnored) {
  const int abandoned = cluster::abandoned_work();
  open(GetParam().make, silent_depth);
  ASSERT_TRUE(await_silence(target(), slots(), GetParam().kind));
  target().cancel();
  target().cancel();
  ASSERT_TRUE(slots().wait());
  expect_all_cancelled(slots());
  EXPECT_EQ(slots().run(target(), op_at(GetParam().kind, 0)).rc, -ECANCELED);
  EXPECT_TRUE(slots().attach(target())) << "the next pass";
  if (rig().answer) rig().answer();
  rig().destroy();
  EXPECT_TRUE(works_become(abandoned));
  expect_all_cancelled(slots());
}

TEST_P(SilentTargets, Destroyed_AnswersEverythingAndLateAnswersTouchNothing) {
  const int abandoned = cluster::abandoned_work();
  open(GetParam().make, silent_depth);
  ASSERT_TRUE(await_silence(target(), slots(), GetParam().kind));
  rig().destroy();
  expect_all_cancelled(slots());
  forget_slots();
  EXPECT_EQ(cluster::abandoned_work() - abandoned, GetParam().abandoned);
  if (rig().answer) rig().answer();
  EXPECT_TRUE(works_become(abandoned)) << "what the late answers needed is not freed";
}

}  // namespace
}  // namespace radosload::test
