// Plans read back from records, and what a series makes of its steps.
#include <set>

#include <gtest/gtest.h>

#include "plan/patterns.h"
#include "record/plan_codec.h"
#include "run/plan_read.h"
#include "run/series.h"

namespace radosload::run {
namespace {

RunPlan plan_of(const std::string& pattern) {
  RunPlan plan;
  plan.pool = "hdd";
  plan.pattern = *plan::parse_pattern(pattern);
  return plan;
}

void expect_back(const RunPlan& plan) {
  const auto recorded = record::plan_json(plan);
  const auto back = plan_from(recorded);
  ASSERT_TRUE(back) << back.error().message() << recorded.text();
  EXPECT_EQ(record::plan_json(*back), recorded);
  EXPECT_EQ(back->pattern, plan.pattern) << recorded.text();
}

TEST(PlanRead, EveryNamedPatternComesBack) {
  for (const auto& named : plan::catalogue()) expect_back(plan_of(named.defaults.name));
  for (const char* const pattern :
       {"rand,read=33.3,bs=2300,dist=zipf:1.1,cache=bypass,verify=full", "radosbench-write,bs=1M",
        "seq,read=0,flush=yes,object-size=8M,size=17G", "omap-get,bs=64,size=1M",
        "stat,objects=7,object-size=4k,access=seq,cache=drop", "delete,objects=9"}) {
    expect_back(plan_of(pattern));
  }
}

TEST(PlanRead, EveryOptionComesBack) {
  RunPlan plan = plan_of("randrw4k");
  plan.cluster = {.conf = "/etc/c.conf",
                  .name = "client.x",
                  .cluster = "c2",
                  .keyring = "/k",
                  .mon_host = "10.0.0.1",
                  .timeout = std::chrono::milliseconds(2500)};
  plan.nspace = "other";
  plan.arrival = {Arrival::Law::poisson, 1234.5};
  plan.extent = {.time = std::chrono::minutes(3), .ops = 77, .bytes = Bytes{12345}};
  plan.warmup = Time(0);
  plan.drain = std::chrono::seconds(1);
  plan.op_timeout = std::chrono::seconds(9);
  plan.clients = 3;
  plan.seed = (std::uint64_t{1} << 53U) - 1;
  plan.keep = plan.allow_unhealthy = plan.push_through = true;
  plan.reuse = "last";
  plan.prefill_rate = mib(3);
  expect_back(plan);
  RunPlan sim = plan_of("randread4k");
  sim.pool.clear();
  sim.target = TargetKind::sim;
  sim.sim = "latency=exp:1ms,threads=2";
  expect_back(sim);
  RunPlan images = plan_of("randrw4k");
  images.target = TargetKind::rbd;
  images.images = {.names = {"vm1", "vm2"},
                   .nspace = "tenant",
                   .data_pool = "hdd",
                   .create = gib(3),
                   .destroy_data = false,
                   .cache = true,
                   .passphrase_file = {}};
  images.pins = {.osds = "0,class=hdd", .mode = PinMode::all};
  images.observer = {.id = "watcher", .keyring = "/etc/watcher.keyring"};
  images.size_named = images.object_size_named = true;
  expect_back(images);
  images.images.create = {};
  images.images.data_pool.clear();
  images.images.passphrase_file = "/etc/key";
  expect_back(images);
}

TEST(PlanRead, WhatItDoesNotKnowIsRefusedAndNotLost) {
  const std::string known = record::plan_json(plan_of("randrw4k")).text();
  const auto read = [](const std::string& text) {
    const auto plan = plan_from(*record::JsonText::parse(text));
    return plan ? std::string("read") : plan.error().message();
  };
  EXPECT_EQ(read(known), "read");
  EXPECT_NE(read(R"({"tape":"t1",)" + known.substr(1)).find("does not know"), std::string::npos);
  EXPECT_NE(read("{}").find("cannot read the recorded plan"), std::string::npos);
  std::string strange = known;
  strange.replace(strange.find("\"rados\""), 7, "\"tape\"");
  EXPECT_NE(read(strange).find("target is 'tape'"), std::string::npos);
}

SeriesPlan two_steps(std::uint64_t seed) {
  std::vector<record::SeriesStep> steps(2);
  steps[0].name = "a";
  steps[1].name = "b";
  std::vector<RunPlan> plans(2, plan_of("randrw4k"));
  for (RunPlan& plan : plans) plan.seed = seed;
  return new_series(steps, plans, "radosload test");
}

TEST(SeriesPlans, EveryStepDrawsFromASeedOfItsOwn) {
  std::set<std::uint64_t> seeds;
  for (const std::uint64_t seed : {0U, 0U, 7U}) {
    for (const RunPlan& plan : two_steps(seed).plans) seeds.insert(plan.seed);
  }
  EXPECT_EQ(seeds.size(), 6U);
  EXPECT_FALSE(seeds.contains(0));
  EXPECT_EQ(two_steps(7).plans[1].seed, two_steps(7).plans[1].seed) << "a given seed repeats";
  EXPECT_LT(*seeds.rbegin(), std::uint64_t{1} << 53U);
}

TEST(SeriesPlans, ResumingTakesTheSeedsThatWereDrawn) {
  const SeriesPlan begun = two_steps(0);
  const auto alone = resume(begun.series);
  ASSERT_TRUE(alone) << alone.error().message();
  const std::vector<RunPlan> words(2, plan_of("randrw4k"));
  const auto again = resume(begun.series, begun.series.steps, words);
  ASSERT_TRUE(again) << again.error().message();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(alone->plans[i].seed, begun.plans[i].seed);
    EXPECT_EQ(again->plans[i].seed, begun.plans[i].seed);
  }
  EXPECT_EQ(again->series, begun.series);
  EXPECT_FALSE(resume(begun.series, begun.series.steps, {2, plan_of("randread4k")}));
}

TEST(SeriesPlans, WithoutAnEndInTimeNobodyKnowsHowLongItTakes) {
  RunPlan plan = plan_of("randrw4k");
  EXPECT_EQ(planned_length(plan), std::chrono::seconds(65));
  plan.extent.time = Time(0);
  EXPECT_EQ(planned_length(plan), Time(0));
}

}  // namespace
}  // namespace radosload::run
