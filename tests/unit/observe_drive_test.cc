// What a drive is, who uses it and what is on it: made-up trees of sysfs and procfs, and files with
// signatures.

#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/descriptor.h"
#include "observe/drive.h"
#include "support/files.h"

namespace radosload::observe {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// /sys, /proc and udev's notes of a machine.
class Machine {
 public:
  Machine() {
    file("proc/self/mountinfo", "");
    file("proc/swaps", "Filename Type Size Used Priority\n");
  }
  SystemFolders folders() const {
    return {.sys = m_root.path() / "sys",
            .proc = m_root.path() / "proc",
            .udev = m_root.path() / "udev"};
  }
  void file(const std::string& name, const std::string& content) const {
    fs::create_directories((m_root.path() / name).parent_path());
    test::write_file(m_root.path() / name, content);
  }
  // At "sys/devices/PLACE", with the links that the kernel makes.
  std::string device(const std::string& place, const std::string& number) const {
    const std::string folder = "sys/devices/" + place;
    file(folder + "/dev", number + "\n");
    file(folder + "/size", "2048\n");
    file(folder + "/ro", "0\n");
    fs::create_directories(m_root.path() / folder / "holders");
    link(folder, "sys/dev/block/" + number);
    link(folder, "sys/class/block/" + fs::path(place).filename().string());
    return folder;
  }
  void holder(const std::string& of, const std::string& name) const {
    fs::create_directory_symlink(m_root.path() / "sys/class/block" / name,
                                 m_root.path() / of / "holders" / name);
  }
  Drive read(unsigned major, unsigned minor) const {
    auto drive = read_device("/dev/given", {.major = major, .minor = minor}, folders());
    EXPECT_TRUE(drive) << drive.error().message();
    return drive ? *drive : Drive();
  }

 private:
  void link(const std::string& to, const std::string& name) const {
    fs::create_directories((m_root.path() / name).parent_path());
    fs::create_directory_symlink(m_root.path() / to, m_root.path() / name);
  }
  test::TemporaryFolder m_root;
};

std::string disk_sdb(const Machine& machine) {
  const std::string sdb = machine.device("pci/sdb", "8:16");
  machine.file(sdb + "/queue/logical_block_size", "512\n");
  machine.file(sdb + "/queue/physical_block_size", "4096\n");
  machine.file(sdb + "/queue/rotational", "1\n");
  machine.file(sdb + "/queue/write_cache", "write back\n");
  machine.file(sdb + "/device/model", "ST4000NM0035    \n");
  return sdb;
}

TEST(DriveTree, Disk_HasItsPropertiesAndNoUse) {
  const Machine machine;
  const std::string sdb = disk_sdb(machine);
  machine.file(sdb + "/device/serial", "ZC12ABCD\n");
  const Drive drive = machine.read(8, 16);
  EXPECT_TRUE(drive.device);
  EXPECT_EQ(drive.name, "sdb");
  EXPECT_EQ(drive.number, "8:16");
  EXPECT_EQ(drive.size, mib(1));
  EXPECT_EQ(drive.logical_block, Bytes{512});
  EXPECT_EQ(drive.physical_block, kib(4));
  EXPECT_EQ(drive.rotational, true);
  EXPECT_EQ(drive.model, "ST4000NM0035");
  EXPECT_EQ(drive.serial, "ZC12ABCD");
  EXPECT_EQ(drive.write_cache, "write back");
  EXPECT_FALSE(drive.read_only);
  EXPECT_THAT(drive.uses, IsEmpty());
}

TEST(DriveTree, SerialComesFromUdevThenFromTheWwn) {
  const Machine machine;
  const std::string sdb = disk_sdb(machine);
  EXPECT_EQ(machine.read(8, 16).serial, "");
  machine.file(sdb + "/device/wwid", "naa.5000c500a1b2c3d4\n");
  EXPECT_EQ(machine.read(8, 16).serial, "naa.5000c500a1b2c3d4");
  machine.file("udev/b8:16", "I:1234\nE:ID_MODEL=x\nE:ID_SERIAL_SHORT=ZC12ABCD\n");
  EXPECT_EQ(machine.read(8, 16).serial, "ZC12ABCD");
}

TEST(DriveTree, LoopDevice_HasTheNameOfItsFileAsSerial) {
  const Machine machine;
  machine.file(machine.device("virtual/block/loop7", "7:7") + "/loop/backing_file", "/var/x.img\n");
  EXPECT_EQ(machine.read(7, 7).serial, "/var/x.img");
}

TEST(DriveTree, Mounts_OfTheDiskAndOfItsPartitionsAreUses) {
  const Machine machine;
  const std::string sdb = disk_sdb(machine);
  machine.file(machine.device("pci/sdb/sdb1", "8:17") + "/partition", "1\n");
  machine.file(sdb + "/device/serial", "ZC12ABCD\n");
  machine.file("proc/self/mountinfo",
               "30 1 8:17 / /my\\040data rw shared:1 - ext4 /dev/sdb1 rw\n"
               "31 1 8:33 / /other rw - ext4 /dev/sdc1 rw\n");
  EXPECT_THAT(machine.read(8, 16).uses, ElementsAre("sdb1 is mounted on /my data"));
  const Drive partition = machine.read(8, 17);
  EXPECT_THAT(partition.uses, ElementsAre("mounted on /my data"));
  EXPECT_EQ(partition.serial, "ZC12ABCD") << "that of its disk";
  EXPECT_EQ(partition.physical_block, kib(4));
}

// btrfs mounts have a number of their own.
TEST(DriveTree, MountsAreFoundByTheirSourceToo) {
  const Machine machine;
  disk_sdb(machine);
  machine.file("proc/self/mountinfo", "30 1 0:45 /sub /data rw - btrfs /dev/sdb rw\n");
  EXPECT_THAT(machine.read(8, 16).uses, ElementsAre("mounted on /data"));
}

TEST(DriveTree, SwapSpaceIsAUse) {
  const Machine machine;
  disk_sdb(machine);
  machine.file("proc/swaps", "Filename Type Size Used Priority\n/dev/sdb partition 1 0 -2\n");
  EXPECT_THAT(machine.read(8, 16).uses, ElementsAre("used as swap space"));
}

TEST(DriveTree, WhatIsBuiltOnIt_IsAUseAndSoAreItsMounts) {
  const Machine machine;
  const std::string sdb = disk_sdb(machine);
  machine.file(machine.device("virtual/block/dm-3", "253:3") + "/dm/name", "ceph-osd--block-1\n");
  machine.holder(sdb, "dm-3");
  machine.file("proc/self/mountinfo", "30 1 253:3 / /x rw - xfs /dev/mapper/y rw\n");
  EXPECT_THAT(machine.read(8, 16).uses, ElementsAre("dm-3 (ceph-osd--block-1) is mounted on /x",
                                                    "held by dm-3 (ceph-osd--block-1)"));
}

TEST(DriveTree, UnknownDeviceIsAnError) {
  const Machine machine;
  const auto drive = read_device("/dev/given", {.major = 8, .minor = 99}, machine.folders());
  ASSERT_FALSE(drive);
  EXPECT_THAT(drive.error().message(), HasSubstr("/dev/given"));
  EXPECT_EQ(drive.error().exit, Exit::refused);
}

// ---- content ----

class DriveContent : public ::testing::Test {
 protected:
  std::vector<std::string> with(std::size_t offset, const std::string& bytes) {
    std::string content(1 << 20U, '\0');
    content.replace(offset, bytes.size(), bytes);
    const std::string path = m_folder.with("drive", content);
    const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const auto found = read_content(file.get());
    EXPECT_TRUE(found);
    return found ? *found : std::vector<std::string>{"none"};
  }
  test::TemporaryFolder m_folder;
};

std::string number(std::uint32_t value) {
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

TEST_F(DriveContent, Zeros_AreNothing) {
  EXPECT_THAT(with(0, ""), IsEmpty());
}

TEST_F(DriveContent, SignaturesAreFound) {
  // Its version, the number of its last page, and the name at the end of its first page.
  const std::string swap = number(1) + number(255) + std::string(3054, '\0') + "SWAPSPACE2";
  EXPECT_THAT(with(1024, swap), ::testing::Contains(HasSubstr("swap")));
  EXPECT_THAT(with(0, "LUKS\xba\xbe" + std::string("\0\1", 2)),
              ::testing::Contains(HasSubstr("LUKS")));
  // One partition of type 83, from sector 8 on.
  const std::string entry = std::string("\0\0\0\0\x83\0\0\0", 8) + number(8) + number(100);
  const std::string table = entry + std::string(48, '\0') + "\x55\xaa";
  EXPECT_THAT(with(446, table), ::testing::Contains(HasSubstr("dos partition table")));
}

TEST_F(DriveContent, BlueStoreIsNamedWithItsOsd) {
  const std::string label = "bluestore block device\n6f5e\n" + std::string(20, '\1') + number(6) +
                            "whoami" + number(2) + "17" + number(3) + "end";
  EXPECT_THAT(with(0, label), ElementsAre("BlueStore of osd.17"));
  EXPECT_EQ(bluestore_label("bluestore block device\nwhoami"), "BlueStore");
  EXPECT_EQ(bluestore_label("bluestore block device\n"), "BlueStore");
  EXPECT_EQ(bluestore_label("bluestore"), "");
  EXPECT_EQ(bluestore_label(""), "");
}

TEST(DriveContentOf, AClosedFile_IsAnError) {
  const auto found = read_content(-1);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().exit, Exit::refused);
}

}  // namespace
}  // namespace radosload::observe
