// What the OSDs of a cluster are: their kind, drives, host, fill, PGs and settings. Values, and
// pure parsers that build them, one for each command; what was not asked or not answered is left
// empty, and an OSD that is down is what it was when it was last up.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::placement {

// Where an OSD keeps its RocksDB and that one's log (the WAL).
enum class OsdKind : std::uint8_t {
  unknown,  // it has never been up, or is not BlueStore
  plain,    // both on the main drive
  wal,      // the WAL on a device of its own
  db,       // both on a device of their own
  db_wal,   // each on a device of its own
};

// "plain", "wal", "db", "db+wal", "?"
std::string_view kind_name(OsdKind kind);
// The reverse; nothing for other names.
std::optional<OsdKind> kind_named(std::string_view name);
// All but unknown.
std::vector<OsdKind> every_kind();

struct OsdDrive {
  std::string names = {};  // on its host: "sda"
  std::string model = {};  // "ST5000LM000-2U8170"
  std::optional<bool> rotational = {};
  Bytes size = {};
  std::uint32_t shared_by = 0;  // OSDs of the host that keep something on it, this one included
};

struct Osd {
  std::int32_t id = -1;
  bool up = false;
  bool in = true;  // it has a weight
  OsdKind kind = OsdKind::unknown;
  std::string device_class = {};
  std::map<std::string, std::string> location = {};  // in CRUSH: "host" -> "node1"
  std::string hostname = {};                         // as the OSD itself knows it

  OsdDrive data = {};
  OsdDrive fast = {};     // of the DB; of the WAL when there is no DB; empty for plain ones
  Bytes allocation = {};  // bluestore_min_alloc_size
  std::string version = {};
  std::string made_by = {};  // the version that made it: some of its format stays
  std::string cpu = {};
  std::string kernel = {};
  Bytes memory = {};  // of the host

  // Of the main drive. `ceph osd df` counts a DB's device as space that is in use, so there a DB
  // OSD seems fuller than a plain one that holds the same.
  std::optional<double> fill = {};
  std::optional<std::uint32_t> pgs = {};
  std::optional<std::uint32_t> primaries = {};

  std::optional<double> mclock_iops = {};            // when the mons' config has one for it
  std::map<std::string, std::string> settings = {};  // all else that the mons' config has for it
  std::map<std::string, std::string> complaints =
      {};  // of health: "BLUEFS_SPILLOVER" -> what of it

  // The host in CRUSH, or its own name for it.
  const std::string& host() const;
};

struct OsdInventory {
  std::vector<Osd> osds = {};            // by id
  bool settings_seen = false;            // so that no capacity means Ceph's default
  std::vector<std::string> unseen = {};  // what could not be read, and why

  const Osd* find(std::int32_t id) const;
};

// `osd tree`: which OSDs there are. It comes first; the others fill in what they know of those.
Result<OsdInventory> parse_osd_tree(const std::string& json);
// `osd metadata`
Status parse_osd_metadata(const std::string& json, OsdInventory& into);
// `osd df`; after the metadata, which have the sizes of the main drives.
Status parse_osd_fill(const std::string& json, OsdInventory& into);
// `pg dump pgs_brief`
Status parse_osd_pgs(const std::string& json, OsdInventory& into);
// `config dump`; after the metadata, since some options are for disks and some for flash.
Status parse_osd_settings(const std::string& json, OsdInventory& into);
// The detail lines of one health check; those that begin with an OSD's name are about that one.
void note_complaints(const std::string& code, const std::vector<std::string>& details,
                     OsdInventory& into);

}  // namespace radosload::placement
