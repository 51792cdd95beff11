// A pool beside its drives: what an operation costs by the way the pool keeps its data, and the
// share that follows.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/drive_share.h"

namespace radosload::report {
namespace {

using record::PoolFacts;
using record::RunRecord;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PoolFacts replicated(std::uint32_t size) {
  return {.id = 1, .name = "p", .size = size};
}
PoolFacts erasure(std::uint32_t k, std::uint32_t m) {
  return {.id = 1, .name = "p", .erasure = true, .size = k + m, .k = k, .m = m};
}
Pattern pattern_of(Bytes size) {
  Pattern pattern;
  pattern.name = "any";
  pattern.block_size = size;
  return pattern;
}

TEST(DriveCosts, ReplicatedPool_ReadsOnceAndWritesEachReplica) {
  const PoolFacts pool = replicated(3);
  const auto read = cost_on_drives(OpKind::read, &pool, pattern_of(kib(4)));
  EXPECT_EQ(read.reads, 1);
  EXPECT_EQ(read.writes, 0);
  EXPECT_FALSE(read.at_least);
  const auto write = cost_on_drives(OpKind::write, &pool, pattern_of(kib(4)));
  EXPECT_EQ(write.reads, 0);
  EXPECT_EQ(write.writes, 3);
  EXPECT_EQ(write.bytes_written, 3);
  EXPECT_EQ(write.why, "each write is kept 3 times");
}

TEST(DriveCosts, NoPool_IsOneOperation) {
  EXPECT_EQ(cost_on_drives(OpKind::write, nullptr, pattern_of(kib(4))).writes, 1);
  EXPECT_EQ(cost_on_drives(OpKind::read, nullptr, pattern_of(kib(4))).reads, 1);
}

TEST(DriveCosts, WholeStripesOfAnErasureCodedPool_NeedNoReads) {
  const PoolFacts pool = erasure(4, 2);
  const auto write = cost_on_drives(OpKind::write, &pool, pattern_of(kib(16)));
  EXPECT_EQ(write.reads, 0);
  EXPECT_EQ(write.writes, 6);
  EXPECT_DOUBLE_EQ(write.bytes_written, 1.5);
  EXPECT_FALSE(write.at_least);
  const auto read = cost_on_drives(OpKind::read, &pool, pattern_of(mib(1)));
  EXPECT_EQ(read.reads, 4);
  EXPECT_EQ(read.bytes_read, 1);
}

TEST(DriveCosts, PartOfAStripe_IsReadModifyWriteAndABound) {
  const PoolFacts pool = erasure(2, 1);
  const auto write = cost_on_drives(OpKind::write, &pool, pattern_of(kib(4)));
  EXPECT_EQ(write.reads, 2);
  EXPECT_EQ(write.writes, 2);
  EXPECT_TRUE(write.at_least);
  const auto read = cost_on_drives(OpKind::read, &pool, pattern_of(kib(4)));
  EXPECT_EQ(read.reads, 1);
  EXPECT_TRUE(read.at_least);
}

// A run of one second with so many operations of each kind, of 1 MiB.
RunRecord run_of(const std::string& id, std::uint64_t reads, std::uint64_t writes) {
  RunRecord run;
  run.header.run_id = id;
  run.header.plan.pattern = pattern_of(mib(1));
  run.measured = std::chrono::seconds(1);
  const auto add = [&](OpKind kind, std::uint64_t count) {
    if (count == 0) return;
    record::Cell cell;
    cell.kind = kind;
    cell.finished = {.ops = count, .bytes = count << 20U};
    run.kinds.push_back(cell);
  };
  add(OpKind::read, reads);
  add(OpKind::write, writes);
  return run;
}

RunRecord pool_run(std::uint64_t reads, std::uint64_t writes, const PoolFacts& pool,
                   std::size_t osds) {
  RunRecord run = run_of("pool-run", reads, writes);
  run.header.environment.pool = pool;
  run.header.environment.osds.resize(osds);
  return run;
}

DriveShare share_of(const RunRecord& pool, const std::vector<RunRecord>& drives,
                    std::size_t equal = 0) {
  const auto share = share_of_drives(pool, drives, equal);
  EXPECT_TRUE(share) << share.error().message();
  return share.value_or(DriveShare{});
}

TEST(DriveShares, WritesOfThreeReplicas_AreHeldAgainstAThirdOfTheSum) {
  const auto share = share_of(pool_run(0, 60, replicated(3), 3),
                              {run_of("a", 0, 100), run_of("b", 0, 110), run_of("c", 0, 90)});
  ASSERT_EQ(share.rows.size(), 2U);
  EXPECT_EQ(share.rows[0].unit, "IOPS");
  EXPECT_DOUBLE_EQ(*share.rows[0].drives, 300);
  EXPECT_DOUBLE_EQ(*share.rows[0].attainable, 100);
  EXPECT_DOUBLE_EQ(*share.rows[0].share, 0.6);
  EXPECT_DOUBLE_EQ(*share.rows[1].share, 0.6);
  EXPECT_FALSE(share.together_iops);
  EXPECT_THAT(share.warnings, IsEmpty());
}

TEST(DriveShares, ReadsAndWritesOfAMix_AddUp) {
  const auto share =
      share_of(pool_run(100, 20, replicated(2), 2),
               {run_of("a", 200, 0), run_of("b", 200, 0), run_of("c", 0, 80), run_of("d", 0, 80)});
  EXPECT_DOUBLE_EQ(*share.rows[0].share, 0.25);
  EXPECT_DOUBLE_EQ(*share.rows[2].share, 0.25);
  EXPECT_DOUBLE_EQ(*share.together_iops, 0.5);
}

TEST(DriveShares, ReadModifyWrite_TakesTheTimeOfBoth) {
  RunRecord pool = pool_run(0, 10, erasure(2, 1), 1);
  pool.header.plan.pattern.block_size = kib(4);
  RunRecord read = run_of("a", 100, 0);
  RunRecord write = run_of("a2", 0, 50);
  for (RunRecord* const run : {&read, &write}) {
    run->header.plan.pattern.block_size = kib(4);
    run->header.plan.labels = {{"drive", "sda"}};
  }
  const auto share = share_of(pool, {read, write});
  EXPECT_EQ(share.drives, 1U);
  // 2 reads at 100 and 2 writes at 50 in a second: 0.06 s for one.
  EXPECT_NEAR(*share.rows[0].attainable, 1 / 0.06, 1e-9);
  EXPECT_TRUE(share.rows[0].at_least);
  const auto without = share_of(pool, {write});
  EXPECT_FALSE(without.rows[0].share);
  EXPECT_THAT(without.warnings, ::testing::Contains(HasSubstr("which such a write needs too")));
}

TEST(DriveShares, FewerRunsThanOsds_AreNamedAndScaledOnlyIfAsked) {
  const RunRecord pool = pool_run(100, 0, replicated(3), 4);
  const std::vector<RunRecord> drives = {run_of("a", 100, 0), run_of("b", 140, 0)};
  const auto share = share_of(pool, drives);
  EXPECT_DOUBLE_EQ(*share.rows[0].drives, 240);
  EXPECT_THAT(share.warnings, ElementsAre(HasSubstr("2 of 4 OSDs")));
  EXPECT_THAT(share.warnings.front(), HasSubstr("--drives 4"));
  const auto scaled = share_of(pool, drives, 4);
  EXPECT_DOUBLE_EQ(*scaled.rows[0].drives, 480);
  EXPECT_EQ(scaled.scaled, 4U);
  EXPECT_THAT(scaled.warnings, IsEmpty());
  EXPECT_FALSE(share_of_drives(pool, drives, 1));
}

TEST(DriveShares, RunsOfOneDrive_CountAsTheirMean) {
  std::vector<RunRecord> drives = {run_of("a", 100, 0), run_of("b", 200, 0), run_of("c", 300, 0)};
  drives[0].header.plan.pins.osds = "3";
  drives[1].header.plan.pins.osds = "3";
  const auto share = share_of(pool_run(100, 0, replicated(3), 2), drives);
  EXPECT_EQ(share.drives, 2U);
  EXPECT_DOUBLE_EQ(*share.rows[0].drives, 450);
}

TEST(DriveShares, RunsThatAreOfNoUse_AreNamed) {
  RunRecord bad = run_of("bad", 100, 0);
  bad.grade.value = record::GradeValue::void_run;
  const auto share = share_of(pool_run(50, 0, replicated(3), 1),
                              {run_of("a", 100, 0), run_of("mix", 10, 10), bad});
  EXPECT_EQ(share.drives, 1U);
  EXPECT_THAT(share.warnings, ElementsAre(HasSubstr("mix is left out: it has reads and writes"),
                                          HasSubstr("bad is left out: it is void")));
  EXPECT_FALSE(share_of_drives(pool_run(50, 0, replicated(3), 1), {bad}, 0));
  EXPECT_FALSE(share_of_drives(pool_run(0, 0, replicated(3), 1), {run_of("a", 1, 0)}, 0));
}

TEST(DriveShares, OtherBlockSize_LeavesOutIops) {
  RunRecord drive = run_of("a", 100, 0);
  drive.header.plan.pattern.block_size = kib(4);
  const auto share = share_of(pool_run(50, 0, replicated(3), 1), {drive});
  ASSERT_EQ(share.rows.size(), 1U);
  EXPECT_EQ(share.rows[0].unit, "MiB/s");
  EXPECT_THAT(share.warnings, ElementsAre(HasSubstr("the same --bs")));
}

TEST(DriveShares, MoreThanTheDrives_IsNotTheirWork) {
  const auto share = share_of(pool_run(150, 0, replicated(3), 1), {run_of("a", 100, 0)});
  EXPECT_THAT(share.warnings, ::testing::Contains(HasSubstr("more than its drives")));
}

TEST(DriveShares, Text_ShowsTheArithmeticAndWhatIsNotCounted) {
  const auto text = drive_share_text(
      share_of(pool_run(30, 10, replicated(3), 2),
               {run_of("a", 100, 0), run_of("b", 100, 0), run_of("c", 0, 60), run_of("d", 0, 60)}));
  EXPECT_THAT(text, HasSubstr("write: each write is kept 3 times"));
  EXPECT_THAT(text, HasSubstr("3 writes"));
  EXPECT_THAT(text, HasSubstr("25 %"));
  EXPECT_THAT(text, HasSubstr("40 % of the drives' time by IOPS"));
  EXPECT_THAT(text, HasSubstr("not counted"));
}

}  // namespace
}  // namespace radosload::report
