// What a run on a file system must not be combined with, and what works on nothing else.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "plan/patterns.h"
#include "plan/validate.h"

namespace radosload::plan {
namespace {

using ::testing::HasSubstr;

RunPlan on_files(std::string_view pattern) {
  RunPlan plan;
  plan.files.system = "cephfs";
  plan.target = TargetKind::cephfs;
  plan.pattern = parse_pattern(pattern).value();
  return plan;
}

std::string complaint_about(const RunPlan& plan) {
  const Status valid = validate(plan);
  if (valid) return "";
  EXPECT_EQ(valid.error().exit, Exit::usage);
  EXPECT_FALSE(valid.error().hint.empty());
  return valid.error().message();
}

TEST(FilePlans, OfDataAndOfFiles_AreValidWithoutAPool) {
  for (const char* const pattern :
       {"randwrite4k", "read1m", "fs-create", "fs-stat", "fs-list", "fs-delete",
        "fs-list,cache=warm", "fs-list,objects=10000", "randread4k,cache=drop"}) {
    EXPECT_EQ(complaint_about(on_files(pattern)), "") << pattern;
  }
  RunPlan plan = on_files("fs-create");
  plan.pool = "cephfs_data";
  plan.clients = 4;
  plan.observer.id = "watcher";
  EXPECT_EQ(complaint_about(plan), "");
}

TEST(FilePlans, WhatAFileSystemCannotDo_IsRefusedByItsOption) {
  using Change = std::function<void(RunPlan&)>;
  const std::vector<std::pair<const char*, Change>> changes = {
      {"--osd", [](RunPlan& plan) { plan.pins.osds = "0"; }},
      {"--session",
       [](RunPlan& plan) {
         plan.session.name = "s";
         plan.session.members = "2";
       }},
      {"--keep", [](RunPlan& plan) { plan.keep = true; }},
      {"--reuse", [](RunPlan& plan) { plan.reuse = "last"; }},
      {"--op-timeout", [](RunPlan& plan) { plan.op_timeout = std::chrono::seconds(1); }},
      {"flush=yes", [](RunPlan& plan) { plan.pattern.flush_each_write = true; }},
      {"cache=bypass", [](RunPlan& plan) { plan.pattern.cache = CacheMode::bypass; }},
      {"--image", [](RunPlan& plan) { plan.images.names = {"vm1"}; }},
      {"--create", [](RunPlan& plan) { plan.images.create = gib(1); }},
      {"--drive", [](RunPlan& plan) { plan.drive.path = "/dev/sdb"; }},
      {"--sim", [](RunPlan& plan) { plan.sim = "osds=3"; }},
      {"dsync=yes", [](RunPlan& plan) { plan.pattern.sync_each_write = true; }}};
  for (const auto& [option, change] : changes) {
    RunPlan plan = on_files("randwrite4k");
    change(plan);
    EXPECT_THAT(complaint_about(plan), HasSubstr(option)) << option;
  }
}

TEST(FilePlans, PatternsOfObjects_AreRefusedWithThoseOfFiles) {
  EXPECT_THAT(complaint_about(on_files("stat")), HasSubstr("use fs-stat"));
  EXPECT_THAT(complaint_about(on_files("create")), HasSubstr("use fs-create"));
  EXPECT_THAT(complaint_about(on_files("omap-set")), HasSubstr("reads and writes"));
}

TEST(FilePlans, PatternsOfFiles_AreRefusedOnPoolsAndImages) {
  RunPlan plan = on_files("fs-list");
  plan.files = {};
  plan.target = TargetKind::rados;
  plan.pool = "hdd";
  EXPECT_THAT(complaint_about(plan), HasSubstr("--fs"));
  plan.target = TargetKind::rbd;
  plan.images.names = {"vm1"};
  EXPECT_THAT(complaint_about(plan), HasSubstr("an image has none"));
}

TEST(FilePlans, FileSystemAndTargetMustAgree) {
  RunPlan plan = on_files("randread4k");
  plan.files = {};
  EXPECT_THAT(complaint_about(plan), HasSubstr("give --fs NAME"));
  plan = on_files("randread4k");
  plan.target = TargetKind::rados;
  plan.pool = "hdd";
  EXPECT_THAT(complaint_about(plan), HasSubstr("--target rados"));
}

TEST(FilePlans, FileSystemImpliesItsTarget) {
  RunPlan plan;
  plan.files.system = "cephfs";
  EXPECT_EQ(implied_target(plan), TargetKind::cephfs);
}

TEST(FilePatterns, ColdReadsAreOfEachOnce) {
  const auto cold = parse_pattern("fs-list");
  ASSERT_TRUE(cold);
  EXPECT_TRUE(cold->reads_cold());
  EXPECT_EQ(cold->directories(), 10U);
  EXPECT_FALSE(parse_pattern("fs-list,cache=warm")->reads_cold());
  EXPECT_FALSE(parse_pattern("fs-create")->reads_cold());
  EXPECT_EQ(parse_pattern("fs-stat,objects=10001")->directories(), 2U);
}

TEST(FilePatterns, KeysThatMeanNothing_AreRefused) {
  EXPECT_FALSE(parse_pattern("fs-list,cache=drop"));
  EXPECT_FALSE(parse_pattern("fs-create,cache=bypass"));
  EXPECT_FALSE(parse_pattern("fs-list,entries=0"));
  EXPECT_FALSE(parse_pattern("fs-list,object-size=4k"));
  EXPECT_FALSE(parse_pattern("list,entries=100"));
  const auto many = parse_pattern("fs-create,objects=1000000,entries=1");
  ASSERT_FALSE(many);
  EXPECT_THAT(many.error().message(), HasSubstr("1000000 directories"));
}

}  // namespace
}  // namespace radosload::plan
