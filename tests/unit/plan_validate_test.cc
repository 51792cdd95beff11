// What a plan may not say, and what it is told.

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "plan/validate.h"

namespace radosload::plan {
namespace {

using ::testing::HasSubstr;

RunPlan on_objects() {
  RunPlan plan;
  plan.pool = "ssd";
  plan.pattern.name = "randrw4k";
  plan.pattern.read_percent = 75;
  return plan;
}

RunPlan on_image(std::vector<std::string> names = {"vm1"}) {
  RunPlan plan = on_objects();
  plan.target = TargetKind::rbd;
  plan.images.names = std::move(names);
  return plan;
}

std::string complaint(const RunPlan& plan) {
  const Status valid = validate(plan);
  if (valid) return "";
  EXPECT_EQ(valid.error().exit, Exit::usage);
  EXPECT_FALSE(valid.error().hint.empty());
  return valid.error().message();
}

TEST(RunPlans, OfObjectsAndOfImages_AreValid) {
  EXPECT_EQ(complaint(on_objects()), "");
  EXPECT_EQ(complaint(on_image()), "");
  RunPlan made = on_image({});
  made.images.create = gib(1);
  made.images.data_pool = "hdd";
  made.clients = 4;
  EXPECT_EQ(complaint(made), "");
}

TEST(RunPlans, AnObserverIsAUserOnACluster) {
  RunPlan plan = on_objects();
  plan.observer.id = "watcher";
  EXPECT_EQ(complaint(plan), "");
  plan.observer = {.id = "", .keyring = "/k"};
  EXPECT_THAT(complaint(plan), HasSubstr("--observer-keyring"));
  plan.observer.id = "watcher";
  plan.target = TargetKind::sim;
  plan.pool.clear();
  EXPECT_THAT(complaint(plan), HasSubstr("--observer-id"));
}

TEST(RunPlans, ImageOptionsWithoutImagesAreContradictions) {
  RunPlan plan = on_objects();
  plan.images.cache = true;
  EXPECT_THAT(complaint(plan), HasSubstr("--rbd-cache is for RBD images"));
  plan = on_objects();
  plan.images.data_pool = "hdd";
  EXPECT_THAT(complaint(plan), HasSubstr("--data-pool"));
  EXPECT_THAT(complaint(on_image({})), HasSubstr("needs an image"));
}

TEST(RunPlans, OptionsForCreatedImages_AreRefusedForOthers) {
  RunPlan plan = on_image();
  plan.images.data_pool = "hdd";
  EXPECT_THAT(complaint(plan), HasSubstr("--data-pool is for new images"));
  plan = on_image();
  plan.keep = true;
  EXPECT_THAT(complaint(plan), HasSubstr("never removes existing ones"));
  plan = on_image();
  plan.images.create = gib(1);
  plan.images.destroy_data = true;
  EXPECT_THAT(complaint(plan), HasSubstr("no data to destroy"));
  plan = on_image({"vm1@then"});
  plan.images.create = gib(1);
  EXPECT_THAT(complaint(plan), HasSubstr("--image names a snapshot"));
}

TEST(RunPlans, SnapshotsAreForReading) {
  EXPECT_THAT(complaint(on_image({"vm1@then"})), HasSubstr("snapshots are read-only"));
  RunPlan reads = on_image({"vm1@then"});
  reads.pattern.read_percent = 100;
  EXPECT_EQ(complaint(reads), "");
}

TEST(RunPlans, ImagesHaveNoMetadataToShow) {
  RunPlan plan = on_image();
  plan.pattern.metadata = OpKind::omap_set;
  EXPECT_THAT(complaint(plan), HasSubstr("works on objects"));
}

TEST(RunPlans, EachClientHasTheSameNumberOfImages) {
  RunPlan plan = on_image({"a", "b", "c"});
  plan.clients = 2;
  EXPECT_THAT(complaint(plan), HasSubstr("3 images cannot be divided among 2 clients"));
  plan.clients = 3;
  EXPECT_EQ(complaint(plan), "");
}

RunPlan on_drive() {
  RunPlan plan;
  plan.target = TargetKind::block;
  plan.drive.path = "/dev/sdb";
  plan.pattern.name = "randread4k";
  return plan;
}

TEST(DrivePlans, DevicesAndNewFiles_AreValid) {
  EXPECT_EQ(complaint(on_drive()), "");
  RunPlan plan = on_drive();
  plan.drive.serial = "ZC12ABCD";
  plan.pattern.sync_each_write = true;
  EXPECT_EQ(complaint(plan), "");
  plan = on_drive();
  plan.images.create = gib(1);
  plan.keep = true;
  EXPECT_EQ(complaint(plan), "");
}

TEST(DrivePlans, OptionsOfClusters_AreContradictions) {
  const auto with = [](const auto& change) {
    RunPlan plan = on_drive();
    change(plan);
    return complaint(plan);
  };
  EXPECT_THAT(with([](RunPlan& plan) { plan.pool = "ssd"; }), HasSubstr("--pool is given"));
  EXPECT_THAT(with([](RunPlan& plan) { plan.images.names = {"vm1"}; }), HasSubstr("--image is"));
  EXPECT_THAT(with([](RunPlan& plan) { plan.pins.osds = "3"; }), HasSubstr("--osd is given"));
  EXPECT_THAT(with([](RunPlan& plan) { plan.observer.id = "x"; }), HasSubstr("--observer-id"));
  EXPECT_THAT(with([](RunPlan& plan) { plan.session.name = "x"; }), HasSubstr("--session"));
  EXPECT_THAT(with([](RunPlan& plan) { plan.reuse = "last"; }), HasSubstr("--reuse"));
  EXPECT_THAT(with([](RunPlan& plan) { plan.sim = "osds=3"; }), HasSubstr("--sim"));
  EXPECT_THAT(with([](RunPlan& plan) { plan.pattern.cache = CacheMode::drop; }),
              HasSubstr("--cache"));
  EXPECT_THAT(with([](RunPlan& plan) { plan.op_timeout = std::chrono::seconds(1); }),
              HasSubstr("--op-timeout"));
  EXPECT_THAT(with([](RunPlan& plan) { plan.pattern.metadata = OpKind::omap_set; }),
              HasSubstr("works on objects"));
}

TEST(DrivePlans, TargetAndDrive_NeedEachOther) {
  RunPlan plan = on_drive();
  plan.target = TargetKind::sim;
  EXPECT_THAT(complaint(plan), HasSubstr("--target sim is given"));
  plan = on_drive();
  plan.drive.path.clear();
  EXPECT_THAT(complaint(plan), HasSubstr("--target block needs a drive"));
}

TEST(DrivePlans, DestroyData_NamesASerial) {
  RunPlan plan = on_drive();
  plan.images.destroy_data = true;
  EXPECT_THAT(complaint(plan), HasSubstr("--destroy-data=SERIAL"));
  plan = on_drive();
  plan.images.create = gib(1);
  plan.drive.serial = "ZC12ABCD";
  EXPECT_THAT(complaint(plan), HasSubstr("no data to destroy"));
  plan = on_image();
  plan.drive.serial = "ZC12ABCD";
  EXPECT_THAT(complaint(plan), HasSubstr("is for --drive"));
}

TEST(DrivePlans, KeepIsForNewFiles) {
  RunPlan plan = on_drive();
  plan.keep = true;
  EXPECT_THAT(complaint(plan), HasSubstr("--keep is for a file that --create makes"));
}

TEST(RunPlans, DurableWrites_AreForDrives) {
  RunPlan plan = on_objects();
  plan.pattern.sync_each_write = true;
  EXPECT_THAT(complaint(plan), HasSubstr("every acknowledged write is durable"));
  plan.target = TargetKind::sim;
  plan.pool.clear();
  EXPECT_EQ(complaint(plan), "");
}

// Made without names there is an image for each client, and those cannot be parted among OSDs too.
TEST(RunPlans, ImagesOfSeveralClients_AreNotPinned) {
  RunPlan plan = on_image({});
  plan.images.create = gib(1);
  plan.pins.osds = "0,1";
  EXPECT_EQ(complaint(plan), "");
  plan.pattern.queue_depth = plan.clients = 2;
  EXPECT_THAT(complaint(plan), HasSubstr("several images and several clients"));
}

}  // namespace
}  // namespace radosload::plan
