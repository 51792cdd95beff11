// What may be written: which devices, and which files.

#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/xattr.h>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/drive_file.h"
#include "footprint/drive_guard.h"
#include "support/disk_folder.h"
#include "support/files.h"
#include "support/places.h"

namespace radosload::footprint {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

observe::Drive disk() {
  observe::Drive drive;
  drive.path = "/dev/sdb";
  drive.device = true;
  drive.serial = "ZC12ABCD";
  return drive;
}

std::string refusal(const observe::Drive& drive, const std::string& serial) {
  const auto refused = refusal_to_overwrite(drive, serial);
  if (!refused) return "";
  EXPECT_EQ(refused->exit, Exit::refused);
  EXPECT_FALSE(refused->hint.empty());
  return refused->message();
}

TEST(DriveGuard, DeviceIsWrittenOnlyWithItsSerial) {
  EXPECT_EQ(refusal(disk(), "ZC12ABCD"), "");
  EXPECT_THAT(refusal(disk(), ""), HasSubstr("--destroy-data=ZC12ABCD"));
  EXPECT_THAT(refusal(disk(), "ZC12ABCE"), HasSubstr("its serial is ZC12ABCD"));
  EXPECT_THAT(refusal(disk(), "ZC12"), HasSubstr("its serial is ZC12ABCD"));
}

TEST(DriveGuard, ContentIsNamedBeforeItIsDestroyed) {
  observe::Drive drive = disk();
  drive.content = {"ext4 (filesystem)", "BlueStore of osd.3"};
  EXPECT_THAT(refusal(drive, ""), HasSubstr("it has data: ext4 (filesystem), BlueStore of osd.3"));
  EXPECT_EQ(refusal(drive, "ZC12ABCD"), "");
}

TEST(DriveGuard, DeviceInUse_IsRefusedEvenWithItsSerial) {
  observe::Drive drive = disk();
  drive.uses = {"sdb1 is mounted on /data", "held by dm-3"};
  for (const char* const serial : {"", "ZC12ABCD"}) {
    EXPECT_THAT(refusal(drive, serial),
                HasSubstr("it is in use: sdb1 is mounted on /data; held by dm-3"));
  }
}

TEST(DriveGuard, ReadOnlyDevice_IsRefused) {
  observe::Drive drive = disk();
  drive.read_only = true;
  EXPECT_THAT(refusal(drive, "ZC12ABCD"), HasSubstr("it is read-only"));
}

// An empty serial on both sides must not count as equal.
TEST(DriveGuard, DeviceWithoutSerial_IsRefused) {
  observe::Drive drive = disk();
  drive.serial.clear();
  for (const char* const serial : {"", "ZC12ABCD"}) {
    EXPECT_THAT(refusal(drive, serial), HasSubstr("neither a serial nor a WWN"));
  }
}

TEST(DriveGuard, RefusedDevice_IsNotOpened) {
  observe::Drive drive = disk();
  const test::TemporaryFolder folder;
  drive.path = folder.path() / "device";
  const auto without = open_to_overwrite(drive, "");
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().message(), HasSubstr("--destroy-data="));
  const auto with = open_to_overwrite(drive, "ZC12ABCD");
  ASSERT_FALSE(with);
  EXPECT_EQ(with.error().errnum, ENOENT);
}

// A name of a device that now leads elsewhere.
TEST(DriveGuard, AnotherDeviceOfThatName_IsNotWritten) {
  const test::DiskFolder folder;
  observe::Drive drive = disk();
  drive.path = folder.file("elsewhere");
  drive.number = "8:16";
  test::write_file(drive.path, std::string(4096, 'x'));
  const auto opened = open_to_overwrite(drive, "ZC12ABCD");
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(), HasSubstr("no longer the device"));
}

class DriveFiles : public ::testing::Test {
 protected:
  test::DiskFolder m_folder;
  std::string m_path = m_folder.file("drive.img");
};

TEST_F(DriveFiles, MadeOne_HasItsSpaceAndNoName) {
  const auto made = make_drive_file(m_path, mib(1), "run-1", false);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(fs::exists(m_path), false) << "the kernel removes it, even after a kill";
  EXPECT_EQ(::lseek(made->file.get(), 0, SEEK_END), 1 << 20);
  EXPECT_EQ(made->block.count % 512, 0U);
  EXPECT_NE(::fcntl(made->file.get(), F_GETFL) & O_DIRECT, 0) << "past the page cache";
}

TEST_F(DriveFiles, ExistingOne_IsNeverReplaced) {
  test::write_file(m_path, "precious");
  EXPECT_FALSE(check_place_of_file(m_path, mib(1)));
  const auto made = make_drive_file(m_path, mib(1), "run-1", true);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("--create never replaces a file"));
  EXPECT_EQ(test::read_file(m_path), "precious");
}

TEST_F(DriveFiles, LinkIsNotFollowed) {
  const std::string target = m_folder.file("elsewhere");
  fs::create_symlink(target, m_path);
  EXPECT_FALSE(make_drive_file(m_path, mib(1), "run-1", true));
  EXPECT_FALSE(fs::exists(target));
}

TEST_F(DriveFiles, OnlyFilesOfRadosloadAreOpenedForWriting) {
  test::write_file(m_path, std::string(8192, 'x'));
  const auto refused = open_drive_file(m_path, true);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("radosload did not make this file"));
  EXPECT_EQ(refused.error().exit, Exit::refused);
  const auto read = open_drive_file(m_path, false);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->size, kib(8));
}

TEST_F(DriveFiles, KeptOne_MayBeOverwrittenByOneRunAtATime) {
  {
    const auto made = make_drive_file(m_path, mib(1), "run-1", true);
    ASSERT_TRUE(made) << made.error().message();
    if (::getxattr(m_path.c_str(), "user.radosload.made_by", nullptr, 0) < 0) {
      GTEST_SKIP() << "this file system keeps no attributes of users";
    }
    EXPECT_FALSE(open_drive_file(m_path, true)) << "its run uses it";
  }
  const auto opened = open_drive_file(m_path, true);
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_EQ(opened->made_by, "run-1");
  const auto second = open_drive_file(m_path, true);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message(), HasSubstr("another run uses it"));
}

TEST_F(DriveFiles, OnlyItsOwnNameIsRemoved) {
  const auto made = make_drive_file(m_path, mib(1), "run-1", true);
  ASSERT_TRUE(made);
  fs::remove(m_path);
  test::write_file(m_path, "another file of that name");
  remove_drive_file(m_path, made->file.get());
  EXPECT_TRUE(fs::exists(m_path));
}

TEST_F(DriveFiles, MoreThanTheDiskHolds_IsRefusedAndLeavesNothing) {
  constexpr Bytes too_much{std::uint64_t{1} << 60U};
  const auto place = check_place_of_file(m_path, too_much);
  ASSERT_FALSE(place);
  EXPECT_EQ(place.error().errnum, ENOSPC);
  const auto made = make_drive_file(m_path, too_much, "run-1", true);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().hint, HasSubstr("smaller --create"));
  EXPECT_FALSE(fs::exists(m_path));
}

TEST_F(DriveFiles, UnwrittenParts_AreFound) {
  const auto made = make_drive_file(m_path, mib(1), "run-1", true);
  ASSERT_TRUE(made);
  EXPECT_EQ(first_hole(made->file.get(), mib(1)), Bytes{0});
  test::write_file(m_folder.file("full"), std::string(8192, 'x'));
  const auto full = open_drive_file(m_folder.file("full"), false);
  ASSERT_TRUE(full);
  EXPECT_EQ(first_hole(full->file.get(), full->size), kib(8));
}

TEST(DriveFilesInMemory, AreRefused) {
  struct statfs where {};
  if (::statfs("/dev/shm", &where) != 0 || where.f_type != TMPFS_MAGIC) {
    GTEST_SKIP() << "/dev/shm is not in memory";
  }
  const std::string path = "/dev/shm/radosload-drive-test";
  const auto made = make_drive_file(path, mib(1), "run-1", true);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("it lies in memory"));
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(check_place_of_file(path, mib(1)));
}

TEST(DriveFilesOf, FoldersAndMissingFilesAreErrors) {
  EXPECT_FALSE(open_drive_file(test::nowhere("file"), false));
  EXPECT_FALSE(open_drive_file("/", false));
  EXPECT_FALSE(make_drive_file(test::nowhere("file"), mib(1), "run-1", false));
}

}  // namespace
}  // namespace radosload::footprint
