#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "placement/pg_map.h"
#include "support/files.h"

#include <fmt/format.h>

namespace radosload::placement {
namespace {

using ::testing::ElementsAre;

std::vector<std::int32_t> acting_of(const std::optional<Pg>& pg) {
  return pg ? std::vector<std::int32_t>(pg->acting.begin(), pg->acting.end())
            : std::vector<std::int32_t>();
}

TEST(PgMap, ReadsOnePoolOfBothReleases) {
  const auto pacific =
      PgMap::parse_pgs_brief(test::fixture("16.2.15", "pg-dump-pgs_brief.json"), 4);
  ASSERT_TRUE(pacific) << pacific.error().message();
  ASSERT_EQ(pacific->size(), 16U);
  EXPECT_THAT(acting_of(pacific->find(1)), ElementsAre(2, 1, 3));
  EXPECT_EQ(pacific->find(1)->primary, 2);
  EXPECT_TRUE(pacific->find(1)->active);
  EXPECT_TRUE(pacific->find(1)->clean);
  for (std::size_t i = 0; i < pacific->size(); ++i) EXPECT_EQ(pacific->at(i).seed, i);

  const auto reef = PgMap::parse_pgs_brief(test::fixture("18.2.7", "pg-dump-pgs_brief.json"), 4);
  ASSERT_TRUE(reef) << reef.error().message();
  ASSERT_EQ(reef->size(), 16U);
  EXPECT_THAT(acting_of(reef->find(0)), ElementsAre(3, 2, 0, 1));
  EXPECT_FALSE(reef->find(16));
}

std::string one_pg(const std::string& id) {
  return R"([{"pgid": ")" + id + R"(", "state": "active+clean", "up": [0], "acting": [0],
              "up_primary": 0, "acting_primary": 0}])";
}

// As many entries as the highest number says would be made: with ffffffff it wrapped to none.
TEST(PgMap, NumberBeyondTheLimit_IsRefusedWithTheLimit) {
  for (const char* const id : {"2.ffffffff", "2.fffffffe", "2.100000"}) {
    const auto map = PgMap::parse_pgs_brief(one_pg(id), 2);
    ASSERT_FALSE(map) << id;
    EXPECT_THAT(map.error().message(), ::testing::HasSubstr(id));
    EXPECT_THAT(map.error().message(), ::testing::HasSubstr("1048576"));
  }
  EXPECT_TRUE(PgMap::parse_pgs_brief(one_pg("2.fffff"), 2));
  // Other pools are not read.
  EXPECT_TRUE(PgMap::parse_pgs_brief(one_pg("3.ffffffff"), 2));
}

TEST(PgMap, TakesTheActingPrimaryNotTheFirst) {
  const auto map = PgMap::parse_pgs_brief(
      R"({"pg_stats": [{"pgid": "7.1f", "state": "active+undersized", "up": [9, 9],
          "acting": [2147483647, 5, 4], "up_primary": 9, "acting_primary": 5}]})",
      7);
  ASSERT_TRUE(map);
  const auto pg = map->find(0x1f);
  ASSERT_TRUE(pg);
  EXPECT_EQ(pg->primary, 5);
  EXPECT_THAT(acting_of(pg), ElementsAre(no_shard, 5, 4));
  EXPECT_TRUE(pg->active);
  EXPECT_FALSE(pg->clean);
}

TEST(PgMap, PlainListAndMissingList_AreUnderstood) {
  const auto bare = PgMap::parse_pgs_brief(
      R"([{"pgid": "1.0", "acting": [3], "acting_primary": 3, "nested": {"acting": [8]}}])", 1);
  ASSERT_TRUE(bare);
  EXPECT_THAT(acting_of(bare->find(0)), ElementsAre(3));
  for (const char* const empty :
       {R"({"pg_ready": true})", R"({"pg_ready": true, "pg_stats": []})", "[]"}) {
    const auto map = PgMap::parse_pgs_brief(empty, 1);
    ASSERT_TRUE(map) << empty;
    EXPECT_TRUE(map->empty());
  }
}

TEST(PgMap, OtherText_IsAnError) {
  const std::string whole = test::fixture("18.2.7", "pg-dump-pgs_brief.json");
  for (const std::string& text : {std::string(), std::string("nonsense"), std::string("{"),
                                  whole.substr(0, whole.size() / 2)}) {
    EXPECT_FALSE(PgMap::parse_pgs_brief(text, 1)) << text.substr(0, 20);
  }
}

TEST(PgMap, PgsWithInvalidNames_AreLeftOut) {
  const auto map = PgMap::parse_pgs_brief(
      R"([{"pgid": "1.", "acting": [3]}, {"pgid": "1.xyz"}, {"pgid": "1.0s2"}, {"pgid": 5}, {},
          {"pgid": ".1"}, {"pgid": "1.2", "acting_primary": 4}])",
      1);
  ASSERT_TRUE(map);
  ASSERT_EQ(map->size(), 1U);
  EXPECT_EQ(map->at(0).seed, 2U);
  EXPECT_TRUE(map->at(0).acting.empty());
}

TEST(PgMap, ABigMapIsReadWhole) {
  constexpr std::uint32_t pgs = 65536;
  std::string text = R"({"pg_ready":true,"pg_stats":[)";
  for (std::uint32_t i = 0; i < pgs; ++i) {
    text +=
        fmt::format(R"({}{{"pgid":"{}.{:x}","state":"active+clean","up":[{},1],"acting":[{},1],)"
                    R"("up_primary":0,"acting_primary":{}}})",
                    i == 0 ? "" : ",", i % 2 == 0 ? 3 : 30, i / 2, i, i, i);
  }
  const auto map = PgMap::parse_pgs_brief(text + "]}", 3);
  ASSERT_TRUE(map);
  ASSERT_EQ(map->size(), pgs / 2);
  EXPECT_EQ(map->find(12345)->primary, 24690);
}

// ceph_stable_mod, as Ceph has it: the shares are how often each PG comes out.
std::uint32_t stable_mod_of(std::uint32_t x, std::uint32_t b, std::uint32_t mask) {
  return (x & mask) < b ? x & mask : x & (mask >> 1U);
}

RC_GTEST_PROP(PgShare, IsTheShareOfHashesThatStableModMapsToThePg, ()) {
  const auto pg_num = *rc::gen::inRange<std::uint32_t>(1, 300);
  std::uint32_t slots = 1;
  while (slots < pg_num) slots *= 2;
  std::vector<double> expected(pg_num);
  for (std::uint32_t hash = 0; hash < slots; ++hash) {
    expected[stable_mod_of(hash, pg_num, slots - 1)] += 1.0 / slots;
  }
  for (std::uint32_t seed = 0; seed < pg_num; ++seed) {
    RC_ASSERT(pg_share(seed, pg_num) == expected[seed]);
  }
}

}  // namespace
}  // namespace radosload::placement
