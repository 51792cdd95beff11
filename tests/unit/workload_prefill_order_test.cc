// The order of a prefill: where the OSDs are known, none of them idles while others queue.
#include <algorithm>
#include <array>
#include <memory>
#include <queue>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "workload/prefill_order.h"

namespace radosload::workload {
namespace {

using ::testing::ElementsAre;
using Sets = std::vector<std::vector<std::int32_t>>;

// Each object has a PG of its own, with these OSDs.
std::shared_ptr<const ObjectPlacement> placed_on(const Sets& sets) {
  std::vector<std::uint32_t> pgs;
  for (std::uint32_t pg = 0; pg < sets.size(); ++pg) pgs.push_back(pg);
  const auto count = static_cast<std::uint32_t>(sets.size());
  auto locations = std::make_shared<ObjectPlacement>(std::vector<std::uint64_t>(), pgs, count);
  for (std::uint32_t pg = 0; pg < count; ++pg) locations->set_members(pg, sets[pg]);
  return locations;
}

std::uint64_t send_next(PrefillOrder& order) {
  const std::uint64_t place = order.take();
  order.sent(static_cast<std::uint32_t>(place));
  return place;
}

std::vector<std::uint64_t> all_of(PrefillOrder order) {
  std::vector<std::uint64_t> places;
  while (!order.done()) places.push_back(send_next(order));
  return places;
}

TEST(PrefillOrder, UnknownOsds_ObjectsComeInOrder) {
  EXPECT_THAT(all_of(PrefillOrder(nullptr, 3, 7)), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(all_of(PrefillOrder(placed_on(Sets(5)), 0, 5)), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_TRUE(PrefillOrder().done());
  EXPECT_TRUE(PrefillOrder(nullptr, 4, 4).done());
}

TEST(PrefillOrder, ObjectOnIdleOsds_ComesFirst) {
  PrefillOrder order(placed_on({{0, 1}, {1, 0}, {0, 1}, {2, 3}, {3, 2}}), 0, 5);
  EXPECT_EQ(send_next(order), 0U);
  EXPECT_EQ(send_next(order), 3U) << "the first on other OSDs";
  EXPECT_EQ(send_next(order), 1U) << "all have one write, so the first";
  order.ended(3);
  EXPECT_EQ(send_next(order), 4U) << "its OSDs are idle again";
  EXPECT_EQ(send_next(order), 2U);
  EXPECT_TRUE(order.done());
}

TEST(PrefillOrder, BusiestOsdOfAnObject_Counts) {
  PrefillOrder order(placed_on({{0, 1}, {0, 2}, {3, 1}, {3, 2}}), 0, 4);
  EXPECT_EQ(send_next(order), 0U);
  EXPECT_EQ(send_next(order), 3U) << "1 and 2 share an OSD with it";
}

TEST(PrefillOrder, LaterObjects_DoNotPassMoreThanAFew) {
  // All but the first are on idle OSDs.
  Sets sets(100);
  for (std::int32_t i = 0; i < 100; ++i) sets[static_cast<std::size_t>(i)] = {i};
  sets[1] = {0};
  PrefillOrder order(placed_on(sets), 0, 100);
  EXPECT_EQ(send_next(order), 0U);
  std::uint64_t highest = 0;
  for (int i = 0; i < 15; ++i) highest = std::max(highest, send_next(order));
  EXPECT_EQ(highest, 16U);
}

RC_GTEST_PROP(PrefillOrder, WhateverIsAnswered_EachObjectComesOnce, ()) {
  const auto objects = *rc::gen::inRange<std::uint64_t>(0, 80);
  Sets sets(objects);
  for (auto& set : sets) {
    set = *rc::gen::unique<std::vector<std::int32_t>>(*rc::gen::inRange<std::size_t>(0, 4),
                                                      rc::gen::inRange(0, 9));
  }
  PrefillOrder order(placed_on(sets), 0, objects);
  std::set<std::uint64_t> seen;
  std::vector<std::uint64_t> flying;
  while (!order.done()) {
    flying.push_back(send_next(order));
    RC_ASSERT(seen.insert(flying.back()).second);
    if (*rc::gen::arbitrary<bool>()) {
      order.ended(static_cast<std::uint32_t>(flying.back()));
      flying.pop_back();
    }
  }
  RC_ASSERT(seen.size() == objects);
}

// Five disks that each work on one write at a time, with three copies of each object: how long it
// takes to write all of them with so many in flight, where a write takes a disk one unit of time.
double time_to_write(const Sets& sets, bool known, std::size_t depth) {
  struct Write {
    double end;
    std::uint32_t pg;
    bool operator<(const Write& other) const { return end > other.end; }
  };
  PrefillOrder order(known ? placed_on(sets) : nullptr, 0, sets.size());
  std::array<double, 5> free_at{};
  std::priority_queue<Write> flying;
  double now = 0;
  while (!order.done() || !flying.empty()) {
    if (!order.done() && flying.size() < depth) {
      const std::uint64_t place = send_next(order);
      double end = 0;
      for (const std::int32_t osd : sets[place]) {
        double& disk = free_at.at(static_cast<std::size_t>(osd));
        disk = std::max(disk, now) + 1;
        end = std::max(end, disk);
      }
      flying.push({end, static_cast<std::uint32_t>(place)});
      continue;
    }
    now = flying.top().end;
    order.ended(flying.top().pg);
    flying.pop();
  }
  return now;
}

TEST(PrefillOrder, DisksAreBusy_WithFewInFlight) {
  Random random(1, "prefill order");
  Sets sets(500);
  for (auto& set : sets) {
    std::vector<std::int32_t> osds = {0, 1, 2, 3, 4};
    for (int i = 0; i < 3; ++i) {
      const auto drawn = random.below(osds.size());
      set.push_back(osds[drawn]);
      osds.erase(osds.begin() + static_cast<std::ptrdiff_t>(drawn));
    }
  }
  const double possible = 500 * 3 / 5.0;
  EXPECT_LE(time_to_write(sets, true, 5), possible * 1.05);
  EXPECT_GE(time_to_write(sets, false, 5), possible * 1.10) << "in the order of the objects";
}

}  // namespace
}  // namespace radosload::workload
