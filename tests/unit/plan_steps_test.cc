// From words to runs: lists, their product, suites, and what is refused before anything runs.
#include <gtest/gtest.h>

#include "plan/steps.h"
#include "plan/suites.h"

namespace radosload::plan {
namespace {

Request request(const std::string& pattern, std::vector<Setting> options = {}) {
  Request asked;
  asked.plan.target = TargetKind::sim;
  asked.pattern = pattern;
  asked.options = std::move(options);
  return asked;
}

Steps expanded(const Request& asked) {
  auto steps = expand(asked);
  if (!steps) throw std::runtime_error(steps.error().message());
  return *std::move(steps);
}

std::vector<std::string> names_of(const Steps& steps) {
  std::vector<std::string> names;
  for (const Step& step : steps.steps) names.push_back(step.name);
  return names;
}

TEST(Steps, WithoutAListItIsASingleRun) {
  const Steps steps = expanded(request("randrw4k,bs=8k", {{"qd", "7"}, {"clients", "2"}}));
  EXPECT_FALSE(steps.series());
  ASSERT_EQ(steps.steps.size(), 1U);
  EXPECT_EQ(steps.steps[0].name, "");
  EXPECT_TRUE(steps.steps[0].settings.empty());
  EXPECT_EQ(steps.steps[0].plan.pattern.block_size, kib(8));
  EXPECT_EQ(steps.steps[0].plan.pattern.queue_depth, 7U);
  EXPECT_EQ(steps.steps[0].plan.clients, 2U);
}

TEST(Steps, ListsMakeTheirProductAndTheFirstKeyChangesSlowest) {
  const Steps steps = expanded(request("randread4k,qd=1:16", {{"bs", "4k:8k:1M"}}));
  const std::vector<std::string> names = {"qd=1 bs=4k",  "qd=1 bs=8k",  "qd=1 bs=1M",
                                          "qd=16 bs=4k", "qd=16 bs=8k", "qd=16 bs=1M"};
  EXPECT_EQ(names_of(steps), names);
  EXPECT_TRUE(steps.series());
  EXPECT_EQ(steps.title, "randread4k,qd=1:16 --bs 4k:8k:1M");
  EXPECT_EQ(steps.steps[4].plan.pattern.queue_depth, 16U);
  EXPECT_EQ(steps.steps[4].plan.pattern.block_size, kib(8));
  ASSERT_EQ(steps.steps[4].settings.size(), 2U);
  EXPECT_EQ(steps.steps[4].settings[1].key, "bs");
  EXPECT_EQ(steps.steps[4].settings[1].value, "8k");
}

TEST(Steps, AnOptionReplacesTheKeyOfThePattern) {
  EXPECT_EQ(names_of(expanded(request("randread4k,qd=1:4:16", {{"qd", "2:3"}}))),
            (std::vector<std::string>{"qd=2", "qd=3"}));
  EXPECT_FALSE(expanded(request("randread4k,qd=1:4:16", {{"qd", "2"}})).series());
}

TEST(Steps, RatesClientsAndNamesTakeListsToo) {
  const Steps steps = expanded(
      request("randread4k:randwrite4k", {{"rate", "100:200/s,poisson"}, {"clients", "1:2"}}));
  ASSERT_EQ(steps.steps.size(), 8U);
  EXPECT_EQ(steps.steps[0].name, "randread4k rate=100,poisson clients=1");
  const RunPlan& last = steps.steps[7].plan;
  EXPECT_EQ(last.pattern.name, "randwrite4k");
  EXPECT_EQ(last.clients, 2U);
  EXPECT_EQ(last.arrival, (Arrival{Arrival::Law::poisson, 200}));
  EXPECT_EQ(steps.steps[0].plan.arrival, (Arrival{Arrival::Law::poisson, 100}))
      << "the law after a list holds for all of it";
  EXPECT_EQ(last.pattern.queue_depth, default_open_depth(kib(4)));
}

TEST(Steps, GivenDepth_AppliesInAnOpenLoop) {
  const Steps steps = expanded(request("randread4k,qd=8", {{"rate", "100"}}));
  EXPECT_EQ(steps.steps[0].plan.pattern.queue_depth, 8U);
}

struct Bad {
  std::string pattern;
  std::vector<Setting> options;
  const char* message;
};

TEST(Steps, InvalidSeries_ErrorHasStepAndReason) {
  const std::vector<Bad> table = {
      {"", {}, "--pattern is missing"},
      {"randrw4k,qd=1::4", {}, "a value of the list is empty"},
      {"randrw4k,qd=1:4:", {}, "a value of the list is empty"},
      {"randrw4k,qd=:4", {}, "a value of the list is empty"},
      {"randrw4k,qd=1:4:1", {}, "1 is in the list twice"},
      {"randrw4k,qd=1:four", {}, "(in the step qd=four)"},
      {"randrw4k,qd=1:0", {}, "from 1 to 1000000"},
      {"randrw4k,bs=4k:8M", {}, "(in the step bs=8M)"},
      {"randrw4k,dist=uniform:zipf", {}, "dist takes no list of values"},
      {"randrw4k:randrw5k", {}, "did you mean randrw4k?"},
      {"randrw4k:kbench", {}, "a suite of 12 runs"},
      {"randrw4k,rate=100", {}, "patterns have no key 'rate'"},
      {"randrw4k,clients=1:2", {}, "patterns have no key 'clients'"},
      {"randrw4k,pattern=read4k", {}, "patterns have no key 'pattern'"},
      {"randrw4k", {{"rate", "100:fast"}}, "fast"},
      {"randrw4k", {{"clients", "1:0"}}, "from 1 to 18000"},
      {"randrw4k", {{"clients", "many"}}, "--clients many"},
      {"randrw4k,qd=1:4", {{"clients", "2"}}, "--clients 2 (in the step qd=1)"},
      {"randrw4k,qd=1:2:3:4:5:6:7:8:9:10:11",
       {{"bs", "1k:2k:3k:4k:5k:6k:7k:8k:9k:10k"}},
       "more than 100 runs"},
  };
  for (const Bad& bad : table) {
    const auto steps = expand(request(bad.pattern, bad.options));
    ASSERT_FALSE(steps) << bad.pattern;
    EXPECT_EQ(steps.error().exit, Exit::usage) << bad.pattern;
    EXPECT_NE(steps.error().message().find(bad.message), std::string::npos)
        << steps.error().message();
  }
}

TEST(Suites, KbenchIsItsTwelveSteps) {
  const Steps steps = expanded(request("kbench"));
  EXPECT_EQ(steps.suite, "kbench");
  const std::vector<std::string> names = {
      "IOPS rand read",      "IOPS rand write",      "IOPS seq read",      "IOPS seq write",
      "bandwidth rand read", "bandwidth rand write", "bandwidth seq read", "bandwidth seq write",
      "latency rand read",   "latency rand write",   "latency seq read",   "latency seq write"};
  EXPECT_EQ(names_of(steps), names);
  for (const Step& step : steps.steps) {
    const Pattern& pattern = step.plan.pattern;
    const bool bandwidth = step.name.starts_with("bandwidth");
    const bool latency = step.name.starts_with("latency");
    const bool random = step.name.find("rand") != std::string::npos;
    EXPECT_EQ(pattern.block_size, bandwidth ? kib(128) : kib(4)) << step.name;
    EXPECT_EQ(pattern.queue_depth, latency ? 1U : 64U) << step.name;
    EXPECT_EQ(pattern.access, random ? Access::random : Access::sequential) << step.name;
    EXPECT_EQ(pattern.read_percent, step.name.ends_with("read") ? 100 : 0) << step.name;
    EXPECT_EQ(step.plan.extent.time, std::chrono::seconds(20));
    EXPECT_EQ(step.plan.warmup, std::chrono::seconds(5));
  }
}

TEST(Suites, TimesAndSizes_CanBeChanged) {
  Request asked = request("kbench,size=8G", {{"cache", "bypass"}});
  asked.names_time = asked.names_warmup = true;
  asked.plan.extent.time = std::chrono::seconds(3);
  asked.plan.warmup = Time(0);
  for (const Step& step : expanded(asked).steps) {
    EXPECT_EQ(step.plan.extent.time, std::chrono::seconds(3));
    EXPECT_EQ(step.plan.warmup, Time(0));
    EXPECT_EQ(step.plan.pattern.working_set, gib(8));
    EXPECT_EQ(step.plan.pattern.cache, CacheMode::bypass);
  }
}

TEST(Suites, SettingsOfASuite_CannotBeChanged) {
  const std::vector<Bad> table = {
      {"kbench,qd=32", {}, "the suite kbench sets qd itself"},
      {"kbench", {{"bs", "4k"}}, "the suite kbench sets bs itself"},
      {"kbench", {{"read", "50"}}, "the suite kbench sets read itself"},
      {"kbench", {{"access", "rand"}}, "the suite kbench sets access itself"},
      {"kbench", {{"rate", "100"}}, "the suite kbench sets rate itself"},
      {"kbench,size=1G:2G", {}, "kbench takes no lists of values"},
      {"kbench", {{"clients", "2"}}, "(in the step latency rand read)"},
      {"kbench,size=big", {}, "(in the step IOPS rand read)"},
  };
  for (const Bad& bad : table) {
    const auto steps = expand(request(bad.pattern, bad.options));
    ASSERT_FALSE(steps) << bad.pattern << bad.message;
    EXPECT_NE(steps.error().message().find(bad.message), std::string::npos)
        << steps.error().message();
  }
}

TEST(Suites, DriveProfile_IsForDrivesAndTakesFiveMinutes) {
  Request asked = request("drive-profile");
  const auto without = expand(asked);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().exit, Exit::usage);
  EXPECT_NE(without.error().message().find("--drive is missing"), std::string::npos);
  asked.plan.target = TargetKind::block;
  asked.plan.drive.path = "/dev/sdb";
  const Steps steps = expanded(asked);
  Time length{0};
  std::uint32_t durable = 0;
  for (const Step& step : steps.steps) {
    length += step.plan.warmup + step.plan.extent.time;
    durable += step.plan.pattern.sync_each_write ? 1 : 0;
  }
  EXPECT_EQ(length, std::chrono::minutes(5));
  EXPECT_EQ(durable, 3U);
}

TEST(Suites, EveryOneIsExplainedAndItsStepsArePatterns) {
  for (const Suite& suite : suites()) {
    EXPECT_EQ(find_suite(suite.name), &suite);
    EXPECT_EQ(find_pattern(suite.name), nullptr) << "one name, one thing";
    EXPECT_FALSE(suite.summary.empty());
    EXPECT_FALSE(suite.detail.empty());
    for (const SuiteStep& step : suite.steps) EXPECT_TRUE(parse_pattern(step.pattern));
  }
  EXPECT_EQ(find_suite("randrw4k"), nullptr);
}

}  // namespace
}  // namespace radosload::plan
