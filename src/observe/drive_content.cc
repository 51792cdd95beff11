// What is on a drive, by the signatures that libblkid knows, and BlueStore's label.
#include <algorithm>
#include <array>
#include <blkid/blkid.h>
#include <cerrno>
#include <memory>
#include <unistd.h>

#include "radosload/printable.h"

#include "observe/drive.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

constexpr std::string_view label_start = "bluestore block device";
constexpr std::size_t label_bytes = 4096;

struct Freed {
  void operator()(blkid_struct_probe* probe) const noexcept { blkid_free_probe(probe); }
};

Error unreadable(int errnum) {
  return {.attempt = "find out what is on the drive", .errnum = errnum, .exit = Exit::refused};
}

std::string probed_value(blkid_probe probe, const char* key) {
  const char* value = nullptr;
  if (blkid_probe_lookup_value(probe, key, &value, nullptr) != 0 || value == nullptr) return {};
  return printable(value);
}

// "ext4 (filesystem)", "LVM2_member (raid)", "crypto_LUKS (crypto)"
std::string found_text(blkid_probe probe) {
  const std::string table = probed_value(probe, "PTTYPE");
  if (!table.empty()) return table + " partition table";
  std::string type = probed_value(probe, "TYPE");
  const std::string usage = probed_value(probe, "USAGE");
  if (type.empty() || usage.empty()) return type;
  return fmt::format("{} ({})", type, usage);
}

}  // namespace

std::string bluestore_label(std::string_view first_bytes) {
  if (!first_bytes.starts_with(label_start)) return {};
  // The label holds pairs of texts, each with its length before it: "whoami" and the OSD's number.
  constexpr std::string_view key = "whoami";
  constexpr std::size_t length_bytes = 4;
  const std::size_t found = first_bytes.find(key);
  if (found == std::string_view::npos) return "BlueStore";
  std::string_view rest = first_bytes.substr(found + key.size());
  rest.remove_prefix(std::min(rest.size(), length_bytes));
  const std::string_view id = rest.substr(0, rest.find_first_not_of("0123456789"));
  return id.empty() ? "BlueStore" : fmt::format("BlueStore of osd.{}", id);
}

Result<std::vector<std::string>> read_content(int fd) {
  std::vector<std::string> content;
  // Aligned: the file is usually open with O_DIRECT.
  alignas(label_bytes) std::array<char, label_bytes> start{};
  const ssize_t got = ::pread(fd, start.data(), start.size(), 0);
  if (got < 0) return fail(unreadable(errno));
  const std::string label = bluestore_label({start.data(), static_cast<std::size_t>(got)});
  if (!label.empty()) content.push_back(label);
  const std::unique_ptr<blkid_struct_probe, Freed> probe(blkid_new_probe());
  if (!probe || blkid_probe_set_device(probe.get(), fd, 0, 0) != 0) return fail(unreadable(EIO));
  blkid_probe_enable_superblocks(probe.get(), 1);
  // A damaged file system may still be repaired.
  blkid_probe_set_superblocks_flags(probe.get(),
                                    BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_BADCSUM);
  blkid_probe_enable_partitions(probe.get(), 1);
  int found = 0;
  while ((found = blkid_do_probe(probe.get())) == 0) {
    const std::string text = found_text(probe.get());
    const bool known = !label.empty() && text.starts_with("ceph_bluestore");
    if (!text.empty() && !known) content.push_back(text);
  }
  if (found < 0) return fail(unreadable(EIO));
  return content;
}

}  // namespace radosload::observe
