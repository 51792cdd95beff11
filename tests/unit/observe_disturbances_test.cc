// Each row of the table "what makes a measurement invalid", with a neighbour that is harmless.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/disturbances.h"
#include "support/files.h"

namespace radosload::observe {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Pool 2, of which the run uses two PGs, on osd.1 to osd.3.
const Measured unpinned = {.pool = 2, .pgs = {0, 0x1f}, .osds = {1, 2, 3}};
const Measured pinned = {.pool = 2, .pgs = {0, 0x1f}, .osds = {1, 2, 3}, .pinned = {3}};

ClusterStatus quiet_status() {
  ClusterStatus status;
  status.quorum = {"a", "b", "c"};
  status.election_epoch = 6;
  return status;
}

HealthCheck a_check(std::string code, std::uint64_t count) {
  return {.code = std::move(code),
          .severity = "HEALTH_WARN",
          .summary = std::to_string(count) + " of them",
          .count = count};
}

placement::OsdMap quiet_map() {
  placement::OsdMap map;
  map.pools = {{.id = 2, .name = "hdd", .pg_num = 32, .pg_num_target = 32},
               {.id = 5, .name = "other", .pg_num = 8, .pg_num_target = 8}};
  map.up = {1, 2, 3, 4};
  for (const std::int32_t osd : map.up)
    map.identities[osd] = {.up = true, .up_from = 10, .nonce = 77};
  return map;
}

BusyPg a_busy_pg(std::int64_t pool, std::uint32_t seed, std::string state) {
  return {.pool = pool, .seed = seed, .state = std::move(state), .primary = 1, .acting = {1, 2}};
}

// One line for each that was found: its harm and what it is.
std::vector<std::string> lines_of(const Disturbances& log) {
  constexpr std::array<const char*, 3> harms = {"noted", "contaminated", "void"};
  std::vector<std::string> lines;
  for (const Disturbance& one : log.all()) {
    lines.push_back(std::string(harms.at(static_cast<std::size_t>(one.harm))) + ": " + one.what);
  }
  return lines;
}

template <typename Answer>
std::vector<std::string> between(const Measured& measured, const Answer& before,
                                 const Answer& after) {
  Disturbances log(measured);
  log.add(before, seconds(0));
  log.forget();
  log.add(after, seconds(2));
  return lines_of(log);
}

std::vector<std::string> while_busy(const Measured& measured, const BusyPg& pg) {
  Disturbances log(measured);
  log.add(std::vector<BusyPg>{pg}, seconds(2));
  return lines_of(log);
}

TEST(Disturbances, AScrubCountsOnPgsOfTheRunOnly) {
  EXPECT_THAT(while_busy(unpinned, a_busy_pg(2, 0x1f, "active+clean+scrubbing+deep")),
              ElementsAre("contaminated: PG 2.1f was deep-scrubbed (osd.1)"));
  EXPECT_THAT(while_busy(unpinned, a_busy_pg(2, 0, "active+clean+scrubbing")),
              ElementsAre("contaminated: PG 2.0 was scrubbed (osd.1)"));
  EXPECT_THAT(while_busy(unpinned, a_busy_pg(2, 5, "active+clean+scrubbing")), IsEmpty());
  EXPECT_THAT(while_busy(unpinned, a_busy_pg(7, 0x1f, "active+clean+scrubbing")), IsEmpty());
}

TEST(Disturbances, TrimmingSnapshotsCountsAndWaitingForItDoesNot) {
  EXPECT_THAT(while_busy(unpinned, a_busy_pg(2, 0, "active+clean+snaptrim")),
              ElementsAre(HasSubstr("contaminated: PG 2.0 was trimming snapshots")));
  EXPECT_THAT(while_busy(unpinned, a_busy_pg(2, 0, "active+clean+snaptrim_wait")), IsEmpty());
}

TEST(Disturbances, RecoveryAndBackfillContaminateAndWaitingForThemDoesNot) {
  EXPECT_THAT(while_busy(unpinned, a_busy_pg(2, 0, "active+recovering+degraded")),
              ElementsAre(HasSubstr("contaminated: PG 2.0 was recovering")));
  EXPECT_THAT(while_busy(unpinned, a_busy_pg(2, 0, "active+remapped+backfilling")),
              ElementsAre(HasSubstr("contaminated: PG 2.0 was backfilling")));
  EXPECT_THAT(while_busy(unpinned, a_busy_pg(2, 0, "active+undersized+degraded")),
              ElementsAre(HasSubstr("contaminated: PG 2.0 was degraded")));
  EXPECT_THAT(while_busy(unpinned, a_busy_pg(2, 0, "active+remapped+backfill_wait")), IsEmpty());
}

TEST(Disturbances, APinnedOsdIsDisturbedByThePgsOfOtherPools) {
  BusyPg pg = a_busy_pg(7, 9, "active+clean+scrubbing");
  EXPECT_THAT(while_busy(pinned, pg), IsEmpty());
  pg.acting = {1, 3};
  EXPECT_THAT(while_busy(pinned, pg), ElementsAre("contaminated: PG 7.9 was scrubbed (osd.1)"));
  EXPECT_THAT(while_busy(unpinned, pg), IsEmpty());
}

// Pool 2 with the metadata in pool 5, and file system 1.
const Measured files = {.pool = 2, .osds = {1, 2, 3}, .whole_pools = {2, 5}, .file_system = 1};

TEST(Disturbances, OfFilesEveryPgOfBothPoolsCounts) {
  EXPECT_THAT(while_busy(files, a_busy_pg(2, 5, "active+clean+scrubbing")),
              ElementsAre("contaminated: PG 2.5 was scrubbed (osd.1)"));
  EXPECT_THAT(while_busy(files, a_busy_pg(5, 1, "active+clean+scrubbing")),
              ElementsAre("contaminated: PG 5.1 was scrubbed (osd.1)"));
  EXPECT_THAT(while_busy(files, a_busy_pg(7, 1, "active+clean+scrubbing")), IsEmpty());
  placement::OsdMap without = quiet_map();
  without.pools.pop_back();
  EXPECT_THAT(between(files, quiet_map(), without), ElementsAre("void: pool other was deleted"));
  EXPECT_THAT(between(unpinned, quiet_map(), without), IsEmpty());
}

ClusterStatus status_with_mds(std::int64_t file_system, std::string name, std::string state,
                              std::uint64_t gid) {
  ClusterStatus status = quiet_status();
  status.mds_ranks = {{.file_system = file_system,
                       .rank = 0,
                       .name = std::move(name),
                       .state = std::move(state),
                       .gid = gid}};
  return status;
}

TEST(Disturbances, AnMdsThatIsReplacedOrRestarted_Contaminates) {
  const ClusterStatus before = status_with_mds(1, "a", "up:active", 4110);
  const auto after = [&](const ClusterStatus& status) { return between(files, before, status); };
  EXPECT_THAT(after(before), IsEmpty());
  EXPECT_THAT(after(status_with_mds(1, "a", "up:replay", 4126)),
              ElementsAre("contaminated: mds.a was restarted"));
  EXPECT_THAT(after(status_with_mds(1, "b", "up:active", 4120)),
              ElementsAre("contaminated: mds.b took over from mds.a"));
  EXPECT_THAT(after(status_with_mds(1, "a", "up:stopping", 4110)),
              ElementsAre("contaminated: mds.a was up:stopping"));
  EXPECT_THAT(after(quiet_status()), ElementsAre("contaminated: mds.a stopped serving its rank"));
  EXPECT_THAT(between(files, status_with_mds(1, "a", "up:clientreplay", 4110), before), IsEmpty());
  EXPECT_THAT(between(files, status_with_mds(2, "a", "up:active", 1), quiet_status()), IsEmpty())
      << "of another file system";
  EXPECT_THAT(between(unpinned, before, quiet_status()), IsEmpty()) << "no run on files";
}

TEST(Disturbances, RanksOfMdss_AreReadFromTheStatus) {
  ClusterStatus status;
  ASSERT_TRUE(parse_status(R"({"fsmap": {"by_rank": [{"filesystem_id": 1, "rank": 0, "name": "a",
      "status": "up:active", "gid": 4110}]}})",
                           status));
  ASSERT_EQ(status.mds_ranks.size(), 1U);
  EXPECT_EQ(status.mds_ranks[0].file_system, 1);
  EXPECT_EQ(status.mds_ranks[0].rank, 0);
  EXPECT_EQ(status.mds_ranks[0].name, "a");
  EXPECT_EQ(status.mds_ranks[0].state, "up:active");
  EXPECT_EQ(status.mds_ranks[0].gid, 4110U);
}

TEST(Disturbances, RecoveryElsewhereIsNoted) {
  ClusterStatus recovering = quiet_status();
  recovering.recovering_per_second = 3;
  EXPECT_THAT(between(unpinned, quiet_status(), recovering),
              ElementsAre("noted: some PGs of the cluster were recovering"));
}

TEST(Disturbances, ARestartedTargetVoidsAndAnyOtherOsdOfTheRunContaminates) {
  placement::OsdMap after = quiet_map();
  after.identities[3] = {.up = true, .up_from = 14, .nonce = 78};
  EXPECT_THAT(between(pinned, quiet_map(), after), ElementsAre("void: osd.3 was restarted"));
  EXPECT_THAT(between(unpinned, quiet_map(), after),
              ElementsAre("contaminated: osd.3 was restarted: its figures in this run are void"));
  after = quiet_map();
  after.identities[2] = {.up = true, .up_from = 14, .nonce = 78};
  EXPECT_THAT(between(pinned, quiet_map(), after),
              ElementsAre(HasSubstr("contaminated: osd.2 was restarted")));
  after = quiet_map();
  after.identities[4] = {.up = true, .up_from = 14, .nonce = 78};
  EXPECT_THAT(between(unpinned, quiet_map(), after), IsEmpty()) << "the run does not use osd.4";
}

TEST(Disturbances, OsdThatIsOrWasDown_IsReported) {
  placement::OsdMap down = quiet_map();
  down.identities[3].up = false;
  EXPECT_THAT(between(pinned, quiet_map(), down), ElementsAre("void: osd.3 went down"));
  EXPECT_THAT(between(pinned, down, quiet_map()), ElementsAre("void: osd.3 returned"));
  placement::OsdMap again = quiet_map();
  again.identities[3].up_from = 14;
  EXPECT_THAT(between(pinned, quiet_map(), again),
              ElementsAre("void: osd.3 was marked down and returned"));
  EXPECT_THAT(between(pinned, quiet_map(), quiet_map()), IsEmpty());
}

TEST(Disturbances, LostMonAndElection_Contaminate) {
  ClusterStatus lost = quiet_status();
  lost.quorum = {"a", "c"};
  lost.election_epoch = 8;
  EXPECT_THAT(between(unpinned, quiet_status(), lost),
              ElementsAre("contaminated: mon.b left the quorum"));
  ClusterStatus elected = quiet_status();
  elected.election_epoch = 8;
  EXPECT_THAT(between(unpinned, quiet_status(), elected),
              ElementsAre("contaminated: the mons held an election"));
  EXPECT_THAT(between(unpinned, lost, lost), IsEmpty()) << "it was lost before";
}

TEST(Disturbances, PgsOfThePoolThatSplitContaminate) {
  placement::OsdMap splitting = quiet_map();
  splitting.pools[0].pg_num_target = 64;
  EXPECT_THAT(between(unpinned, splitting, splitting),
              ElementsAre("contaminated: pool hdd was changing its number of PGs"));
  placement::OsdMap split = quiet_map();
  split.pools[0].pg_num = split.pools[0].pg_num_target = 64;
  EXPECT_THAT(between(unpinned, quiet_map(), split), ElementsAre(HasSubstr("became 64, from 32")));
  placement::OsdMap other = quiet_map();
  other.pools[1].pg_num_target = 16;
  EXPECT_THAT(between(unpinned, quiet_map(), other), IsEmpty());
}

TEST(Disturbances, ADeletedPoolVoids) {
  placement::OsdMap without = quiet_map();
  without.pools.erase(without.pools.begin());
  EXPECT_THAT(between(unpinned, quiet_map(), without), ElementsAre("void: pool hdd was deleted"));
}

TEST(Disturbances, TheBalancerCountsWhenItFoundAPlan) {
  const Balancer idle = {.active = true, .last_start = "Sat 02:23:57", .has_plan = false};
  const Balancer in_vain = {.active = true, .last_start = "Sat 02:24:57", .has_plan = false};
  const Balancer moved = {.active = true, .last_start = "Sat 02:24:57", .has_plan = true};
  EXPECT_THAT(between(unpinned, idle, moved), ElementsAre("contaminated: the balancer moved PGs"));
  EXPECT_THAT(between(unpinned, idle, in_vain), IsEmpty());
  EXPECT_THAT(between(unpinned, moved, moved), IsEmpty()) << "that was before";
}

TEST(Disturbances, NearfullAndFlagsAreNotedAndOtherChecksAreNot) {
  ClusterStatus warned = quiet_status();
  warned.checks = {a_check("OSD_NEARFULL", 1), a_check("OSDMAP_FLAGS", 1),
                   a_check("MON_DISK_LOW", 1)};
  EXPECT_THAT(between(unpinned, quiet_status(), warned),
              ElementsAre("noted: OSD_NEARFULL: 1 of them", "noted: OSDMAP_FLAGS: 1 of them"));
  warned.checks = {a_check("OSD_NEARFULL", 1)};
  warned.checks[0].muted = true;
  EXPECT_THAT(between(unpinned, quiet_status(), warned), IsEmpty());
}

TEST(Disturbances, HealthCheckThatStays_CountsOnlyWhenItGrows) {
  for (const char* const code : {"SLOW_OPS", "BLUESTORE_SLOW_OP_ALERT"}) {
    ClusterStatus old = quiet_status();
    old.checks = {a_check(code, 4)};
    ClusterStatus more = quiet_status();
    more.checks = {a_check(code, 5)};
    EXPECT_THAT(between(unpinned, quiet_status(), old), ElementsAre(HasSubstr(code)));
    EXPECT_THAT(between(unpinned, old, more), ElementsAre(HasSubstr("5 of them")));
    EXPECT_THAT(between(unpinned, old, old), IsEmpty());
    EXPECT_THAT(between(unpinned, more, old), IsEmpty());
  }
}

TEST(Disturbances, LongDisturbance_IsOneWithItsFirstAndLastTime) {
  Disturbances log(unpinned);
  const std::vector<BusyPg> busy = {a_busy_pg(2, 0, "active+clean+scrubbing")};
  log.add(busy, seconds(2));
  EXPECT_EQ(log.take_new().size(), 1U);
  log.add(busy, seconds(6));
  EXPECT_THAT(log.take_new(), IsEmpty());
  ASSERT_EQ(log.all().size(), 1U);
  EXPECT_EQ(log.all()[0].from, seconds(2));
  EXPECT_EQ(log.all()[0].to, seconds(6));
  EXPECT_EQ(log.all()[0].pg, "2.0");
  EXPECT_EQ(log.all()[0].osd, 1);
}

TEST(BusyPgs, OnlyThoseThatDoSomethingElseAreReadFromPgLs) {
  const auto busy = parse_busy_pgs(
      R"({"pg_ready": true, "pg_stats": [)"
      R"({"pgid": "2.1f", "state": "active+clean+scrubbing", "acting": [3, 1], "acting_primary": 3},)"
      R"({"pgid": "2.0", "state": "active+clean", "acting": [1, 3], "acting_primary": 1}]})");
  ASSERT_TRUE(busy);
  ASSERT_EQ(busy->size(), 1U);
  EXPECT_EQ(busy->front().seed, 0x1fU);
  EXPECT_THAT(busy->front().acting, ElementsAre(3, 1));
  const auto none = parse_busy_pgs(R"({"pg_ready":true})");
  ASSERT_TRUE(none);
  EXPECT_THAT(*none, IsEmpty());
  EXPECT_FALSE(parse_busy_pgs("{\"pg_stats\": [{\"pgid"));
}

TEST(BusyPgs, TheRecordedStatusOfAQuietClusterCountsNone) {
  for (const char* const release : {"16.2.15", "18.2.7"}) {
    ClusterStatus status;
    ASSERT_TRUE(parse_status(test::fixture(release, "status.json"), status)) << release;
    EXPECT_EQ(busy_pgs(status), 0U) << release;
    EXPECT_GT(status.election_epoch, 0U) << release;
    EXPECT_FALSE(status.quorum.empty()) << release;
  }
}

TEST(BusyPgs, TheRecordedMapsTellWhoEachOsdIs) {
  for (const char* const release : {"16.2.15", "18.2.7"}) {
    const auto map = placement::parse_osd_dump(test::fixture(release, "osd-dump.json"));
    ASSERT_TRUE(map) << release;
    ASSERT_TRUE(map->identities.contains(0)) << release;
    EXPECT_GT(map->identities.at(0).up_from, 0U) << release;
    EXPECT_GT(map->identities.at(0).nonce, 0U) << release;
  }
}

TEST(BusyPgs, TheRecordedBalancerHasNoPlan) {
  const auto balancer = parse_balancer_turn(test::fixture("16.2.15", "balancer-status.json"));
  ASSERT_TRUE(balancer);
  EXPECT_TRUE(balancer->active);
  EXPECT_FALSE(balancer->has_plan);
  EXPECT_FALSE(balancer->last_start.empty());
}

// `radosload watch` of osd.1 and osd.2.
const Measured counters = {.osds = {1, 2}, .counters_only = true};

TEST(CountersOnly, APgOfAnyPoolCountsWhenAWatchedOsdHoldsIt) {
  EXPECT_THAT(while_busy(counters, a_busy_pg(7, 0x1f, "active+clean+scrubbing+deep")),
              ElementsAre("contaminated: PG 7.1f was deep-scrubbed (osd.1)"));
  const Measured others = {.osds = {3, 4}, .counters_only = true};
  EXPECT_THAT(while_busy(others, a_busy_pg(7, 0x1f, "active+clean+scrubbing+deep")), IsEmpty());
}

TEST(CountersOnly, ARestartContaminatesAndIsNotVoid) {
  auto after = quiet_map();
  after.identities[1] = {.up = true, .up_from = 20, .nonce = 78};
  EXPECT_THAT(between(counters, quiet_map(), after),
              ElementsAre("contaminated: osd.1 was restarted"));
  auto other = quiet_map();
  other.identities[4] = {.up = true, .up_from = 20, .nonce = 78};
  EXPECT_THAT(between(counters, quiet_map(), other), IsEmpty());
}

TEST(CountersOnly, EveryPoolThatChangesItsPgsOrIsDeletedCounts) {
  auto splitting = quiet_map();
  splitting.pools[1].pg_num_target = 16;
  EXPECT_THAT(between(counters, quiet_map(), splitting),
              ElementsAre("contaminated: pool other was changing its number of PGs"));
  auto fewer = quiet_map();
  fewer.pools.pop_back();
  EXPECT_THAT(between(counters, quiet_map(), fewer),
              ElementsAre("contaminated: pool other was deleted"));
  EXPECT_THAT(between(counters, quiet_map(), quiet_map()), IsEmpty());
}

}  // namespace
}  // namespace radosload::observe
