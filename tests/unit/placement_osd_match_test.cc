#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "placement/osd_match.h"
#include "placement/osd_pairing.h"
#include "unit/osd_support.h"

namespace radosload::placement {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using Gravity = Confounder::Gravity;

Osd wal(std::int32_t id = 9) {
  return testing::home_osd(id, OsdKind::wal, "quell", "2U8170", 0.5, 130);
}
Osd db(std::int32_t id = 1) {
  return testing::home_osd(id, OsdKind::db, "quell", "2U8170", 0.5, 130);
}

std::vector<std::string> names_of(const std::vector<Confounder>& found) {
  std::vector<std::string> names;
  for (const Confounder& one : found) names.push_back(one.what);
  return names;
}

std::vector<KindMatch> matched(const OsdInventory& inventory, std::string_view kinds = "") {
  return match_osds(inventory, parse_kinds(kinds).value()).value();
}

TEST(Confounders, EqualOsdsOfTwoKindsHaveNone) {
  EXPECT_THAT(names_of(confounders(wal(), db())), IsEmpty());
  EXPECT_EQ(burden(confounders(wal(), db())), 0U);
}

// Each difference alone, with both values, and whether a comparison bears it.
TEST(Confounders, EachConfounder_IsFoundWithBothValues) {
  struct Case {
    void (*change)(Osd&);
    std::string what;
    std::string a;
    std::string b;
    Gravity gravity;
  };
  constexpr auto unfair = Gravity::unfair;
  constexpr auto bends = Gravity::bends;
  const std::vector<Case> cases = {
      {[](Osd& o) { o.up = false; }, "state", "up", "down", unfair},
      {[](Osd& o) { o.in = false; }, "state", "up", "out", unfair},
      {[](Osd& o) { o.device_class = "big"; }, "class", "hdd", "big", unfair},
      {[](Osd& o) { o.data.rotational = false; }, "rotational", "disk", "flash", unfair},
      {[](Osd& o) { o.data.model = "X"; }, "drive model", "ST5000LM000-2U8170", "X", unfair},
      {[](Osd& o) { o.data.size = gib(4000); }, "size", "4.55 TiB", "3.91 TiB", unfair},
      {[](Osd& o) { o.allocation = kib(64); }, "min_alloc_size", "4 KiB", "64 KiB", unfair},
      {[](Osd& o) { o.version = "18.2.7"; }, "version", "18.2.4", "18.2.7", unfair},
      {[](Osd& o) { o.made_by = "14.2.22"; }, "made by version", "18.2.4", "14.2.22", bends},
      {[](Osd& o) { o.fill = 0.58; }, "fill", "50.0 %", "58.0 %", bends},
      {[](Osd& o) { o.fill = 0.15; }, "fill", "50.0 %", "15.0 %", unfair},
      {[](Osd& o) { o.pgs = 150; }, "PGs", "130", "150", bends},
      {[](Osd& o) { o.pgs = 36; }, "PGs", "130", "36", unfair},
      {[](Osd& o) { o.primaries = 20; }, "primaries", "43", "20", bends},
      {[](Osd& o) { o.location["host"] = "poe"; }, "host", "quell", "poe", bends},
      {[](Osd& o) { o.cpu = "N100"; }, "CPU", "Intel(R) Core(TM) i7-2600 CPU @ 3.40GHz", "N100",
       bends},
      {[](Osd& o) { o.kernel = "6.1"; }, "kernel", "6.8.12-1-pve", "6.1", bends},
      {[](Osd& o) { o.memory = gib(32); }, "memory of the host", "16 GiB", "32 GiB", bends},
      {[](Osd& o) { o.fast.rotational = true; }, "WAL/DB drive rotational", "flash", "disk",
       unfair},
      {[](Osd& o) { o.fast.model = "Y"; }, "WAL/DB drive model", "CT500MX500SSD1", "Y", bends},
      {[](Osd& o) { o.fast.shared_by = 6; }, "OSDs on the WAL/DB drive", "3", "6", bends},
      {[](Osd& o) { o.mclock_iops = 250; }, "mclock capacity", "Ceph's default", "250", bends},
      {[](Osd& o) { o.settings["osd_memory_target"] = "1"; }, "osd_memory_target", "Ceph's default",
       "1", bends},
      {[](Osd& o) { o.complaints["BLUEFS_SPILLOVER"] = "spilled over"; }, "BLUEFS_SPILLOVER", "no",
       "'spilled over'", bends}};
  for (const Case& one : cases) {
    Osd changed = db();
    one.change(changed);
    const auto found = confounders(wal(), changed);
    ASSERT_THAT(names_of(found), ElementsAre(one.what));
    EXPECT_EQ(found[0].a, one.a) << one.what;
    EXPECT_EQ(found[0].b, one.b) << one.what;
    EXPECT_EQ(found[0].gravity, one.gravity) << one.what;
    EXPECT_EQ(fair(found), one.gravity != unfair) << one.what;
    EXPECT_EQ(burden(found) > 0, one.gravity == bends) << one.what;
    // It does not matter which of the two has it.
    const auto mirrored = confounders(changed, wal());
    ASSERT_THAT(names_of(mirrored), ElementsAre(one.what));
    EXPECT_EQ(mirrored[0].a, one.b) << one.what;
  }
}

TEST(Confounders, SmallDifferences_AreIgnored) {
  Osd near = db();
  near.fill = 0.54;
  near.pgs = 142;
  near.primaries = 50;
  near.data.size = Bytes{near.data.size.count / 100 * 102};
  Osd a = wal();
  a.mclock_iops = 300;
  near.mclock_iops = 310;
  EXPECT_THAT(names_of(confounders(a, near)), IsEmpty());
}

TEST(Confounders, UnknownProperties_AreListedAsUnknown) {
  Osd a = wal();
  Osd b = db();
  a.data.model = "";
  b.fill.reset();
  b.pgs.reset();
  b.data.size = {};
  const auto found = confounders(a, b);
  EXPECT_THAT(names_of(found),
              ::testing::UnorderedElementsAre("drive model", "fill", "PGs", "size"));
  for (const Confounder& one : found) EXPECT_EQ(one.gravity, Gravity::unknown);
  EXPECT_TRUE(fair(found));
  EXPECT_GT(burden(found), 0U) << "or a pair that nobody knows would be the best";
}

TEST(Confounders, PlainAgainstDbOsd_DbDriveIsNoConfounder) {
  Osd plain = testing::home_osd(5, OsdKind::plain, "quell", "2U8170", 0.5, 130);
  plain.fast = {};
  EXPECT_THAT(names_of(confounders(plain, db())), IsEmpty());
}

TEST(Confounders, MostSevere_ComesFirst) {
  Osd b = db();
  b.location["host"] = "edgar";
  b.cpu = "N100";
  b.version = "16.2.15";
  b.kernel = "";
  EXPECT_THAT(names_of(confounders(wal(), b)), ElementsAre("version", "CPU", "host", "kernel"));
}

// The disks of harlan are of another variant than those of edgar and quell, and its osd.6 is being
// filled: by hand it took an inventory of every drive to see that.
TEST(Match, FindsTheFairPairsThatWereFoundByHand) {
  const auto matches = matched(testing::home_lab(), "wal,db");
  ASSERT_THAT(matches, SizeIs(1));
  const KindMatch& match = matches[0];
  EXPECT_THAT(match.of_a, ElementsAre(0, 3, 6, 9, 10, 11));
  EXPECT_THAT(match.of_b, ElementsAre(1, 4, 7));
  ASSERT_THAT(match.pairs, SizeIs(3));
  for (const OsdPair& pair : match.pairs) {
    EXPECT_THAT(pair.a, ::testing::Ge(9)) << "harlan has another disk";
    EXPECT_THAT(names_of(pair.found), Contains("host"));
    EXPECT_THAT(names_of(pair.found), Not(Contains("drive model")));
  }
  EXPECT_EQ(match.pairs.back().a, 10) << "fill and PGs differ most there";
  EXPECT_FALSE(match.nearest);
}

TEST(Match, TheLeastConfoundedComeFirst) {
  const auto match = matched(testing::home_lab(), "db,wal").at(0);
  EXPECT_EQ(match.a, OsdKind::db);
  ASSERT_THAT(match.pairs, SizeIs(3));
  EXPECT_TRUE(std::is_sorted(
      match.pairs.begin(), match.pairs.end(),
      [](const OsdPair& x, const OsdPair& y) { return burden(x.found) < burden(y.found); }));
}

TEST(Match, NoFairPair_ListsTheConfounders) {
  OsdInventory inventory = testing::home_lab();
  std::erase_if(inventory.osds, [](const Osd& osd) { return osd.host() == "quell"; });
  const auto match = matched(inventory).at(0);
  EXPECT_THAT(match.pairs, IsEmpty());
  EXPECT_THAT(match.obstacles, Contains(Pair("drive model", 9)));
  EXPECT_THAT(match.obstacles, Contains(Pair("fill", 3)));
  ASSERT_TRUE(match.nearest);
  EXPECT_NE(match.nearest->a, 6) << "the one that is being filled is far off";
}

TEST(Match, AnOsdThatIsDownIsInNoPair) {
  OsdInventory inventory = testing::home_lab();
  for (Osd& osd : inventory.osds) osd.up = osd.id != 9;
  const auto match = matched(inventory).at(0);
  ASSERT_THAT(match.pairs, SizeIs(2));
  for (const OsdPair& pair : match.pairs) EXPECT_NE(pair.a, 9);
}

TEST(Match, RecordedClustersHaveTheKindsOfTheirDisksOnly) {
  for (const char* const version : {"16.2.15", "18.2.7"}) {
    const auto matches = matched(testing::recorded(version));
    std::vector<std::pair<OsdKind, OsdKind>> kinds;
    for (const KindMatch& match : matches) {
      kinds.emplace_back(match.a, match.b);
      EXPECT_EQ(match.device_class, "hdd");
      ASSERT_THAT(match.pairs, SizeIs(1));
      // Loop devices have no model.
      EXPECT_THAT(names_of(match.pairs[0].found), Contains("drive model"));
    }
    EXPECT_THAT(kinds,
                ElementsAre(Pair(OsdKind::plain, OsdKind::wal), Pair(OsdKind::plain, OsdKind::db),
                            Pair(OsdKind::wal, OsdKind::db)));
  }
}

TEST(Match, ClassesAreNotMixed) {
  OsdInventory inventory;
  inventory.osds = {db(1), wal(9)};
  inventory.osds[0].device_class = "ssd";
  EXPECT_THAT(matched(inventory), IsEmpty());
  const auto asked = match_osds(inventory, KindPair(OsdKind::wal, OsdKind::db));
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().exit, Exit::no_cluster);
  EXPECT_THAT(asked.error().message(), AllOf(HasSubstr("1 hdd wal"), HasSubstr("1 ssd db")));
}

TEST(Match, KindsAreReadOrRefused) {
  EXPECT_EQ(parse_kinds("wal,db").value(), KindPair(OsdKind::wal, OsdKind::db));
  EXPECT_EQ(parse_kinds("db+wal,plain").value(), KindPair(OsdKind::db_wal, OsdKind::plain));
  EXPECT_FALSE(parse_kinds("").value());
  for (const char* const words : {"wal", "wal,", ",db", "wal,db,plain", "0-3", "wal,wal", "?,db"}) {
    const auto kinds = parse_kinds(words);
    ASSERT_FALSE(kinds) << words;
    EXPECT_EQ(kinds.error().exit, Exit::usage);
    EXPECT_THAT(kinds.error().message(), HasSubstr("--match wal,db"));
  }
}

TEST(Match, ReportsWhatThePairsCanShow) {
  EXPECT_THAT(scope_text(0), HasSubstr("nothing"));
  EXPECT_THAT(scope_text(1), HasSubstr("these two OSDs"));
  EXPECT_THAT(scope_text(2), AllOf(HasSubstr("log-normally"), Not(HasSubstr("times"))));
  EXPECT_THAT(scope_text(3), AllOf(HasSubstr("log-normally"), HasSubstr("about 3 times")));
  EXPECT_THAT(scope_text(4), AllOf(HasSubstr("no assumption"), HasSubstr("3 times")));
  EXPECT_THAT(scope_text(5), HasSubstr("about 2 times"));
  EXPECT_THAT(scope_text(30), HasSubstr("about 1.5 times"));
}

// By trying everything: the most pairs there can be.
std::size_t most_pairs(const std::vector<PossiblePair>& possible, std::size_t from,
                       std::set<std::size_t>& as, std::set<std::size_t>& bs) {
  if (from == possible.size()) return 0;
  std::size_t best = most_pairs(possible, from + 1, as, bs);
  const PossiblePair& pair = possible[from];
  if (as.contains(pair.a) || bs.contains(pair.b)) return best;
  as.insert(pair.a);
  bs.insert(pair.b);
  best = std::max(best, 1 + most_pairs(possible, from + 1, as, bs));
  as.erase(pair.a);
  bs.erase(pair.b);
  return best;
}

std::vector<PossiblePair> any_pairs() {
  std::vector<PossiblePair> possible;
  const auto count = *rc::gen::inRange<int>(0, 13);
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (int i = 0; i < count; ++i) {
    const auto a = *rc::gen::inRange<std::size_t>(0, 6);
    const auto b = *rc::gen::inRange<std::size_t>(0, 6);
    if (seen.emplace(a, b).second)
      possible.push_back({a, b, *rc::gen::inRange<std::uint32_t>(0, 9)});
  }
  return possible;
}

RC_GTEST_PROP(Pairing, MakesAsManyPairsAsThereCanBeOfEachOnlyOne, ()) {
  const std::vector<PossiblePair> possible = any_pairs();
  const std::vector<PossiblePair> taken = pair_off(possible);
  std::set<std::size_t> as;
  std::set<std::size_t> bs;
  for (const PossiblePair& pair : taken) {
    RC_ASSERT(as.insert(pair.a).second);
    RC_ASSERT(bs.insert(pair.b).second);
    RC_ASSERT(std::any_of(possible.begin(), possible.end(), [&](const PossiblePair& one) {
      return one.a == pair.a && one.b == pair.b && one.weight == pair.weight;
    }));
  }
  as.clear();
  bs.clear();
  RC_ASSERT(taken.size() == most_pairs(possible, 0, as, bs));
}

TEST(Pairing, PrefersTheLeastConfounded) {
  const auto taken = pair_off({{0, 0, 5}, {0, 1, 1}, {1, 0, 1}, {1, 1, 5}});
  ASSERT_THAT(taken, SizeIs(2));
  EXPECT_EQ(taken[0].weight + taken[1].weight, 2U);
}

// Here the lightest pair alone would leave both others without a partner.
TEST(Pairing, PrefersOneMorePairToALighterOne) {
  const auto taken = pair_off({{0, 0, 0}, {0, 1, 5}, {1, 0, 5}});
  ASSERT_THAT(taken, SizeIs(2));
  EXPECT_EQ(taken[0].weight, 5U);
}

TEST(Pairing, AFleetIsMatchedInTime) {
  std::vector<PossiblePair> possible;
  for (std::size_t a = 0; a < 1000; ++a) {
    for (std::size_t b = 0; b < 300; ++b)
      possible.push_back({a, b, static_cast<std::uint32_t>(a % 7)});
  }
  EXPECT_THAT(pair_off(std::move(possible)), SizeIs(300));
}

}  // namespace
}  // namespace radosload::placement
