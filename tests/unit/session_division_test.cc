// Members do together what one process would: the same objects once each, the same rate, depth and
// limits.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "session/division.h"
#include "workload/arrival.h"
#include "workload/layout.h"
#include "workload/stream.h"

namespace radosload::session {
namespace {

using workload::Layout;
using workload::Part;

RunPlan whole_plan() {
  RunPlan plan;
  plan.session = {.name = "s", .members = "4"};
  plan.pattern.name = "randrw4k";
  plan.pattern.queue_depth = 64;
  return plan;
}

// A load of several groups (pinned OSDs), members and clients.
struct Shape {
  std::uint32_t groups;
  std::uint32_t members;
  std::uint32_t clients;  // of each member
};

Shape any_shape() {
  return {*rc::gen::inRange(1U, 5U), *rc::gen::inRange(1U, 9U), *rc::gen::inRange(1U, 5U)};
}

// The lanes of all members, by their place among all.
std::vector<std::uint32_t> lanes_of_all(const Shape& shape) {
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t member = 0; member < shape.members; ++member) {
    const Part part{member, shape.members};
    const std::uint32_t own = shape.groups * shape.clients;
    for (std::uint32_t lane = 0; lane < own; ++lane) {
      lanes.push_back(part.lane(lane, own, shape.groups));
    }
  }
  return lanes;
}

// Images are groups too, but of all members together: each lane has its own.
RC_GTEST_PROP(SessionDivision, EachLaneHasImagesOfItsOwn, ()) {
  const auto members = *rc::gen::inRange(1U, 9U);
  const auto clients = *rc::gen::inRange(1U, 5U);
  const auto each = *rc::gen::inRange(1U, 4U);
  Layout layout;
  layout.groups = members * clients * each;
  layout.objects = std::uint64_t{layout.groups} * 3;
  std::vector<int> users(layout.objects);
  for (std::uint32_t member = 0; member < members; ++member) {
    const Part part{member, members};
    for (std::uint32_t lane = 0; lane < clients; ++lane) {
      const auto mine =
          layout.territory(part.lane(lane, clients, layout.loads()), part.lanes(clients));
      RC_ASSERT(mine.lanes == 1U);
      RC_ASSERT(mine.share.size() == std::uint64_t{each} * 3);
      for (auto object = mine.share.begin; object < mine.share.end; ++object) ++users[object];
    }
  }
  RC_ASSERT(std::all_of(users.begin(), users.end(), [](int count) { return count == 1; }));
}

RC_GTEST_PROP(SessionDivision, EveryLaneOfTheWholeBelongsToOneMember, ()) {
  const Shape shape = any_shape();
  auto lanes = lanes_of_all(shape);
  std::sort(lanes.begin(), lanes.end());
  for (std::uint32_t i = 0; i < lanes.size(); ++i) RC_ASSERT(lanes[i] == i);
}

RC_GTEST_PROP(SessionDivision, ALaneStaysInItsGroup, ()) {
  const Shape shape = any_shape();
  const std::uint32_t own = shape.groups * shape.clients;
  const Part part{*rc::gen::inRange(0U, shape.members), shape.members};
  for (std::uint32_t lane = 0; lane < own; ++lane) {
    const std::uint32_t among_all = part.lane(lane, own, shape.groups);
    RC_ASSERT(among_all / (shape.clients * shape.members) == lane / shape.clients);
  }
}

RC_GTEST_PROP(SessionDivision, PrefillWritesEachObjectOnce, ()) {
  const Shape shape = any_shape();
  Layout layout;
  layout.groups = shape.groups;
  layout.objects = shape.groups * *rc::gen::inRange<std::uint64_t>(1, 60);
  layout.object_size = mib(4);
  layout.prefill = workload::Prefill::data;
  layout.prefill_chunk = mib(1);
  std::map<std::uint64_t, std::uint64_t> bytes;
  const auto all = static_cast<std::uint32_t>(lanes_of_all(shape).size());
  for (const std::uint32_t lane : lanes_of_all(shape)) {
    workload::PrefillStream stream(layout, lane, all);
    while (!stream.done()) {
      const Op op = stream.next();
      bytes[op.object] += op.length;
    }
  }
  RC_ASSERT(bytes.size() == layout.objects);
  for (const auto& [object, written] : bytes) RC_ASSERT(written == layout.object_size.count);
}

RC_GTEST_PROP(SessionDivision, ConstantRateIsThatOfOneProcess, ()) {
  const Shape shape{1, *rc::gen::inRange(1U, 9U), *rc::gen::inRange(1U, 4U)};
  const Arrival arrival{Arrival::Law::constant, *rc::gen::element(10.0, 333.3, 5000.0)};
  constexpr int each = 20;
  const auto lanes = static_cast<std::uint32_t>(lanes_of_all(shape).size());
  std::vector<Time> together;
  for (const std::uint32_t lane : lanes_of_all(shape)) {
    workload::Schedule schedule(arrival, 1, lane, lanes);
    for (int i = 0; i < each; ++i) together.push_back(schedule.next());
  }
  std::sort(together.begin(), together.end());
  workload::Schedule one(arrival, 1);
  for (const Time due : together) RC_ASSERT(due == one.next());
}

RC_GTEST_PROP(SessionDivision, DepthAndLimitsAddUpToTheWhole, ()) {
  RunPlan whole = whole_plan();
  const auto members = *rc::gen::inRange(1U, 40U);
  whole.pattern.queue_depth = members + *rc::gen::inRange(0U, 1000U);
  whole.extent.ops = members + *rc::gen::inRange(0U, 100'000U);
  whole.extent.bytes = Bytes{members + *rc::gen::inRange<std::uint64_t>(0, 1U << 30U)};
  std::uint64_t depth = 0;
  std::uint64_t ops = 0;
  std::uint64_t bytes = 0;
  for (std::uint32_t member = 0; member < members; ++member) {
    const auto own = plan_of_member(whole, {member, members});
    RC_ASSERT(own.has_value());
    RC_ASSERT(own->pattern.queue_depth >= 1U);
    depth += own->pattern.queue_depth;
    ops += own->extent.ops;
    bytes += own->extent.bytes.count;
    RC_ASSERT(own->arrival == whole.arrival);
  }
  RC_ASSERT(depth == whole.pattern.queue_depth);
  RC_ASSERT(ops == whole.extent.ops);
  RC_ASSERT(bytes == whole.extent.bytes.count);
}

TEST(SessionDivision, ShareAll_EachMemberHasTheWholeDepthAndTheRatesAddUp) {
  RunPlan whole = whole_plan();
  whole.session.share = Sharing::all;
  whole.arrival = {Arrival::Law::poisson, 100};
  whole.extent.ops = 10;
  const auto own = plan_of_member(whole, {1, 3});
  ASSERT_TRUE(own);
  EXPECT_EQ(own->pattern.queue_depth, 64U);
  EXPECT_EQ(own->extent.ops, 10U);
  EXPECT_DOUBLE_EQ(own->arrival.ops_per_second, 300);
}

TEST(SessionDivision, DepthBelowTheNumberOfMembers_RefusedWithTheLeast) {
  RunPlan whole = whole_plan();
  whole.pattern.queue_depth = 5;
  whole.clients = 2;
  const auto own = plan_of_member(whole, {0, 3});
  ASSERT_FALSE(own);
  EXPECT_EQ(own.error().exit, Exit::usage);
  EXPECT_NE(own.error().hint.find("--qd 6"), std::string::npos) << own.error().hint;
}

TEST(SessionDivision, ReadsAreNotHeldAgainstOtherMembersWrites) {
  const auto own = plan_of_member(whole_plan(), {0, 2});
  ASSERT_TRUE(own);
  EXPECT_EQ(own->pattern.verify, Verify::stamp);
}

TEST(SessionDivision, OfImagesOfItsOwn_ReadsAreHeldAgainstItsWrites) {
  RunPlan whole = whole_plan();
  const Verify asked = whole.pattern.verify;
  ASSERT_GT(asked, Verify::stamp);
  whole.target = TargetKind::rbd;
  whole.images.create = gib(1);
  EXPECT_EQ(plan_of_member(whole, {0, 2})->pattern.verify, asked);
  whole.images.names = {"vm1", "vm2"};
  EXPECT_EQ(plan_of_member(whole, {0, 2})->pattern.verify, asked);
  whole.images.names = {"vm1"};
  EXPECT_EQ(plan_of_member(whole, {0, 2})->pattern.verify, Verify::stamp);
}

}  // namespace
}  // namespace radosload::session
