#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "plan_support.h"
#include "session/documents.h"

namespace radosload::session {
namespace {

using plan::testing::names;

Step any_step() {
  return static_cast<Step>(*rc::gen::inRange(0, 8));
}

RC_GTEST_PROP(SessionDocuments, CharterReadsBackWithoutTheWayToTheCluster, ()) {
  Charter charter{.run = *names(),
                  .program = *names(),
                  .fsid = *names(),
                  .plan = *plan::testing::plans(),
                  .shards = *rc::gen::inRange(1U, 64U)};
  const auto read = decode_charter(encode(charter));
  RC_ASSERT(read.has_value());
  charter.plan.cluster = {};
  charter.plan.power = {};
  RC_ASSERT(*read == charter);
}

TEST(SessionDocuments, PowerCommandOfAnotherProcess_IsNotTaken) {
  Charter charter;
  charter.plan.power = {.sensors = PowerSensors::rapl, .command = "touch /tmp/theirs"};
  const auto read = decode_charter(encode(charter));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->plan.power, PowerPlan());
}

RC_GTEST_PROP(SessionDocuments, StateAndEntryReadBack, ()) {
  State state{.serial = *rc::gen::arbitrary<std::uint64_t>(),
              .term = *rc::gen::arbitrary<std::uint64_t>(),
              .leader = *names(),
              .step = any_step(),
              .roster = {*names(), *names()},
              .lost = {{.member = *names(), .step = any_step(), .reason = *names()}},
              .called_off = *rc::gen::arbitrary<bool>(),
              .ended = *names(),
              .start = *plan::testing::times(),
              .start_term = *rc::gen::arbitrary<std::uint64_t>(),
              .waits_for = *names(),
              .joint = {.members = *rc::gen::arbitrary<std::uint64_t>(),
                        .all = {.ops = *rc::gen::arbitrary<std::uint64_t>(),
                                .bytes = *rc::gen::arbitrary<std::uint64_t>()},
                        .lowest = *names(),
                        .lowest_ops = *rc::gen::arbitrary<std::uint64_t>()}};
  RC_ASSERT(decode_state(encode(state)).value() == state);
  Entry entry{.id = *names(),
              .who = *names(),
              .beat = *rc::gen::arbitrary<std::uint64_t>(),
              .done = any_step(),
              .progress = *rc::gen::arbitrary<std::uint64_t>(),
              .rates = {.ops = *rc::gen::arbitrary<std::uint64_t>(),
                        .bytes = *rc::gen::arbitrary<std::uint64_t>()},
              .clock_term = *rc::gen::arbitrary<std::uint64_t>(),
              .chunks = *rc::gen::arbitrary<std::uint64_t>(),
              .start_delay = {},
              .clock_bound = *plan::testing::times(),
              .wants_end = *names(),
              .leaves = *rc::gen::arbitrary<bool>(),
              .failed = *names()};
  if (*rc::gen::arbitrary<bool>()) entry.start_delay = *plan::testing::times();
  RC_ASSERT(decode_entry(encode(entry)).value() == entry);
}

TEST(SessionDocuments, DamagedText_IsAnErrorAndNoCrash) {
  for (const char* const text : {"", "{", "[]", "null", R"({"serial": -1})", R"({"step": "x"})"}) {
    EXPECT_FALSE(decode_state(text)) << text;
    EXPECT_FALSE(decode_entry(text)) << text;
    EXPECT_FALSE(decode_charter(text)) << text;
  }
}

TEST(SessionDocuments, DeepText_IsAnErrorThatNamesTheLimit) {
  const std::string deep = R"({"serial": )" + std::string(50'000, '[');
  const auto read = decode_state(deep);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), ::testing::HasSubstr("levels deep"));
}

Charter some_charter() {
  RunPlan plan = plan::testing::plan_of(R"({"pool": "hdd", "pattern": "randrw4k", "seed": 7})");
  return {.run = "r", .program = "radosload 1", .fsid = "f", .plan = std::move(plan)};
}

TEST(SessionDocuments, AnotherPlanVersionOrCluster_IsNamed) {
  const Charter charter = some_charter();
  RunPlan mine = charter.plan;
  EXPECT_EQ(misfit(charter, "radosload 1", "f", &mine), "");
  EXPECT_EQ(misfit(charter, "radosload 1", "f", nullptr), "");
  mine.seed = 0;
  EXPECT_EQ(misfit(charter, "radosload 1", "f", &mine), "") << "its seed is drawn by the first";
  mine.pattern.queue_depth = 3;
  EXPECT_EQ(misfit(charter, "radosload 1", "f", &mine), "it has --qd 64, but this is --qd 3");
  EXPECT_EQ(misfit(charter, "radosload 2", "f", nullptr),
            "its members run radosload 1, but this is radosload 2");
  EXPECT_EQ(misfit(charter, "radosload 1", "g", nullptr),
            "it belongs to cluster f, but this is cluster g");
}

}  // namespace
}  // namespace radosload::session
