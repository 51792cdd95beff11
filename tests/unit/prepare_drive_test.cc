// A plan cut to fit a drive.

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "plan/patterns.h"
#include "prepare/drive.h"

namespace radosload::prepare {
namespace {

using ::testing::HasSubstr;

observe::Drive drive_of(Bytes size, Bytes block = Bytes{512}) {
  observe::Drive drive;
  drive.path = "/dev/sdb";
  drive.device = true;
  drive.size = size;
  drive.logical_block = block;
  return drive;
}

RunPlan drive_plan(const std::string& pattern) {
  RunPlan plan;
  plan.target = TargetKind::block;
  plan.drive.path = "/dev/sdb";
  plan.pattern = *plan::parse_pattern(pattern);
  plan.size_named = pattern.find("size=") != std::string::npos;
  return plan;
}

std::string complaint(const std::string& pattern, const observe::Drive& drive) {
  const auto fitted = fit_to_drive(drive_plan(pattern), drive);
  if (fitted) return "";
  EXPECT_EQ(fitted.error().exit, Exit::usage);
  return fitted.error().message();
}

TEST(DriveFit, WithoutSize_AllOfTheDriveIsUsed) {
  const auto fitted = fit_to_drive(drive_plan("randread4k"), drive_of(Bytes{gib(10).count + 1024}));
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->pattern.working_set, gib(10)) << "whole objects of 4 MiB";
}

TEST(DriveFit, SizeIsItsFirstPart) {
  const auto fitted = fit_to_drive(drive_plan("randread4k,size=6M"), drive_of(gib(10)));
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->pattern.working_set, mib(8));
  EXPECT_THAT(complaint("randread4k,size=20G", drive_of(gib(10))),
              HasSubstr("its size is 10 GiB, but the working set is 20 GiB"));
}

TEST(DriveFit, DriveSmallerThanAnObject_IsOneObject) {
  const auto fitted = fit_to_drive(drive_plan("randread4k"), drive_of(mib(1)));
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->pattern.object_size, mib(1));
  EXPECT_EQ(fitted->pattern.working_set, mib(1));
  EXPECT_THAT(complaint("read1m", drive_of(kib(64))), HasSubstr("operations of 1M do not fit"));
}

TEST(DriveFit, LengthsAndPlacesAreMultiplesOfTheBlock) {
  EXPECT_THAT(complaint("etcd-wal", drive_of(gib(1))), HasSubstr("bs=2560"));
  EXPECT_EQ(complaint("rand,bs=512", drive_of(gib(1))), "");
  EXPECT_THAT(complaint("rand,bs=512", drive_of(gib(1), kib(4))), HasSubstr("bs=4k"));
  EXPECT_THAT(complaint("randread4k,object-size=10000", drive_of(gib(1))),
              HasSubstr("object-size is 10000"));
}

}  // namespace
}  // namespace radosload::prepare
