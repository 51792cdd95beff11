#include <numeric>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "placement/space_plan.h"
#include "support/files.h"
#include "views/space_text.h"

#include <fmt/format.h>

namespace radosload::placement {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SpaceView view_of(const std::string& release, const std::string& pool) {
  OsdMap map = parse_osd_dump(test::fixture(release, "osd-dump.json")).value();
  EXPECT_TRUE(parse_pool_usage(test::fixture(release, "df-detail.json"), map));
  SpaceView view = space_of(map, pool).value();
  view.osds = parse_osd_df(test::fixture(release, "osd-df.json")).value();
  view.pgs = PgMap::parse_pgs_brief(test::fixture(release, "pg-dump-pgs_brief.json"), view.pool.id)
                 .value();
  view.allocation = parse_allocation(test::fixture(release, "osd-metadata-all.json")).value();
  return view;
}

std::uint64_t expected_sum(const SpacePlan& plan) {
  return std::accumulate(
      plan.osds.begin(), plan.osds.end(), std::uint64_t{0},
      [](std::uint64_t sum, const OsdSpace& osd) { return sum + osd.expected.count; });
}

TEST(SpaceView, ReadsPoolsOfBothReleases) {
  const SpaceView hdd = view_of("16.2.15", "hdd");
  EXPECT_EQ(hdd.pool.id, 2);
  EXPECT_FALSE(hdd.pool.erasure);
  EXPECT_EQ(hdd.pool.size, 3U);
  EXPECT_EQ(hdd.pool.pg_num, 16U);
  EXPECT_EQ(hdd.pool.objects, 5U);
  EXPECT_EQ(hdd.pool.max_avail->count, 9991266304U);
  EXPECT_NEAR(hdd.nearfull_ratio, 0.85, 1e-6);
  ASSERT_EQ(hdd.osds.size(), 4U);
  EXPECT_EQ(hdd.osds[2].used, kib(4225248));
  EXPECT_EQ(hdd.osds[2].device_class, "hdd");
  EXPECT_EQ(hdd.allocation.at(3), kib(4));
  const SpaceView ec = view_of("18.2.7", "ec-k2m2");
  EXPECT_TRUE(ec.pool.erasure);
  EXPECT_EQ(ec.pool.k, 2U);
  EXPECT_EQ(ec.pool.size, 4U);
  EXPECT_EQ(ec.pool.stripe_width, kib(8));
}

TEST(SpaceView, KnowsWhichOsdsAreDown) {
  EXPECT_THAT(view_of("16.2.15", "hdd").down, IsEmpty());
  const std::string dump = R"({"osds": [{"osd": 0, "up": 1}, {"osd": 3, "up": 0}, {"osd": 7}],
                               "pools": [{"pool": 2, "pool_name": "hdd"}]})";
  EXPECT_THAT(space_of(parse_osd_dump(dump).value(), "hdd")->down, ElementsAre(3));
}

TEST(SpaceView, MissingPoolAndOtherText_AreErrors) {
  OsdMap map = parse_osd_dump(test::fixture("16.2.15", "osd-dump.json")).value();
  const auto missing = space_of(map, "nosuch");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message(), HasSubstr("'nosuch'"));
  for (const char* const text : {"", "nonsense", "17", "{"}) {
    EXPECT_FALSE(parse_osd_dump(text)) << text;
    EXPECT_FALSE(parse_pool_usage(text, map)) << text;
    EXPECT_FALSE(parse_osd_df(text)) << text;
    EXPECT_FALSE(parse_allocation(text)) << text;
  }
}

// An OSD that is out has no size, and Ceph divides by it.
TEST(SpaceView, NotANumberInOsdDfDoesNotSpoilTheRest) {
  const auto osds = parse_osd_df(
      R"({"nodes":[{"id":0,"type":"osd","kb":0,"kb_used":0,"utilization":-nan,"var":nan},
          {"id":1,"type":"osd","name":"nan","kb":100,"kb_used":7,"var": inf}]})");
  ASSERT_TRUE(osds) << osds.error().message();
  ASSERT_EQ(osds->size(), 2U);
  EXPECT_EQ(osds->at(1).used, kib(7));
}

TEST(SpaceView, QuotaFlagsMarkThePoolFull) {
  const auto pool_with = [](const std::string& flags) {
    const std::string dump = fmt::format(
        R"({{"pools": [{{"pool": 1, "pool_name": "p", "flags_names": "{}"}}]}})", flags);
    return space_of(parse_osd_dump(dump).value(), "p").value().pool;
  };
  EXPECT_TRUE(pool_with("hashpspool,full,full_quota").full);
  EXPECT_TRUE(pool_with("full_quota").full);
  EXPECT_FALSE(pool_with("hashpspool,nearfull,backfillfull").full);
}

TEST(SpacePlan, ReplicasAndShardsAreCounted) {
  const SpaceDemand demand{.objects = 256, .object_size = mib(4)};
  const SpacePlan replicated = plan_space(view_of("16.2.15", "hdd"), demand);
  EXPECT_EQ(replicated.data, gib(1));
  ASSERT_EQ(replicated.osds.size(), 3U);
  // Size 3 on three OSDs: each holds all of it, and there is nothing left to chance.
  for (const OsdSpace& osd : replicated.osds) {
    EXPECT_EQ(osd.expected.count, 256 * (mib(4).count + kib(1).count));
    EXPECT_EQ(osd.at_most, osd.expected);
  }
  const SpacePlan erasure = plan_space(view_of("16.2.15", "ec-k2m1"), demand);
  ASSERT_EQ(erasure.osds.size(), 4U);
  // Three shards of half an object each.
  EXPECT_NEAR(static_cast<double>(expected_sum(erasure)),
              256.0 * 3 * static_cast<double>(mib(2).count + kib(1).count), 8);
  EXPECT_EQ(erasure.raw.count, 256 * 3 * (mib(2).count + kib(1).count));
  for (const OsdSpace& osd : erasure.osds) EXPECT_GT(osd.at_most, osd.expected);
  EXPECT_TRUE(check_space(replicated));
  EXPECT_TRUE(check_space(erasure));
}

TEST(SpacePlan, SmallObjectsTakeWholeAllocationUnits) {
  SpaceView view = view_of("16.2.15", "hdd");
  const SpaceDemand demand{.objects = 1000, .object_size = Bytes{100}};
  EXPECT_EQ(plan_space(view, demand).osds[0].expected.count, 1000 * (kib(4).count + kib(1).count));
  view.allocation[0] = kib(64);
  EXPECT_EQ(plan_space(view, demand).osds[0].expected.count, 1000 * (kib(64).count + kib(1).count));
  // A stripe of 8 KiB is the least that an erasure-coded object takes: 4 KiB of each shard.
  const SpacePlan erasure = plan_space(view_of("16.2.15", "ec-k2m1"), demand);
  EXPECT_EQ(erasure.raw.count, 1000 * 3 * (kib(4).count + kib(1).count));
}

TEST(SpacePlan, AnOsdNearFullIsRefusedByName) {
  SpaceView view = view_of("16.2.15", "hdd");
  view.osds[1].used = Bytes{view.osds[1].total.count / 100 * 80};
  view.pool.max_avail.reset();
  const SpacePlan plan = plan_space(view, {.objects = 256, .object_size = mib(4)});
  const auto checked = check_space(plan);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().exit, Exit::refused);
  EXPECT_THAT(checked.error().message(), HasSubstr("osd.1"));
  EXPECT_THAT(checked.error().message(), HasSubstr("88.3 %"));
  EXPECT_THAT(checked.error().message(), HasSubstr("85.0 %"));
  EXPECT_THAT(checked.error().message(), HasSubstr("--size "));
  EXPECT_TRUE(check_space(plan_space(view, {.objects = plan.fits, .object_size = mib(4)})));
  EXPECT_FALSE(check_space(plan_space(view, {.objects = plan.fits + 1, .object_size = mib(4)})));
}

TEST(SpacePlan, QuotasRoomAndFullPoolsAreRefused) {
  const SpaceDemand demand{.objects = 256, .object_size = mib(4)};
  const auto refusal = [&](auto change) {
    SpaceView view = view_of("16.2.15", "hdd");
    change(view.pool);
    const auto checked = check_space(plan_space(view, demand));
    return checked ? std::string() : checked.error().message();
  };
  EXPECT_EQ(refusal([](Pool&) {}), "");
  EXPECT_THAT(refusal([](Pool& pool) { pool.full = true; }), HasSubstr("flagged full"));
  EXPECT_THAT(refusal([](Pool& pool) { pool.quota_objects = 200; }), HasSubstr("its quota is 200"));
  EXPECT_EQ(refusal([](Pool& pool) { pool.quota_objects = 5 + 256 + 2 + 1; }), "");
  EXPECT_THAT(refusal([](Pool& pool) { pool.quota_bytes = gib(1); }),
              HasSubstr("its quota is 1 GiB"));
  EXPECT_THAT(refusal([](Pool& pool) { pool.max_avail = mib(1000); }),
              HasSubstr("room for 1000 MiB"));
}

TEST(SpacePlan, WithoutTheMgrThePoolAloneIsPlanned) {
  SpaceView view = view_of("16.2.15", "hdd");
  view.osds.clear();
  view.pgs = {};
  view.unseen = {"space on each OSD: no"};
  const SpacePlan plan = plan_space(view, {.objects = 256, .object_size = mib(4)});
  EXPECT_TRUE(plan.osds.empty());
  EXPECT_EQ(plan.unseen.size(), 1U);
  EXPECT_TRUE(check_space(plan));
  EXPECT_FALSE(check_space(plan_space(view, {.objects = 25600, .object_size = mib(4)})));
}

TEST(SpacePlan, ReadsAsATable) {
  SpaceView view = view_of("16.2.15", "hdd");
  view.unseen = {"the mgr: away"};
  view.pool.quota_objects = 1000;
  const std::string text =
      views::space_text(plan_space(view, {.objects = 256, .object_size = mib(4)}));
  EXPECT_THAT(text, HasSubstr("1 GiB in 256 objects, 3 GiB on the OSDs of pool hdd"));
  EXPECT_THAT(text, HasSubstr("quota 1000 objects, 5 of them used"));
  EXPECT_THAT(text,
              HasSubstr("  osd.1  hdd        12 GiB   0.3 %      1 GiB      1 GiB   8.6 %\n"));
  EXPECT_THAT(text, HasSubstr("not seen: the mgr: away\n"));
}

// Whatever the cluster looks like: what is said to fit is not refused, one object more is, and a
// larger demand never takes less.
RC_GTEST_PROP(SpacePlanProperties, Plan_FitsExactlyUpToTheLimit, ()) {
  SpaceView view = view_of("18.2.7", *rc::gen::element<std::string>("hdd", "ssd", "ec-k2m1"));
  for (OsdUsage& osd : view.osds) {
    osd.used = Bytes{osd.total.count / 100 * *rc::gen::inRange<std::uint64_t>(0, 84)};
  }
  if (*rc::gen::arbitrary<bool>()) {
    view.pool.quota_objects = *rc::gen::inRange<std::uint64_t>(20000, 40000);
  }
  const Bytes size{*rc::gen::inRange<std::uint64_t>(0, 1U << 23U)};
  SpaceDemand demand{.objects = *rc::gen::inRange<std::uint64_t>(1, 100000), .object_size = size};
  const SpacePlan plan = plan_space(view, demand);
  RC_ASSERT(check_space(plan).has_value() == (plan.fits >= demand.objects));
  if (plan.fits > 0) {
    demand.objects = plan.fits;
    RC_ASSERT(check_space(plan_space(view, demand)).has_value());
  }
  demand.objects = plan.fits + 1;
  RC_ASSERT(!check_space(plan_space(view, demand)).has_value());
}

}  // namespace
}  // namespace radosload::placement
