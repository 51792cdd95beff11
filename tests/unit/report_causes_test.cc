// What explains a run: each rule on figures as a lab has measured them, and on harmless neighbours.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/causes/cause.h"
#include "report/causes/causes_text.h"
#include "report_causes_support.h"

namespace radosload::report {
namespace {

using record::RunRecord;
using testing::Commit;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::reads_of;
using testing::run_with;
using testing::writes_of;

std::vector<std::string> names_of(const RunRecord& run) {
  std::vector<std::string> names;
  for (const Cause& cause : explain(run).causes) names.emplace_back(cause.name);
  return names;
}

double share_of(const RunRecord& run) {
  const Explanation explanation = explain(run);
  EXPECT_FALSE(explanation.causes.empty());
  if (explanation.causes.empty() || !explanation.causes.front().size) return -1;
  return explanation.causes.front().size->share;
}

std::string first_evidence(const RunRecord& run) {
  const Explanation explanation = explain(run);
  return explanation.causes.empty() ? "" : explanation.causes.front().evidence.front();
}

constexpr Commit fast{
    .wait_ms = 5.4, .commit_ms = 3.7, .data_ms = 0.45, .flush_ms = 0.48, .kv_ms = 1.8};
constexpr Commit slow_flush{
    .wait_ms = 19.7, .commit_ms = 15.7, .data_ms = 0.53, .flush_ms = 2.9, .kv_ms = 7.5};
constexpr Commit disk{
    .wait_ms = 240, .commit_ms = 120, .data_ms = 0, .flush_ms = 0, .kv_ms = 70, .deferred_ms = 280};

RunRecord writes_on(const Commit& commit, double mean_ms) {
  return run_with(OpKind::write, mean_ms,
                  {writes_of(4, commit), writes_of(5, commit), writes_of(6, commit)});
}

TEST(Causes, QuietRun_HasNone) {
  EXPECT_THAT(names_of(writes_on(fast, 6.3)), IsEmpty());
  EXPECT_THAT(names_of(run_with(OpKind::read, 0.56,
                                {reads_of(4, 0.27, 0.21, 0.19), reads_of(5, 0.24, 0.17, 0.15),
                                 reads_of(6, 0.2, 0.15, 0.13)})),
              IsEmpty());
  EXPECT_THAT(explain(writes_on(fast, 6.3)).unseen, IsEmpty());
}

TEST(Causes, OneSlowOsd_IsNamedWithItsShareAndNothingElse) {
  const Commit slow{.wait_ms = 262, .commit_ms = 254, .data_ms = 79, .flush_ms = 18, .kv_ms = 112};
  const Commit waits{.wait_ms = 180, .commit_ms = 5.6, .data_ms = 0.9, .flush_ms = 0.5, .kv_ms = 3};
  const RunRecord run =
      run_with(OpKind::write, 184, {writes_of(4, waits), writes_of(5, slow), writes_of(6, waits)});
  EXPECT_THAT(names_of(run), ElementsAre("slow-osd"));
  EXPECT_NEAR(share_of(run), 0.97, 0.15);
  const Cause cause = explain(run).causes.front();
  EXPECT_EQ(cause.claim, "osd.5 is slower than the others");
  EXPECT_THAT(cause.evidence.front(), HasSubstr("254 ms on osd.5, and 5.6 ms on the median OSD"));
  EXPECT_EQ(cause.command, "radosload replicas --pool hdd") << "pinned writes wait for replicas";
}

TEST(Causes, OsdsOfOneModel_AreNotNamed) {
  Commit slower = fast;
  slower.commit_ms *= 1.5;
  EXPECT_THAT(names_of(run_with(OpKind::write, 6.5,
                                {writes_of(4, fast), writes_of(5, slower), writes_of(6, fast)})),
              IsEmpty());
}

TEST(Causes, BusyOsd_IsNotCalledSlowWithoutSayingThatItIsBusy) {
  const RunRecord run =
      run_with(OpKind::read, 17,
               {reads_of(0, 4.2, 2.3, 2.2, 100), reads_of(1, 47, 28, 28, 300),
                reads_of(2, 2.6, 1.9, 1.9, 100), reads_of(3, 0.7, 0.6, 0.6, 100)});
  ASSERT_FALSE(explain(run).causes.empty());
  const Cause cause = explain(run).causes.front();
  EXPECT_EQ(cause.name, "busy-osd");
  EXPECT_THAT(cause.claim, HasSubstr("osd.1 is slow and busy"));
  EXPECT_THAT(cause.evidence.back(), HasSubstr("2 times an equal share"));
  EXPECT_THAT(cause.command, HasSubstr("--osd 0-3"));
}

TEST(Causes, SlowFlushes_AreNotMistakenForSlowDrives) {
  const RunRecord run = writes_on(slow_flush, 21.4);
  EXPECT_THAT(names_of(run), ElementsAre("slow-flush"));
  EXPECT_NEAR(share_of(run), 0.85, 0.05);
  EXPECT_THAT(first_evidence(run), HasSubstr("writing data takes 530 us, flushing it 2.9 ms"));
}

TEST(Causes, DriveThatWritesAsSlowlyAsItFlushes_HasNoSlowFlush) {
  Commit slow = slow_flush;
  slow.data_ms = 2;
  EXPECT_THAT(names_of(writes_on(slow, 21.4)), ElementsAre("slow-drives"));
}

TEST(Causes, SlowFlushes_AreSeenWhereAllDataIsDeferred) {
  const Commit deferred{
      .wait_ms = 11, .commit_ms = 9, .data_ms = 0, .flush_ms = 0, .kv_ms = 7, .deferred_ms = 0.9};
  EXPECT_THAT(names_of(writes_on(deferred, 12)), ElementsAre("slow-flush"));
}

TEST(Causes, Disks_AreSlowDrives) {
  const RunRecord run = writes_on(disk, 245);
  EXPECT_THAT(names_of(run), ElementsAre("slow-drives"));
  EXPECT_NEAR(share_of(run), 0.98, 0.05);
  const RunRecord reads =
      run_with(OpKind::read, 14,
               {reads_of(0, 13, 11, 10), reads_of(1, 13, 11, 10), reads_of(2, 13, 11, 10)});
  EXPECT_THAT(names_of(reads), ElementsAre("slow-drives"));
}

TEST(Causes, SmallWritesOfAnErasureCodedPool_ReadTheirStripeFirst) {
  RunRecord run =
      writes_on({.wait_ms = 9.8, .commit_ms = 5.6, .kv_ms = 3.3, .deferred_ms = 1.3}, 11.3);
  run.header.environment.pool =
      record::PoolFacts{.name = "ec", .erasure = true, .size = 3, .k = 2, .m = 1};
  EXPECT_THAT(names_of(run), IsEmpty()) << "no OSD has read anything";
  for (record::OsdWindow& window : run.counters) {
    window.growth.times["read"] = {.count = 2 * window.ours, .seconds = 0.0005 * 2 * 100};
  }
  EXPECT_THAT(names_of(run), ElementsAre("stripe-reads"));
  EXPECT_THAT(first_evidence(run), HasSubstr("2.0 times for each write"));
  EXPECT_THAT(explain(run).causes.front().command, HasSubstr("--bs 8k"));
  run.header.environment.pool->erasure = false;
  EXPECT_THAT(names_of(run), IsEmpty());
}

RunRecord with_misses(std::uint64_t misses, double execution_ms) {
  const double process_ms = 0.2 + execution_ms;
  RunRecord run = run_with(OpKind::read, process_ms + 0.3,
                           {reads_of(0, process_ms + 0.1, process_ms, 0.2),
                            reads_of(1, process_ms + 0.1, process_ms, 0.2)});
  for (record::OsdWindow& window : run.counters) {
    window.growth.counts["onode_misses"] = misses;
    window.growth.counts["onode_hits"] = 1000;
  }
  return run;
}

TEST(Causes, MetadataThatIsNotInMemory_IsNamedWhereReadsWaitForIt) {
  EXPECT_THAT(names_of(with_misses(500, 2)), ElementsAre("metadata-reads"));
  EXPECT_THAT(names_of(with_misses(500, 0.02)), IsEmpty()) << "the misses cost nothing";
  EXPECT_THAT(names_of(with_misses(10, 2)), IsEmpty()) << "something else takes the time";
}

TEST(Causes, ReadsFromMemory_AreNamedWithoutASize) {
  RunRecord run = run_with(OpKind::read, 0.5, {reads_of(0, 0.2, 0.1, 0.05)});
  run.counters[0].growth.counts["buffer_hit_bytes"] = 60;
  run.counters[0].growth.counts["buffer_miss_bytes"] = 40;
  EXPECT_THAT(names_of(run), ElementsAre("memory-reads"));
  EXPECT_FALSE(explain(run).causes.front().size);
  run.counters[0].growth.counts["buffer_miss_bytes"] = 4000;
  EXPECT_THAT(names_of(run), IsEmpty());
}

TEST(Causes, Spillover_CountsOnlyWithADbDevice) {
  RunRecord run = writes_on(fast, 6.3);
  for (record::OsdWindow& window : run.counters) window.growth.levels["slow_used_bytes"] = 1 << 25;
  EXPECT_THAT(names_of(run), IsEmpty());
  run.counters[1].kind = "db+wal";
  EXPECT_THAT(names_of(run), ElementsAre("spillover"));
  EXPECT_THAT(first_evidence(run), HasSubstr("32 MiB"));
}

TEST(Causes, WritesThatWaitForTheThrottleOfTheStore_AreNamed) {
  RunRecord run = writes_on(fast, 6.3);
  for (record::OsdWindow& window : run.counters) {
    window.growth.times["txc_throttle"] = {.count = 100, .seconds = 0.2};
  }
  EXPECT_THAT(names_of(run), ElementsAre("store-throttle"));
  EXPECT_NEAR(share_of(run), 2 / 6.3, 0.01);
}

RunRecord queued(std::uint32_t depth) {
  RunRecord run =
      run_with(OpKind::read, 15, {reads_of(0, 14, 0.7, 0.5), reads_of(1, 14, 0.7, 0.5)});
  run.header.plan.pattern.queue_depth = depth;
  return run;
}

TEST(Causes, DeepQueue_IsNamedOnlyWhereTheRunIsDeep) {
  EXPECT_THAT(names_of(queued(64)), ElementsAre("deep-queue"));
  EXPECT_THAT(explain(queued(64)).causes.front().command, HasSubstr("--qd 16"));
  EXPECT_THAT(names_of(queued(4)), IsEmpty());
}

TEST(Causes, ClientThatWaitsForACpu_IsTheLimit) {
  RunRecord run = writes_on(fast, 12);
  run.client = {.user_s = 0.5, .system_s = 0.5};
  run.client_load->cpu_wait = std::chrono::seconds(3);
  EXPECT_THAT(names_of(run), ElementsAre("client-cpu"));
  EXPECT_THAT(first_evidence(run), HasSubstr("no CPU for 75 % of the time"));
  run.client_load->cpu_wait = std::chrono::milliseconds(100);
  EXPECT_THAT(names_of(run), IsEmpty());
  run.client = {.user_s = 15, .system_s = 4};
  EXPECT_THAT(names_of(run), ElementsAre("client-cpu")) << "95 % of its two CPUs";
}

TEST(Causes, FullLinkOfTheClient_IsNamed) {
  RunRecord run = writes_on(fast, 6.3);
  run.client_load->interface = "eth0";
  run.client_load->link_mbit = 1000;
  run.client_load->sent = 1'200'000'000;
  EXPECT_THAT(names_of(run), ElementsAre("client-link"));
  run.client_load->sent = 600'000'000;
  EXPECT_THAT(names_of(run), IsEmpty());
}

TEST(Causes, OperationsThatLibradosHeldBack_AreNamed) {
  RunRecord run = writes_on(fast, 6.3);
  run.client_load->counters =
      ClientCounters{.ops_waits = 300, .ops_wait = std::chrono::milliseconds(900)};
  EXPECT_THAT(names_of(run), ElementsAre("client-throttle"));
  EXPECT_NEAR(share_of(run), 3 / 6.3, 0.01);
  run.client_load->counters->ops_wait = std::chrono::milliseconds(9);
  EXPECT_THAT(names_of(run), IsEmpty());
}

TEST(Causes, LargestIsFirst) {
  RunRecord run = writes_on(slow_flush, 21.4);
  run.client_load->counters =
      ClientCounters{.ops_waits = 300, .ops_wait = std::chrono::milliseconds(600)};
  run.counters[0].growth.levels["slow_used_bytes"] = 1 << 25;
  run.counters[0].kind = "db";
  EXPECT_THAT(names_of(run), ElementsAre("slow-flush", "client-throttle", "spillover"));
}

TEST(Causes, WhatCouldNotBeExamined_IsSaid) {
  RunRecord run = writes_on(slow_flush, 21.4);
  run.counters[0].ours = 10;
  EXPECT_THAT(names_of(run), IsEmpty()) << "the time of others' operations is not the run's";
  EXPECT_THAT(explanation_text(run), HasSubstr("of the operations on these OSDs were of this run"));
  run.counters.clear();
  run.client_load.reset();
  const std::string text = explanation_text(run);
  EXPECT_THAT(text, HasSubstr("no cause was found in what could be examined"));
  EXPECT_THAT(text, HasSubstr("--observer-id"));
  EXPECT_THAT(text, HasSubstr("the client's CPUs and network were not measured"));
}

TEST(Causes, RunWithoutACluster_HasNoOsdsToExamine) {
  RunRecord run = run_with(OpKind::read, 1, {});
  run.header.plan.target = TargetKind::sim;
  run.client_load.reset();
  EXPECT_THAT(names_of(run), IsEmpty());
  EXPECT_THAT(explain(run).unseen,
              ElementsAre("OSDs and client: a run with --target sim has no cluster"));
}

TEST(Causes, RunOnImages_IsExplainedLikeOneOnObjects) {
  RunRecord run = writes_on(slow_flush, 21.4);
  run.header.plan.target = TargetKind::rbd;
  EXPECT_THAT(names_of(run), ElementsAre("slow-flush"));
  EXPECT_THAT(explain(run).unseen, IsEmpty());
}

TEST(Causes, RunOnFiles_IsDividedLikeOneOnAPoolAndOnNamesItIsNot) {
  RunRecord run = writes_on(slow_flush, 21.4);
  const auto on_a_pool = names_of(run);
  run.header.plan.target = TargetKind::cephfs;
  run.osds.emplace_back();
  EXPECT_EQ(names_of(run), on_a_pool);
  RunRecord divided = run;
  divided.osds.clear();
  EXPECT_THAT(names_of(divided), IsEmpty());
  EXPECT_THAT(explain(divided).unseen, ElementsAre(HasSubstr("divided into several objects")));
  run.header.plan.pattern.metadata = OpKind::create;
  EXPECT_THAT(explain(run).unseen, ElementsAre(HasSubstr("the MDSs")));
}

TEST(Causes, NamesOfOthers_AreEscapedInText) {
  RunRecord run = writes_on(slow_flush, 21.4);
  run.header.plan.pool = "p\x1b[2J";
  run.header.run_id = "r\x1b[2J";
  run.client_load->interface = "e\x1b[2J";
  run.client_load->link_mbit = 1;
  run.client_load->sent = 1'000'000'000;
  EXPECT_THAT(names_of(run), ElementsAre("slow-flush", "client-link"));
  EXPECT_EQ(explanation_text(run).find('\x1b'), std::string::npos);
}

TEST(Causes, Text_HasEvidenceAndACommandOnOneLine) {
  const std::string text = explanation_text(writes_on(slow_flush, 21.4));
  EXPECT_THAT(text, HasSubstr("  1  the drives are slow to make a write durable"));
  EXPECT_THAT(text, HasSubstr("\n     evidence writing data takes 530 us"));
  EXPECT_THAT(text, HasSubstr("\n     refute   radosload --drive TESTFILE "));
  EXPECT_THAT(explanation_text(writes_on(fast, 6.3)),
              HasSubstr("no known cause took a large part of the time"));
}

}  // namespace
}  // namespace radosload::report
