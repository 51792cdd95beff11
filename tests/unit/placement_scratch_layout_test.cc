// Which part of the CRUSH tree a scratch pool's rule begins at, how many PGs it gets, and on which
// OSD each belongs.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "osd_support.h"
#include "placement/scratch_layout.h"

namespace radosload::placement {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// 0, 1 disks and 2 flash below "default", 3 below "other", 4 below nothing.
OsdInventory osds() {
  const auto osd = [](std::int32_t id, const char* device_class, const char* root) {
    Osd made{.id = id, .up = true, .device_class = device_class};
    if (*root != 0) made.location = {{"host", "node" + std::to_string(id)}, {"root", root}};
    made.pgs = 100;
    return made;
  };
  return {.osds = {osd(0, "hdd", "default"), osd(1, "hdd", "default"), osd(2, "ssd", "default"),
                   osd(3, "hdd", "other"), osd(4, "hdd", "")}};
}

std::string taken(const std::vector<std::int32_t>& wanted, const std::vector<CrushTake>& known) {
  const auto take = take_for(osds(), wanted, known);
  return take ? take_text(*take) : take.error().message();
}

TEST(ScratchTake, IsNamedAsRulesNameIt) {
  EXPECT_EQ(take_text({"default", "hdd"}), "default~hdd");
  EXPECT_EQ(take_text({"default", ""}), "default");
  for (const char* const name : {"default", "default~hdd"}) {
    EXPECT_EQ(take_text(take_named(name)), name);
  }
}

TEST(ScratchTake, IsOneThatPoolsUseAlreadyAndTheNarrowestOfThem) {
  EXPECT_EQ(taken({0, 1}, {{"default", ""}}), "default");
  EXPECT_EQ(taken({0, 1}, {{"default", ""}, {"default", "hdd"}}), "default~hdd");
  EXPECT_EQ(taken({0}, {{"default", "hdd"}, {"node0", ""}}), "node0");
  EXPECT_EQ(taken({0, 2}, {{"default", "hdd"}, {"default", ""}}), "default");
}

TEST(ScratchTake, IsRootAndClassWhereNoPoolHasOneThatFits) {
  EXPECT_EQ(taken({0, 1}, {}), "default~hdd");
  EXPECT_EQ(taken({0, 2}, {{"default", "hdd"}}), "default");
  EXPECT_EQ(taken({3}, {{"default", ""}}), "other~hdd");
}

TEST(ScratchTake, OsdsUnderDifferentRoots_AreRefused) {
  EXPECT_THAT(taken({0, 3}, {{"default", ""}}), HasSubstr("osd.3 is under root other"));
  EXPECT_THAT(taken({4}, {{"default", ""}}), HasSubstr("osd.4 is under no root"));
  EXPECT_EQ(take_for(osds(), {0, 3}, {}).error().exit, Exit::refused);
}

TEST(ScratchTake, ShowsWhetherTheRuleHasOtherOsds) {
  EXPECT_TRUE(has_others(osds(), {"default", "hdd"}, {0}));
  EXPECT_FALSE(has_others(osds(), {"default", "hdd"}, {0, 1}));
  EXPECT_TRUE(has_others(osds(), {"default", ""}, {0, 1}));
  OsdInventory one_out = osds();
  one_out.osds[1].in = false;
  EXPECT_FALSE(has_others(one_out, {"default", "hdd"}, {0}));
}

std::uint32_t pgs(const PgNumWish& wish) {
  return pg_num_for(osds(), wish).value_or(0);
}

TEST(ScratchPgs, AreEightForEachOsdAndAPowerOfTwo) {
  EXPECT_EQ(pgs({.osds = {0}}), 8U);
  EXPECT_EQ(pgs({.osds = {0, 1}}), 16U);
  EXPECT_EQ(pgs({.osds = {0, 1, 2}}), 32U);
  EXPECT_EQ(pgs({.osds = {0, 1}, .named = 4}), 4U);
}

TEST(ScratchPgs, AreFewerWhereOsdsAreNearTheLimit) {
  EXPECT_EQ(pgs({.osds = {0, 1}, .most = 108}), 16U);
  EXPECT_EQ(pgs({.osds = {0, 1}, .most = 107}), 8U);
  EXPECT_EQ(pgs({.osds = {0, 1}, .most = 101}), 2U);
  const auto none = pg_num_for(osds(), {.osds = {0, 1}, .most = 100});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().exit, Exit::refused);
  EXPECT_THAT(none.error().message(), HasSubstr("osd.0 has 100 PGs, osd.1 has 100 PGs"));
  EXPECT_THAT(none.error().message(), HasSubstr("mon_max_pg_per_osd"));
}

TEST(ScratchPgs, GivenNumber_IsAcceptedOrRefusedNeverChanged) {
  EXPECT_FALSE(pg_num_for(osds(), {.osds = {0}, .named = 16, .most = 110}));
  for (const std::uint32_t named : {3U, 1U}) {
    const auto wrong = pg_num_for(osds(), {.osds = {0, 1}, .named = named});
    ASSERT_FALSE(wrong) << named;
    EXPECT_EQ(wrong.error().exit, Exit::usage);
    EXPECT_THAT(wrong.error().message(), HasSubstr("--pg-num 16"));
  }
}

TEST(ScratchPgs, AreAssignedToOsdsInTurn) {
  EXPECT_THAT(shared_out(4, {3, 7}), ElementsAre(3, 7, 3, 7));
  EXPECT_THAT(shared_out(4, {5, 6, 7}), ElementsAre(5, 6, 7, 5));
}

Settled settled_in(const std::string& pgs) {
  const auto map = PgMap::parse_pgs_brief("{\"pg_stats\":[" + pgs + "]}", 7);
  return settled(map.value(), 7, {0, 3});
}

std::string pg(const char* id, const char* state, int osd) {
  const std::string on = std::to_string(osd);
  return std::string(R"({"pgid":")") + id + R"(","state":")" + state + R"(","up":[)" + on +
         R"(],"acting":[)" + on + R"(],"up_primary":)" + on + R"(,"acting_primary":)" + on + "}";
}

TEST(ScratchPgs, AreSettledWhenActiveCleanAndWhereTheyBelong) {
  const auto all = settled_in(pg("7.0", "active+clean", 0) + "," + pg("7.1", "active+clean", 3));
  EXPECT_EQ(all.pgs, 2U);
  EXPECT_EQ(all.waiting, "");
}

TEST(ScratchPgs, WaitForPgsElsewhereUncleanOrUnreported) {
  const auto elsewhere =
      settled_in(pg("7.0", "active+clean", 0) + "," + pg("7.1", "active+clean", 1));
  EXPECT_EQ(elsewhere.pgs, 1U);
  EXPECT_EQ(elsewhere.waiting, "PG 7.1 is on 1 instead of osd.3");
  EXPECT_EQ(settled_in(pg("7.0", "peering", 0)).waiting, "PG 7.0 on osd.0 is not active+clean yet");
  EXPECT_EQ(settled_in(pg("7.0", "active+clean", 0)).waiting, "PG 7.1 is not reported yet");
}

}  // namespace
}  // namespace radosload::placement
