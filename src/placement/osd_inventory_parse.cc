// The commands that say what OSDs are: `osd tree` and `osd metadata`.

#include <algorithm>
#include <set>
#include <utility>

#include "base/ceph_json.h"
#include "placement/osd_inventory.h"

namespace radosload::placement {

namespace {

using ceph_json::id_of;
using ceph_json::Json;
using ceph_json::member;
using ceph_json::number;
using ceph_json::text;

struct Bucket {
  std::string type;
  std::string name;
  std::int32_t parent = 0;  // OSDs are never parents, and 0 is an OSD
};

using Buckets = std::map<std::int32_t, Bucket>;

Buckets buckets_of(const Json& nodes) {
  Buckets buckets;
  for (const Json& node : nodes) {
    if (const auto id = id_of(node, "id")) {
      buckets[*id] = {.type = text(node, "type"), .name = text(node, "name")};
    }
  }
  for (const Json& node : nodes) {
    const auto parent = id_of(node, "id").value_or(0);
    for (const Json& child : member(node, "children")) {
      const auto found =
          child.is_number_integer() ? buckets.find(child.get<std::int32_t>()) : buckets.end();
      if (found != buckets.end() && found->second.parent == 0) found->second.parent = parent;
    }
  }
  return buckets;
}

std::map<std::string, std::string> location_of(const Buckets& buckets, std::int32_t id) {
  std::map<std::string, std::string> location;
  std::set<std::int32_t> seen;  // a tree that bites its own tail is none, but who knows
  const auto above = [&](std::int32_t of) {
    const auto found = buckets.find(of);
    return found == buckets.end() ? 0 : found->second.parent;
  };
  for (std::int32_t at = above(id); at < 0 && seen.insert(at).second; at = above(at)) {
    const auto bucket = buckets.find(at);
    if (bucket != buckets.end()) location.emplace(bucket->second.type, bucket->second.name);
  }
  return location;
}

// Both lists of `osd tree` hold OSDs: "stray" those that no bucket has.
void add_osds(const Json& nodes, const Buckets& buckets, std::map<std::int32_t, Osd>& found) {
  for (const Json& node : nodes) {
    const auto id = id_of(node, "id");
    if (!id || *id < 0 || text(node, "type") != "osd") continue;
    const Json& weight = member(node, "reweight");
    found[*id] = {.id = *id,
                  .up = text(node, "status") == "up",
                  .in = !weight.is_number() || weight.get<double>() > 0,
                  .device_class = text(node, "device_class"),
                  .location = location_of(buckets, *id)};
  }
}

std::optional<bool> said(const Json& metadata, const std::string& key) {
  const std::string value = text(metadata, key);
  if (value.empty()) return {};
  return value == "1";
}

OsdKind kind_of(const Json& metadata) {
  const auto db = said(metadata, "bluefs_dedicated_db");
  const auto wal = said(metadata, "bluefs_dedicated_wal");
  if (!db || !wal) return OsdKind::unknown;
  if (*db) return *wal ? OsdKind::db_wal : OsdKind::db;
  return *wal ? OsdKind::wal : OsdKind::plain;
}

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (from < list.size()) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    parts.push_back(list.substr(from, comma - from));
    from = comma + 1;
  }
  return parts;
}

// device_ids is "sda=VENDOR_MODEL_SERIAL,nvme0n1=..."; names are those of one drive, or of several
// that a volume lies on.
std::string model_of(const std::string& device_ids, const std::string& names) {
  std::set<std::string> models;
  const std::vector<std::string> wanted = parts_of(names);
  for (const std::string& entry : parts_of(device_ids)) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;
    if (std::find(wanted.begin(), wanted.end(), entry.substr(0, equals)) == wanted.end()) continue;
    // Without a model there is only a serial number, which says nothing that two drives share.
    const std::size_t serial = entry.rfind('_');
    if (serial == std::string::npos || serial < equals + 2) continue;
    models.insert(entry.substr(equals + 1, serial - equals - 1));
  }
  std::string text;
  for (const std::string& model : models) text += (text.empty() ? "" : " + ") + model;
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

OsdDrive drive_of(const Json& metadata, const std::string& prefix) {
  OsdDrive drive;
  drive.names = text(metadata, prefix + "devices");
  drive.model = model_of(text(metadata, "device_ids"), drive.names);
  drive.rotational = said(metadata, prefix + "rotational");
  drive.size = Bytes{number(metadata, prefix + "size")};
  return drive;
}

void fill_in(const Json& metadata, Osd& osd) {
  osd.kind = kind_of(metadata);
  osd.hostname = text(metadata, "hostname");
  osd.data = drive_of(metadata, "bluestore_bdev_");
  if (!osd.data.rotational) osd.data.rotational = said(metadata, "rotational");
  const bool db = osd.kind == OsdKind::db || osd.kind == OsdKind::db_wal;
  if (db) osd.fast = drive_of(metadata, "bluefs_db_");
  if (osd.kind == OsdKind::wal) osd.fast = drive_of(metadata, "bluefs_wal_");
  if (osd.device_class.empty()) osd.device_class = text(metadata, "default_device_class");
  osd.allocation = Bytes{number(metadata, "bluestore_min_alloc_size")};
  osd.version = text(metadata, "ceph_version_short");
  // "ceph version 16.2.15 (618f...) pacific (stable)"
  const std::string made_by = text(metadata, "ceph_version_when_created");
  constexpr std::string_view lead = "ceph version ";
  if (made_by.starts_with(lead)) {
    osd.made_by = made_by.substr(lead.size(), made_by.find(' ', lead.size()) - lead.size());
  }
  osd.cpu = text(metadata, "cpu");
  osd.kernel = text(metadata, "kernel_version");
  osd.memory = kib(number(metadata, "mem_total_kb"));
}

void count_neighbours(OsdInventory& inventory) {
  std::map<std::pair<std::string, std::string>, std::set<std::int32_t>> users;
  const auto each_drive = [&](auto&& act) {
    for (Osd& osd : inventory.osds) {
      for (OsdDrive* const drive : {&osd.data, &osd.fast}) {
        if (!drive->names.empty()) act(osd, *drive);
      }
    }
  };
  each_drive([&](const Osd& osd, const OsdDrive& drive) {
    users[{osd.hostname, drive.names}].insert(osd.id);
  });
  each_drive([&](const Osd& osd, OsdDrive& drive) {
    drive.shared_by = static_cast<std::uint32_t>(users[{osd.hostname, drive.names}].size());
  });
}

}  // namespace

Result<OsdInventory> parse_osd_tree(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto parsed, ceph_json::parse_object("osd tree", json));
  const Json& nodes = member(parsed, "nodes");
  std::map<std::int32_t, Osd> found;
  add_osds(member(parsed, "stray"), {}, found);
  add_osds(nodes, buckets_of(nodes), found);
  OsdInventory inventory;
  for (auto& [id, osd] : found) inventory.osds.push_back(std::move(osd));
  return inventory;
}

Status parse_osd_metadata(const std::string& json, OsdInventory& into) {
  RADOSLOAD_ASSIGN(const auto parsed, ceph_json::parse_array("osd metadata", json));
  std::map<std::int32_t, const Json*> known;
  for (const Json& listed : parsed) {
    if (const auto id = id_of(listed, "id")) known[*id] = &listed;
  }
  for (Osd& osd : into.osds) {
    const auto found = known.find(osd.id);
    if (found != known.end()) fill_in(*found->second, osd);
  }
  count_neighbours(into);
  return {};
}

}  // namespace radosload::placement
