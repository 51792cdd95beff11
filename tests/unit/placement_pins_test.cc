#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "placement/object_hash.h"
#include "placement/pins.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::placement {
namespace {

using ::testing::HasSubstr;

// What `ceph osd map` of 16.2.15 says of the name in a pool of 16 PGs.
TEST(ObjectHash, MatchesCeph) {
  EXPECT_EQ(rjenkins("foo"), 0x7fc1f406U);
  EXPECT_EQ(ObjectHash("", 16)("foo"), 6U);
}

TEST(ObjectHash, TheNamespaceIsPartOfTheName) {
  EXPECT_EQ(ObjectHash("ns", 1U << 20U)("name"), stable_mod(rjenkins("ns\037name"), 1U << 20U));
  ObjectHash hash("ns", 1U << 20U);
  const std::uint32_t first = hash("name");
  hash("a longer name than that, to see whether it leaves anything behind");
  EXPECT_EQ(hash("name"), first);
}

TEST(ObjectHash, GrowingPoolsMoveObjectsToNewPgsOnly) {
  for (std::uint32_t pg_num = 1; pg_num < 70; ++pg_num) {
    for (std::uint32_t hash = 0; hash < 3000; hash += 7) {
      const std::uint32_t before = stable_mod(hash, pg_num);
      const std::uint32_t after = stable_mod(hash, pg_num + 1);
      EXPECT_LT(before, pg_num);
      EXPECT_TRUE(after == before || after == pg_num) << pg_num << " " << hash;
    }
  }
}

PgMap map_of(const std::vector<std::vector<std::int32_t>>& sets) {
  std::string list;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    list += fmt::format(
        R"({}{{"pgid":"5.{:x}","state":"active+clean","acting":[{}],"acting_primary":{}}})",
        i > 0 ? "," : "", i, fmt::join(sets[i], ","), sets[i].front());
  }
  return PgMap::parse_pgs_brief("[" + list + "]", 5).value();
}

const PgMap six = map_of({{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {3, 0, 1}, {0, 3, 1}, {1, 3, 2}});
std::uint32_t sixth(std::uint64_t object) {
  return static_cast<std::uint32_t>(object * 2654435761U >> 7U) % 6;
}

TEST(Pins, EveryOsdGetsAsManyObjectsThatItServes) {
  const auto found = pin_objects(six, {.pool = "hdd", .osds = {0, 3}, .each = 50}, sixth);
  ASSERT_TRUE(found) << found.error().message();
  ASSERT_EQ(found->size(), 2U);
  for (const Pinned& one : *found) {
    EXPECT_EQ(one.objects.size(), 50U);
    EXPECT_EQ(std::set<std::uint64_t>(one.objects.begin(), one.objects.end()).size(), 50U);
    for (std::size_t i = 0; i < one.objects.size(); ++i) {
      EXPECT_EQ(one.pgs[i], sixth(one.objects[i]));
      EXPECT_EQ(six.find(one.pgs[i])->primary, one.osd);
    }
  }
}

TEST(Pins, WithAllTheWholeActingSetIsAmongThem) {
  const auto found =
      pin_objects(six, {.pool = "hdd", .osds = {0, 1, 2}, .mode = PinMode::all, .each = 20}, sixth);
  ASSERT_TRUE(found) << found.error().message();
  for (const Pinned& one : *found) {
    for (const std::uint32_t seed : one.pgs) {
      const auto pg = six.find(seed);
      for (const std::int32_t osd : pg->acting) EXPECT_LE(osd, 2);
    }
  }
}

std::string complaint(const PinWish& wish) {
  const auto found = pin_objects(six, wish, sixth);
  if (found) return "found";
  EXPECT_EQ(found.error().exit, Exit::refused);
  return found.error().message();
}

TEST(Pins, ImpossiblePins_ErrorHasTheReason) {
  EXPECT_THAT(complaint({.pool = "hdd", .osds = {0, 7}}),
              ::testing::AllOf(HasSubstr("no placement group of the pool has 7 as its primary"),
                               HasSubstr("osd.0, osd.1, osd.2, osd.3")));
  EXPECT_THAT(
      complaint({.pool = "hdd", .osds = {0, 3}, .mode = PinMode::all}),
      ::testing::AllOf(HasSubstr("lies wholly on these OSDs"), HasSubstr("0,1,2 or 0,1,3")));
  EXPECT_THAT(complaint({.pool = "hdd", .osds = {0, 3}, .each = 10, .candidates = 12}),
              ::testing::AllOf(HasSubstr("of 12 objects"), HasSubstr("each OSD needs 10")));
}

TEST(Pins, Image_UsesAsManyObjectsAsEveryOsdHas) {
  const auto found = pin_objects(
      six,
      {.pool = "hdd", .osds = {0, 1, 3}, .each = 1000, .candidates = 60, .fewer_will_do = true},
      sixth);
  ASSERT_TRUE(found) << found.error().message();
  std::map<std::int32_t, std::size_t> there;
  for (std::uint64_t i = 0; i < 60; ++i) ++there[six.find(sixth(i))->primary];
  const std::size_t fewest = std::min({there[0], there[1], there[3]});
  EXPECT_GT(fewest, 0U);
  for (const Pinned& one : *found) EXPECT_EQ(one.objects.size(), fewest);
}

// A map that is not that of the objects must not be searched for ever.
TEST(Pins, ImpossibleSearch_Ends) {
  const auto found =
      pin_objects(six, {.pool = "hdd", .osds = {3}, .each = 2}, [](std::uint64_t) { return 0U; });
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message(), HasSubstr("serves 0"));
}

RC_GTEST_PROP(Pins, HoldOnEveryMap, ()) {
  const auto pgs = *rc::gen::inRange<std::uint32_t>(1, 64);
  const auto osds = *rc::gen::inRange<std::int32_t>(3, 9);
  std::vector<std::vector<std::int32_t>> sets;
  for (std::uint32_t i = 0; i < pgs; ++i) {
    const auto first = *rc::gen::inRange<std::int32_t>(0, osds);
    sets.push_back({first, (first + 1) % osds, (first + 2) % osds});
  }
  const PgMap map = map_of(sets);
  const auto mode = *rc::gen::element(PinMode::primary, PinMode::all);
  std::vector<std::int32_t> wanted(static_cast<std::size_t>(*rc::gen::inRange(1, osds + 1)));
  std::iota(wanted.begin(), wanted.end(), 0);
  ObjectHash hash("radosload", pgs);
  const auto pg_of = [&](std::uint64_t object) { return hash(std::to_string(object)); };
  const auto found =
      pin_objects(map, {.pool = "p", .osds = wanted, .mode = mode, .each = 5}, pg_of);
  if (!found) return;
  const OsdSet set(wanted);
  for (const Pinned& one : *found) {
    RC_ASSERT(one.objects.size() == 5U);
    for (const std::uint64_t object : one.objects) {
      const auto pg = map.find(pg_of(object));
      RC_ASSERT(pg && pg->primary == one.osd && serves(*pg, set, mode));
    }
  }
}

}  // namespace
}  // namespace radosload::placement
