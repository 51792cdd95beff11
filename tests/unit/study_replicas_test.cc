// From rows and acting sets to what is said of the OSDs.

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/random.h"
#include "study/replicas.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::study {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr Time measured = std::chrono::seconds(20);
constexpr int pgs = 32;
using Set = std::vector<std::int32_t>;

// As the mgr tells it.
placement::PgMap map_of(const std::vector<Set>& sets) {
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    rows.push_back(fmt::format(
        R"({{"pgid":"2.{:x}","state":"active+clean","up":[],"acting":[{}],"up_primary":0,)"
        R"("acting_primary":{}}})",
        i, fmt::join(sets[i], ","), sets[i].front()));
  }
  auto map = placement::PgMap::parse_pgs_brief(
      fmt::format(R"({{"pg_stats":[{}]}})", fmt::join(rows, ",")), 2);
  return map.value();
}

// Every three of four OSDs, in turn.
std::vector<Set> three_of_four() {
  const std::vector<Set> all = {{0, 1, 2}, {1, 2, 3}, {2, 3, 0}, {3, 0, 1}};
  std::vector<Set> sets;
  for (std::size_t i = 0; i < pgs; ++i) sets.push_back(all[i % all.size()]);
  return sets;
}

run::PgSets sets_of(const std::vector<Set>& sets) {
  return {.pool = "hdd", .pool_id = 2, .pgs = map_of(sets), .moved = {}};
}

// A write in each PG every 50 ms; those whose set has the slow OSD take five times as long.
std::vector<trace::TraceRow> writes_on(const std::vector<Set>& sets, std::int32_t slow) {
  constexpr Time apart = std::chrono::milliseconds(50);
  Random random(1);
  std::vector<trace::TraceRow> rows;
  for (Time now{0}; now < measured; now += apart) {
    for (std::uint32_t pg = 0; pg < sets.size(); ++pg) {
      const bool has = std::find(sets[pg].begin(), sets[pg].end(), slow) != sets[pg].end();
      const double ms = (1 + random.unit()) * (has ? 5 : 1);
      trace::TraceRow row{};
      row.submit_ns = now.count();
      row.complete_ns = now.count() + static_cast<std::int64_t>(ms * 1e6);
      row.pg = pg;
      row.op = static_cast<std::uint8_t>(OpKind::write);
      rows.push_back(row);
    }
  }
  return rows;
}

TEST(Replicas, TheSlowOneIsNamedWithItsIntervalAndTheP99WithoutIt) {
  const auto sets = three_of_four();
  ReplicaRows rows(sets_of(sets), measured);
  rows.add(writes_on(sets, 2));
  const Replicas said = rows.tell({}).value();
  ASSERT_THAT(said.told.members, SizeIs(4));
  EXPECT_EQ(said.told.members[2].told, stats::Verdict::slow);
  EXPECT_NEAR(std::exp(said.told.members[2].effect->estimate), 5, 0.3);
  EXPECT_FALSE(said.told.members[0].told == stats::Verdict::slow);
  EXPECT_GT(said.p99.value().time, std::chrono::milliseconds(9));
  EXPECT_LT(said.p99_without[2].value().time, std::chrono::milliseconds(2));
  EXPECT_GT(said.p99_without[1].value().time, std::chrono::milliseconds(9));
  EXPECT_EQ(said.set_size, 3U);
  EXPECT_EQ(said.pool_pgs, 32U);
}

TEST(Replicas, NoOsdIsSlow_NoneIsNamed) {
  const auto sets = three_of_four();
  ReplicaRows rows(sets_of(sets), measured);
  rows.add(writes_on(sets, -1));
  const Replicas said = rows.tell({}).value();
  EXPECT_FALSE(said.told.has(stats::Verdict::slow));
  EXPECT_FALSE(said.told.has(stats::Verdict::fast));
}

TEST(Replicas, ReadsAndFailedWritesAreNotCounted) {
  const auto sets = three_of_four();
  auto trace = writes_on(sets, -1);
  const auto writes = trace.size();
  auto others = writes_on(sets, 2);
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (i % 2 == 0) others[i].op = static_cast<std::uint8_t>(OpKind::read);
    if (i % 2 == 1) others[i].rc = -5;
  }
  trace.insert(trace.end(), others.begin(), others.end());
  ReplicaRows rows(sets_of(sets), measured);
  rows.add(trace);
  const Replicas said = rows.tell({}).value();
  EXPECT_EQ(said.told.operations, writes);
  EXPECT_FALSE(said.told.has(stats::Verdict::slow));
}

// Of the writes with osd.2 half are lost after 2 s; the others are as fast as everywhere.
TEST(Replicas, AnOsdWhoseWritesTimeOutIsSlow) {
  const auto sets = three_of_four();
  for (const int rc : {-ETIMEDOUT, -ECANCELED, rc_unanswered}) {
    auto trace = writes_on(sets, -1);
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const Set& set = sets[trace[i].pg];
      if (i / sets.size() % 2 == 0 || std::find(set.begin(), set.end(), 2) == set.end()) continue;
      trace[i].rc = static_cast<std::int16_t>(rc);
      trace[i].complete_ns = trace[i].submit_ns + Time(std::chrono::seconds(2)).count();
      ++lost;
    }
    ReplicaRows rows(sets_of(sets), measured);
    rows.add(trace);
    const Replicas said = rows.tell({}).value();
    EXPECT_EQ(said.lost, lost) << rc;
    EXPECT_EQ(said.told.operations, trace.size()) << rc;
    EXPECT_EQ(said.told.members[2].told, stats::Verdict::slow) << rc;
    EXPECT_EQ(said.p99, (stats::TailTime{.time = std::chrono::seconds(2), .beyond = true})) << rc;
    EXPECT_FALSE(said.p99_without[2].value().beyond) << rc;
    EXPECT_LT(said.p99_without[2].value().time, std::chrono::milliseconds(3)) << rc;
  }
}

// What was never sent has met no OSD.
TEST(Replicas, WritesThatWereNeverSentAreNotCounted) {
  const auto sets = three_of_four();
  auto trace = writes_on(sets, -1);
  const auto sent = trace.size();
  for (trace::TraceRow row : writes_on(sets, 2)) {
    row.rc = static_cast<std::int16_t>(rc_unissued);
    trace.push_back(row);
  }
  ReplicaRows rows(sets_of(sets), measured);
  rows.add(trace);
  const Replicas said = rows.tell({}).value();
  EXPECT_EQ(said.told.operations, sent);
  EXPECT_EQ(said.lost, 0U);
}

// Rows of a PG that moved belong to two sets, and nobody knows which of them when.
TEST(Replicas, MovedAndIncompletePgs_AreLeftOutAndCounted) {
  auto found = three_of_four();
  found[5] = {0, 1};
  auto later = found;
  later[6] = {3, 2, 0};
  run::PgSets sets = sets_of(found);
  sets.moved.insert(7);
  note_moved(map_of(later), sets);
  EXPECT_THAT(sets.moved, ::testing::ElementsAre(6, 7));
  ReplicaRows rows(sets, measured);
  auto trace = writes_on(found, -1);
  trace.front().pg = no_pg;
  rows.add(trace);
  const Replicas said = rows.tell({}).value();
  EXPECT_EQ(said.left_out.moved, 800U);
  EXPECT_EQ(said.left_out.incomplete, 400U);
  EXPECT_EQ(said.left_out.unknown, 1U);
  EXPECT_EQ(said.told.groups, 29U);
}

TEST(Replicas, AShardThatIsMissingMakesASetIncomplete) {
  auto found = three_of_four();
  found[5] = {0, placement::no_shard, 2};
  ReplicaRows rows(sets_of(found), measured);
  rows.add(writes_on(found, -1));
  EXPECT_EQ(rows.tell({}).value().left_out.incomplete, 400U);
}

TEST(Replicas, AllPgsOnTheSameOsds_IsRefusedBeforeAnyLoad) {
  const auto refused = check_separable(sets_of(std::vector<Set>(pgs, Set{0, 1, 2})));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit, Exit::refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("--each"));
  EXPECT_TRUE(check_separable(sets_of(three_of_four())));
}

TEST(Replicas, OnlyChangingPatterns_ShowReplicas) {
  Pattern pattern;
  EXPECT_FALSE(changes_objects(pattern));
  pattern.read_percent = 75;
  EXPECT_TRUE(changes_objects(pattern));
  pattern.metadata = OpKind::omap_get;
  EXPECT_FALSE(changes_objects(pattern));
  pattern.metadata = OpKind::omap_set;
  EXPECT_TRUE(changes_objects(pattern));
}

}  // namespace
}  // namespace radosload::study
