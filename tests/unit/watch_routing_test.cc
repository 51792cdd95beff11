// Where operations went, put together from what clients and OSDs say; both are scripted.
#include <cerrno>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/simulated_cluster.h"
#include "watch/counter_watch.h"
#include "watch/route_tally.h"

#include <fmt/format.h>

namespace radosload::watch {
namespace {

using record::GradeValue;
using record::Routing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Routing put(const RouteTally& tally, const std::set<std::uint32_t>& moved = {}) {
  Routing routing;
  tally.put_into(routing, moved);
  return routing;
}

TEST(RouteTally, CountsOperationsOnTheirWayToTheirOsd) {
  RouteTally tally({3, 5});
  tally.add(0x1f, 3, 3);
  tally.add(0x1f, 3, 3);
  tally.add(0x02, 5, 5);
  tally.end_sample();
  const Routing routing = put(tally);
  EXPECT_EQ(routing.samples, 1U);
  ASSERT_THAT(routing.osds, SizeIs(2));
  EXPECT_EQ(routing.osds[0].sampled, 2U);
  EXPECT_EQ(routing.osds[0].there, 2U);
  EXPECT_EQ(routing.osds[1].osd, 5);
  EXPECT_EQ(grade_of(routing, true).value, GradeValue::unwatched);
}

TEST(RouteTally, AnOperationOnItsWayElsewhereMakesAPinnedRunVoid) {
  RouteTally tally({3});
  tally.add(0x1f, 3, 3);
  tally.add(0x1f, 3, 5);
  const Routing routing = put(tally);
  EXPECT_EQ(routing.osds[0].sampled, 2U);
  EXPECT_EQ(routing.osds[0].there, 1U);
  EXPECT_THAT(routing.strays, ElementsAre(record::Stray{3, 5, 1}));
  const auto grade = grade_of(routing, true);
  EXPECT_EQ(grade.value, GradeValue::void_run);
  EXPECT_THAT(grade.reasons, ElementsAre(HasSubstr("1 to osd.5 instead of osd.3")));
  EXPECT_EQ(grade_of(routing, false).value, GradeValue::contaminated);
}

TEST(RouteTally, ObjectThatWasNotPicked_IsAlwaysAStray) {
  RouteTally tally({3});
  tally.add(0x07, 5, 5);
  const Routing routing = put(tally);
  EXPECT_THAT(routing.strays, ElementsAre(record::Stray{no_osd, 5, 1}));
  EXPECT_EQ(record::sampled(routing), 1U);
  EXPECT_EQ(grade_of(routing, true).value, GradeValue::void_run);
}

TEST(RouteTally, OperationOfAMovedPg_IsNoStray) {
  RouteTally tally({3});
  tally.add(0x1f, 3, 3);
  tally.add(0x1f, 3, 1);  // the client has the new map before us
  tally.add(0x1f, 1, 1);  // and here we have it, too
  const Routing routing = put(tally, {0x1f});
  EXPECT_THAT(routing.strays, IsEmpty());
  EXPECT_EQ(routing.remapped, 2U);
  EXPECT_EQ(routing.osds[0].sampled, 1U);
  EXPECT_EQ(routing.osds[0].there, 1U);
}

record::Cell cell(std::int32_t osd, OpKind kind, std::uint64_t ops) {
  record::Cell cell;
  cell.osd = osd;
  cell.kind = kind;
  for (std::uint64_t i = 0; i < ops; ++i) cell.latency.add(1000, 1000);
  return cell;
}

TEST(Sent, IsEveryOperationThatAnOsdGets) {
  record::Cell writes = cell(3, OpKind::write, 10);
  writes.cancelled = 1;
  record::add_error(writes.errors, -EIO, 2);
  Routing routing;
  add_sent(routing,
           {writes, cell(3, OpKind::flush, 10), cell(3, OpKind::sync, 10),
            cell(no_osd, OpKind::list, 5)},
           {{3, {.all = 5, .well = 4}}});
  ASSERT_THAT(routing.osds, SizeIs(1));
  EXPECT_EQ(routing.osds[0].sent, 18U) << "of warm-up and measured phase";
  EXPECT_EQ(routing.osds[0].answered, 14U);
}

TEST(CounterWatch, CountsTheGrowthOfCounters) {
  test::SimulatedCluster cluster({.osds = 8});
  cluster.osd_serves(3, 1000);
  cluster.osd_serves(5, 70);
  CounterWatch watch(cluster.connect(), {3, 5});
  watch.begin();
  cluster.osd_serves(3, 250);
  Routing routing;
  add_sent(routing, {cell(3, OpKind::read, 200)}, {});
  watch.finish(routing);
  EXPECT_EQ(routing.uncounted, "");
  ASSERT_THAT(routing.osds, SizeIs(2));
  EXPECT_EQ(routing.osds[0].served->op, 250U);
  EXPECT_DOUBLE_EQ(*record::share_ours(routing.osds[0]), 0.8);
  EXPECT_FALSE(record::share_ours(routing.osds[1])) << "nothing went there";
  EXPECT_EQ(grade_of(routing, true).value, GradeValue::unwatched);
}

TEST(CounterWatch, FewerThanTheAnswers_IsAContradiction) {
  test::SimulatedCluster cluster({.osds = 8});
  cluster.osd_serves(3, 1000);
  CounterWatch watch(cluster.connect(), {3});
  watch.begin();
  cluster.osd_serves(3, 100);
  Routing routing;
  add_sent(routing, {cell(3, OpKind::read, 200)}, {});
  watch.finish(routing);
  const auto grade = grade_of(routing, true);
  EXPECT_EQ(grade.value, GradeValue::contaminated);
  EXPECT_THAT(grade.reasons,
              ElementsAre(HasSubstr("osd.3 counted 100 operations but answered 200")));
}

TEST(CounterWatch, OsdWithResetCounters_IsNamed) {
  test::SimulatedCluster cluster({.osds = 8});
  cluster.osd_serves(3, 1000);
  CounterWatch watch(cluster.connect(), {3});
  watch.begin();
  cluster.osd_counters_are_reset(3);
  cluster.osd_serves(3, 10);
  Routing routing;
  watch.finish(routing);
  EXPECT_THAT(routing.uncounted, HasSubstr("osd.3 counted from zero again"));
  EXPECT_FALSE(routing.osds[0].served);
}

TEST(CounterWatch, MissingRights_AreReportedOnceInOneLine) {
  test::SimulatedCluster cluster({.osds = 8});
  for (const std::int32_t osd : {3, 5, 7}) cluster.osd_answers_with(osd, EACCES);
  CounterWatch watch(cluster.connect(), {3, 5, 7});
  watch.begin();
  Routing routing;
  watch.finish(routing);
  EXPECT_EQ(routing.uncounted,
            "cannot get 'perf dump' from osd.3: Permission denied (EACCES) (give this user "
            "the caps); the same for 3 OSDs in all");
  EXPECT_EQ(grade_of(routing, true).value, GradeValue::unwatched) << "no reason against a run";
}

}  // namespace
}  // namespace radosload::watch
