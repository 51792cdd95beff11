// What OSDs of two releases say in `perf dump`, read under one name each.
#include <algorithm>
#include <iterator>
#include <set>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/counter_names.h"
#include "observe/osd_counters.h"
#include "observe/osds.h"
#include "support/files.h"
#include "unit/recorded_cluster.h"

#include <nlohmann/json.hpp>

namespace radosload::observe {
namespace {

using nlohmann::json;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr const char* dump_file = "osd0-perf-dump.json";

OsdCounters counters_in(const std::string& release) {
  auto counters = parse_counters(test::fixture(release, dump_file));
  EXPECT_TRUE(counters) << counters.error().message();
  return counters ? *std::move(counters) : OsdCounters();
}

// The same OSD later: everything has grown by 7.
std::string later(const std::string& release) {
  json dump = json::parse(test::fixture(release, dump_file));
  for (auto& section : dump) {
    for (auto& value : section) {
      if (value.is_number_unsigned()) value = value.get<std::uint64_t>() + 7;
      if (value.is_number_float()) value = value.get<double>() + 7;
      if (!value.is_object()) continue;
      value["avgcount"] = value["avgcount"].get<std::uint64_t>() + 7;
      value["sum"] = value["sum"].get<double>() + 7;
    }
  }
  return dump.dump();
}

std::set<std::string> names_of(const OsdCounters& counters) {
  std::set<std::string> names;
  for (const auto& [name, value] : counters.times) names.insert(name);
  for (const auto& [name, value] : counters.counts) names.insert(name);
  for (const auto& [name, value] : counters.levels) names.insert(name);
  return names;
}

std::vector<std::string> without(const std::set<std::string>& all,
                                 const std::set<std::string>& these) {
  std::vector<std::string> rest;
  std::set_difference(all.begin(), all.end(), these.begin(), these.end(), std::back_inserter(rest));
  return rest;
}

TEST(CounterNames, EachIsThereOnceWithItsMeaning) {
  std::set<std::string_view> names;
  for (const CounterName& name : counter_names()) {
    EXPECT_TRUE(names.insert(name.ours).second) << name.ours;
    EXPECT_FALSE(name.meaning.empty()) << name.ours;
    EXPECT_FALSE(name.ceph[0].empty()) << name.ours;
  }
}

TEST(OsdCounters, BothReleases_HaveTheSameNamesButForWhatOneLacks) {
  const auto old = names_of(counters_in("16.2.15"));
  const auto recent = names_of(counters_in("18.2.7"));
  EXPECT_THAT(without(old, recent), UnorderedElementsAre("compact_range"));
  EXPECT_THAT(without(recent, old),
              UnorderedElementsAre("compact_completed", "compact_lasted", "compact_running",
                                   "bluefs_read_db_bytes", "bluefs_read_slow_bytes",
                                   "bluefs_read_wal_bytes", "bluefs_write_bytes"));
  std::set<std::string> known;
  for (const CounterName& name : counter_names()) known.emplace(name.ours);
  std::set<std::string> found = old;
  found.insert(recent.begin(), recent.end());
  EXPECT_THAT(without(known, found), IsEmpty()) << "a name that no release has";
}

TEST(OsdCounters, Values_AreThoseOfTheRecordedDumps) {
  const OsdCounters old = counters_in("16.2.15");
  EXPECT_EQ(old.counts.at("op_w"), 154U);
  EXPECT_EQ(old.times.at("kv_commit"), (TimedCount{778, 15.136421349}));
  EXPECT_EQ(old.times.at("txc_commit"), (TimedCount{1440, 74.487980096})) << "commit_lat here";
  EXPECT_EQ(old.counts.at("deferred"), 788U) << "bluestore_write_deferred here";
  EXPECT_EQ(old.levels.at("db_used_bytes"), 308'412'416U);
  const OsdCounters recent = counters_in("18.2.7");
  EXPECT_EQ(recent.times.at("txc_commit"), (TimedCount{1504, 97.827154745}));
  EXPECT_EQ(recent.counts.at("deferred"), 832U) << "issued_deferred_writes here";
  EXPECT_EQ(recent.times.at("compact_lasted"), (TimedCount{0, 0})) << "seconds alone";
}

TEST(OsdCounters, Growth_IsTheSameUnderEachName) {
  for (const char* const release : {"16.2.15", "18.2.7"}) {
    const OsdCounters before = counters_in(release);
    const auto after = parse_counters(later(release));
    ASSERT_TRUE(after) << after.error().message();
    const auto grown = growth(before, *after);
    ASSERT_TRUE(grown);
    EXPECT_EQ(names_of(*grown), names_of(before)) << release;
    for (const auto& [name, value] : grown->counts) EXPECT_EQ(value, 7U) << name;
    for (const auto& [name, value] : grown->times) {
      EXPECT_EQ(value.count, name == "compact_lasted" ? 0U : 7U) << name;
      EXPECT_NEAR(value.seconds, 7, 1e-6) << name;
    }
    EXPECT_EQ(grown->levels, after->levels) << "as they are now";
    EXPECT_FALSE(growth(*after, before)) << "the OSD counts from zero again";
  }
}

TEST(OsdCounters, CounterThatDecreased_VoidsTheGrowth) {
  OsdCounters before;
  before.counts["op"] = 10;
  before.times["kv_sync"] = {4, 2.0};
  before.levels["pgs"] = 9;
  OsdCounters after = before;
  after.levels["pgs"] = 1;
  EXPECT_TRUE(growth(before, after)) << "a level may fall";
  after.counts["op"] = 9;
  EXPECT_FALSE(growth(before, after));
  after = before;
  after.times["kv_sync"].seconds = 1.5;
  EXPECT_FALSE(growth(before, after));
  after = before;
  after.times["kv_sync"].count = 3;
  EXPECT_FALSE(growth(before, after));
}

TEST(OsdCounters, CounterInOnlyOneDump_IsMissing) {
  OsdCounters before;
  before.counts["op"] = 10;
  OsdCounters after = before;
  after.counts["txc"] = 5;
  EXPECT_EQ(growth(before, after)->counts.size(), 1U);
  EXPECT_EQ(growth(after, before)->counts.size(), 1U);
}

TEST(OsdCounters, UnknownRelease_AvailableCountersAreRead) {
  const auto counters = parse_counters(R"({"osd": {"op": 3, "op_new": 4, "op_r": -1, "op_w": "x",
      "op_latency": {"avgcount": 3, "sum": 0.5}, "op_process_latency": {"avgcount": -3, "sum": 1},
      "subop_w_latency": {"sum": 1}}, "bluestore": 7, "seastore": {"txc_count": 1}})");
  ASSERT_TRUE(counters) << counters.error().message();
  EXPECT_EQ(counters->counts.size(), 1U);
  EXPECT_EQ(counters->counts.at("op"), 3U);
  EXPECT_EQ(counters->times.size(), 1U);
  EXPECT_EQ(counters->times.at("op_latency"), (TimedCount{3, 0.5}));
}

TEST(OsdCounters, OtherText_IsRefused) {
  EXPECT_FALSE(parse_counters("{"));
  EXPECT_FALSE(parse_counters("[]"));
  EXPECT_FALSE(parse_counters("{}"));
  EXPECT_FALSE(parse_counters(R"({"osd": {"else": 1}})"));
}

TEST(OsdKinds, AreReadWithOneCommand) {
  for (const char* const release : {"16.2.15", "18.2.7"}) {
    RecordedCluster cluster(release);
    const auto all = fetch_osds(cluster);
    const auto kinds = fetch_kinds(cluster, {0, 1, 77});
    ASSERT_TRUE(all && kinds);
    EXPECT_EQ(kinds->at(0), all->find(0)->kind);
    EXPECT_EQ(kinds->at(1), all->find(1)->kind);
    EXPECT_NE(kinds->at(1), placement::OsdKind::unknown);
    EXPECT_EQ(kinds->at(77), placement::OsdKind::unknown) << "there is no such OSD";
  }
}

}  // namespace
}  // namespace radosload::observe
