// A drive of this machine: what it is, who uses it, and what is on it. Read from sysfs, procfs and
// the drive itself; nothing is changed. The folders are arguments, so that tests have their own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::observe {

struct SystemFolders {
  std::filesystem::path sys = "/sys";
  std::filesystem::path proc = "/proc";
  std::filesystem::path udev = "/run/udev/data";
};

struct DeviceNumber {
  unsigned major = 0;
  unsigned minor = 0;
  std::string text() const;  // "8:16", as in sysfs
};

struct Drive {
  std::string path;  // as it was given
  bool device = false;
  std::string name;    // "sdb", "sdb1"; empty: a file
  std::string number;  // "8:16"; empty: a file
  Bytes size;
  Bytes logical_block{512};   // offsets and lengths must be multiples of it
  Bytes physical_block{512};  // what the medium writes at once
  std::optional<bool> rotational;
  std::string model;
  std::string serial;       // of the device, or of the disk of a partition
  std::string write_cache;  // "write back", "write through"
  bool read_only = false;
  // Who uses it: "mounted on /data", "swap space", "held by dm-3 (ceph-osd-block)".
  std::vector<std::string> uses;
  // What is on it: "ext4 file system", "gpt partition table", "BlueStore of osd.3".
  std::vector<std::string> content;
};

// The device with that number, without its content. A device that sysfs does not know is an error.
Result<Drive> read_device(const std::string& path, DeviceNumber number,
                          const SystemFolders& folders = {});

// What is on an open file or device; an Error when it cannot be read.
Result<std::vector<std::string>> read_content(int fd);
// "BlueStore of osd.3" by the label that BlueStore writes at the start of its devices; empty: none.
std::string bluestore_label(std::string_view first_bytes);

}  // namespace radosload::observe
