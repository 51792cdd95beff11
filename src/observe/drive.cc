#include "observe/drive.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <utility>

#include "radosload/printable.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t sysfs_sector = 512;

// The whole text without the white space at its ends; empty when there is no such file.
std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::string all = text.str();
  all.erase(std::find(all.begin(), all.end(), '\0'), all.end());
  const auto first = all.find_first_not_of(" \t\n");
  if (first == std::string::npos) return {};
  return all.substr(first, all.find_last_not_of(" \t\n") - first + 1);
}

std::uint64_t number_of(const fs::path& path, std::uint64_t otherwise) {
  const auto count = parse_count(text_of(path));
  return count ? *count : otherwise;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    entries.push_back(entry->path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

// A device and its folder in sysfs.
struct Node {
  fs::path folder;
  std::string name;
  std::string number;  // "8:17"
};

Node node_at(const fs::path& folder) {
  return {.folder = folder, .name = folder.filename(), .number = text_of(folder / "dev")};
}

bool is_partition(const Node& node) {
  return fs::exists(node.folder / "partition");
}

// Of a partition: that of its disk.
fs::path disk_of(const Node& node) {
  return is_partition(node) ? node.folder.parent_path() : node.folder;
}

// "dm-3 (ceph-osd-block)"
std::string name_text(const Node& node) {
  const std::string mapped = text_of(node.folder / "dm/name");
  return mapped.empty() ? node.name : fmt::format("{} ({})", node.name, printable(mapped));
}

// The device, its partitions, and all that is built on them: RAID, LVM, dm-crypt.
void collect(const Node& node, const SystemFolders& folders, std::vector<Node>& all) {
  const auto same = [&](const Node& known) { return known.name == node.name; };
  if (std::any_of(all.begin(), all.end(), same)) return;
  all.push_back(node);
  for (const fs::path& entry : entries_of(node.folder)) {
    if (fs::exists(entry / "partition")) collect(node_at(entry), folders, all);
  }
  for (const fs::path& holder : entries_of(node.folder / "holders")) {
    std::error_code unknown;
    fs::path folder = fs::canonical(folders.sys / "class/block" / holder.filename(), unknown);
    if (unknown) folder = holder;
    collect(node_at(folder), folders, all);
  }
}

// procfs writes a space as \040.
std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool octal = text[i] == '\\' && i + 3 < text.size() &&
                       std::all_of(text.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                   text.begin() + static_cast<std::ptrdiff_t>(i) + 4,
                                   [](char digit) { return digit >= '0' && digit <= '7'; });
    if (!octal) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
    i += 3;
  }
  return plain;
}

struct Mount {
  std::string number;
  std::string place;
  std::string source;
};

// 36 35 98:0 /root /mnt rw,noatime master:1 - ext4 /dev/root rw,errors=continue
std::vector<Mount> mounts_in(const fs::path& mountinfo) {
  std::vector<Mount> mounts;
  std::ifstream file(mountinfo);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string skipped;
    Mount mount;
    words >> skipped >> skipped >> mount.number >> skipped >> mount.place;
    while (words >> skipped && skipped != "-") {
    }
    words >> skipped >> mount.source;
    mount.place = without_escapes(mount.place);
    mount.source = without_escapes(mount.source);
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

std::vector<std::string> swaps_in(const fs::path& swaps) {
  std::vector<std::string> devices;
  std::ifstream file(swaps);
  std::string line;
  std::getline(file, line);  // titles
  while (std::getline(file, line))
    devices.push_back(without_escapes(line.substr(0, line.find(' '))));
  return devices;
}

// A path below /dev, also through links.
bool refers_to(const std::string& source, const Node& node) {
  if (!source.starts_with("/dev/")) return false;
  std::error_code unknown;
  const fs::path real = fs::canonical(source, unknown);
  return source == "/dev/" + node.name || (!unknown && real == "/dev/" + node.name);
}

std::vector<std::string> uses_of(const Node& drive, const SystemFolders& folders) {
  std::vector<Node> all;
  collect(drive, folders, all);
  const auto mounts = mounts_in(folders.proc / "self/mountinfo");
  const auto swaps = swaps_in(folders.proc / "swaps");
  std::vector<std::string> uses;
  for (const Node& node : all) {
    const std::string of = node.name == drive.name ? "" : name_text(node) + " is ";
    for (const Mount& mount : mounts) {
      if (mount.number != node.number && !refers_to(mount.source, node)) continue;
      uses.push_back(fmt::format("{}mounted on {}", of, printable(mount.place)));
    }
    for (const std::string& swap : swaps) {
      if (refers_to(swap, node)) uses.push_back(of + "used as swap space");
    }
    for (const fs::path& holder : entries_of(node.folder / "holders")) {
      std::error_code unknown;
      const fs::path folder =
          fs::canonical(folders.sys / "class/block" / holder.filename(), unknown);
      uses.push_back(
          fmt::format("{}held by {}", of, name_text(node_at(unknown ? holder : folder))));
    }
  }
  std::sort(uses.begin(), uses.end());
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  return uses;
}

// E:ID_SERIAL_SHORT=... of udev's notes.
std::string udev_note(const fs::path& notes, std::string_view key) {
  std::ifstream file(notes);
  const std::string before = fmt::format("E:{}=", key);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(before)) return line.substr(before.size());
  }
  return {};
}

// The drive's own serial; its WWN if it has none. A loop device has neither, but a file.
std::string serial_of(const fs::path& disk, const SystemFolders& folders) {
  const fs::path notes = folders.udev / ("b" + text_of(disk / "dev"));
  for (const std::string& serial :
       {text_of(disk / "device/serial"), text_of(disk / "serial"),
        udev_note(notes, "ID_SERIAL_SHORT"), udev_note(notes, "ID_SCSI_SERIAL"),
        text_of(disk / "wwid"), text_of(disk / "device/wwid"), udev_note(notes, "ID_WWN"),
        text_of(disk / "loop/backing_file"), text_of(disk / "dm/uuid")}) {
    if (!serial.empty()) return printable(serial);
  }
  return {};
}

}  // namespace

std::string DeviceNumber::text() const {
  return fmt::format("{}:{}", major, minor);
}

Result<Drive> read_device(const std::string& path, DeviceNumber number,
                          const SystemFolders& folders) {
  std::error_code unknown;
  const fs::path folder = fs::canonical(folders.sys / "dev/block" / number.text(), unknown);
  if (unknown) {
    return fail({.attempt = "find out what uses the device",
                 .subject = path,
                 .reason = fmt::format("the kernel lists no block device {} in {}", number.text(),
                                       (folders.sys / "dev/block").string()),
                 .hint = "check that /sys is mounted",
                 .errnum = unknown.value(),
                 .exit = Exit::refused});
  }
  const Node node = node_at(folder);
  const fs::path disk = disk_of(node);
  Drive drive;
  drive.path = path;
  drive.device = true;
  drive.name = node.name;
  drive.number = number.text();
  drive.size = Bytes{number_of(node.folder / "size", 0) * sysfs_sector};
  drive.logical_block = Bytes{number_of(disk / "queue/logical_block_size", sysfs_sector)};
  drive.physical_block = Bytes{number_of(disk / "queue/physical_block_size", sysfs_sector)};
  if (const std::string turns = text_of(disk / "queue/rotational"); !turns.empty()) {
    drive.rotational = turns == "1";
  }
  drive.model = printable(text_of(disk / "device/model"));
  drive.serial = serial_of(disk, folders);
  drive.write_cache = printable(text_of(disk / "queue/write_cache"));
  drive.read_only = text_of(node.folder / "ro") == "1";
  drive.uses = uses_of(node, folders);
  return drive;
}

}  // namespace radosload::observe
