// OSDs for tests: those of the recorded clusters, and those of a home lab in which fair pairs were
// looked for by hand (two variants of one disk, of which only one is on both sides).
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "placement/osd_inventory.h"
#include "support/files.h"

namespace radosload::placement::testing {

// What `config dump` says there: capacities as OSDs store them at their first start, and one option
// by mask.
inline const std::string config_dump = R"([
  {"section": "global", "name": "osd_memory_target", "value": "1", "level": "basic", "mask": ""},
  {"section": "osd", "name": "osd_memory_target", "value": "4294967296", "mask": ""},
  {"section": "osd", "name": "osd_memory_target", "value": "2147483648", "mask": "class:ssd",
   "device_class": "ssd"},
  {"section": "osd.1", "name": "osd_mclock_max_capacity_iops_hdd", "value": "315.250000"},
  {"section": "osd.2", "name": "osd_mclock_max_capacity_iops_hdd", "value": "250.000000"},
  {"section": "osd.2", "name": "osd_mclock_max_capacity_iops_ssd", "value": "21500.000000"},
  {"section": "osd.2", "name": "container_image", "value": "a"},
  {"section": "mon", "name": "mon_allow_pool_size_one", "value": "true"}])";

inline void expect_read(const Status& parsed) {
  EXPECT_TRUE(parsed) << parsed.error().message();
}

// "16.2.15" or "18.2.7": osd.0 plain, 1 WAL-only, 2 DB, all on disks; 3 plain on flash.
inline OsdInventory recorded(const std::string& version) {
  OsdInventory inventory = parse_osd_tree(test::fixture(version, "osd-tree.json")).value();
  const auto file = [&](const char* name) { return test::fixture(version, name); };
  expect_read(parse_osd_metadata(file("osd-metadata-all.json"), inventory));
  expect_read(parse_osd_fill(file("osd-df.json"), inventory));
  expect_read(parse_osd_pgs(file("pg-dump-pgs_brief.json"), inventory));
  return inventory;
}

inline Osd home_osd(std::int32_t id, OsdKind kind, const std::string& host,
                    const std::string& variant, double fill, std::uint32_t pgs) {
  Osd osd{.id = id, .up = true, .kind = kind, .device_class = "hdd"};
  osd.location = {{"host", host}, {"root", "default"}};
  osd.hostname = host;
  osd.data = {.names = "sda",
              .model = "ST5000LM000-" + variant,
              .rotational = true,
              .size = Bytes{5000981078016},
              .shared_by = 1};
  osd.fast = {.names = "sdb",
              .model = "CT500MX500SSD1",
              .rotational = false,
              .size = gib(40),
              .shared_by = 3};
  osd.allocation = kib(4);
  osd.version = osd.made_by = "18.2.4";
  osd.cpu = "Intel(R) Core(TM) i7-2600 CPU @ 3.40GHz";
  osd.kernel = "6.8.12-1-pve";
  osd.memory = gib(16);
  osd.fill = fill;
  osd.pgs = pgs;
  osd.primaries = pgs / 3;
  return osd;
}

inline OsdInventory home_lab() {
  constexpr auto wal = OsdKind::wal;
  constexpr auto db = OsdKind::db;
  return {.osds = {home_osd(0, wal, "harlan", "2AN170", 0.46, 115),
                   home_osd(1, db, "edgar", "2U8170", 0.49, 130),
                   home_osd(3, wal, "harlan", "2AN170", 0.50, 136),
                   home_osd(4, db, "edgar", "2U8170", 0.51, 128),
                   home_osd(6, wal, "harlan", "2AN170", 0.16, 36),
                   home_osd(7, db, "edgar", "2U8170", 0.49, 122),
                   home_osd(9, wal, "quell", "2U8170", 0.51, 134),
                   home_osd(10, wal, "quell", "2U8170", 0.43, 115),
                   home_osd(11, wal, "quell", "2U8170", 0.49, 128)},
          .settings_seen = true};
}

}  // namespace radosload::placement::testing
