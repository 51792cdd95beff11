#include <array>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "placement/osd_inventory.h"
#include "placement/osd_settings.h"
#include "unit/osd_support.h"

namespace radosload::placement {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr std::array<const char*, 2> versions = {"16.2.15", "18.2.7"};

OsdInventory tree_of(const std::string& nodes, const std::string& stray = "") {
  return parse_osd_tree(R"({"nodes": [)" + nodes + R"(], "stray": [)" + stray + "]}").value();
}

OsdInventory with_metadata(const std::string& metadata) {
  OsdInventory inventory = tree_of(
      R"({"id": 0, "type": "osd", "status": "up"}, {"id": 1, "type": "osd", "status": "up"})");
  testing::expect_read(parse_osd_metadata("[" + metadata + "]", inventory));
  return inventory;
}

TEST(OsdInventory, KindsOfBothReleases) {
  for (const char* const version : versions) {
    const OsdInventory inventory = testing::recorded(version);
    std::vector<std::string_view> kinds;
    for (const Osd& osd : inventory.osds) kinds.push_back(kind_name(osd.kind));
    EXPECT_THAT(kinds, ElementsAre("plain", "wal", "db", "plain")) << version;
  }
}

TEST(OsdInventory, PropertiesOfEachOsd_AreReadInBothReleases) {
  for (const std::string version : versions) {
    const OsdInventory inventory = testing::recorded(version);
    ASSERT_THAT(inventory.osds, SizeIs(4));
    const Osd& db = inventory.osds[2];
    EXPECT_EQ(db.id, 2);
    EXPECT_TRUE(db.up);
    EXPECT_TRUE(db.in);
    EXPECT_EQ(db.device_class, "hdd");
    EXPECT_EQ(db.host(), "node1");
    EXPECT_EQ(db.hostname, "node1");
    EXPECT_EQ(db.data.names, "loop2");
    EXPECT_EQ(db.data.size, gib(12));
    EXPECT_EQ(db.data.rotational, true);
    EXPECT_EQ(db.data.model, "") << "loop devices have none";
    EXPECT_EQ(db.fast.names, "loop3");
    EXPECT_EQ(db.fast.size, gib(4));
    EXPECT_EQ(db.fast.rotational, false);
    EXPECT_EQ(db.fast.shared_by, 1U);
    EXPECT_EQ(db.allocation, kib(4));
    EXPECT_EQ(db.version, version);
    EXPECT_EQ(db.made_by, version);
    EXPECT_EQ(db.memory, kib(24684096));
    EXPECT_EQ(inventory.osds[1].fast.size, gib(2));
    EXPECT_EQ(inventory.osds[0].fast.names, "");
    EXPECT_EQ(inventory.osds[3].device_class, "ssd");
    EXPECT_EQ(inventory.osds[3].data.rotational, false);
  }
}

TEST(OsdInventory, EveryCombinationOfDedicatedDevicesIsAKind) {
  const auto kind = [](const std::string& db, const std::string& wal) {
    return with_metadata(R"({"id": 0, "bluefs_dedicated_db": ")" + db +
                         R"(", "bluefs_dedicated_wal": ")" + wal + "\"}")
        .osds[0]
        .kind;
  };
  EXPECT_EQ(kind("0", "0"), OsdKind::plain);
  EXPECT_EQ(kind("0", "1"), OsdKind::wal);
  EXPECT_EQ(kind("1", "0"), OsdKind::db);
  EXPECT_EQ(kind("1", "1"), OsdKind::db_wal);
  EXPECT_EQ(with_metadata(R"({"id": 0, "osd_objectstore": "memstore"})").osds[0].kind,
            OsdKind::unknown);
  for (const OsdKind each : every_kind()) EXPECT_EQ(kind_named(kind_name(each)), each);
  EXPECT_FALSE(kind_named("?"));
}

// `osd df` says 25 % of osd.2, which holds next to nothing: 4 of its 16 GiB are the DB's device.
TEST(OsdInventory, FillIsThatOfTheMainDrive) {
  const OsdInventory pacific = testing::recorded("16.2.15");
  EXPECT_NEAR(pacific.osds[0].fill.value(), 0.02478, 1e-5);
  EXPECT_NEAR(pacific.osds[2].fill.value(), 0.00246, 1e-5);
  EXPECT_NEAR(testing::recorded("18.2.7").osds[2].fill.value(), 0.00230, 1e-5);
}

TEST(OsdInventory, PgsAreThoseOfEveryPoolAndPrimariesTheActingOnes) {
  const auto counts = [](const char* version) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const Osd& osd : testing::recorded(version).osds) {
      found.emplace_back(osd.pgs.value(), osd.primaries.value());
    }
    return found;
  };
  EXPECT_THAT(counts("16.2.15"),
              ElementsAre(Pair(40, 11), Pair(46, 12), Pair(48, 18), Pair(45, 24)));
  EXPECT_THAT(counts("18.2.7"), ElementsAre(Pair(41, 8), Pair(44, 17), Pair(45, 13), Pair(46, 26)));

  OsdInventory inventory = tree_of(R"({"id": 5, "type": "osd"}, {"id": 6, "type": "osd"})");
  ASSERT_TRUE(parse_osd_pgs(
      R"([{"pgid": "1.0", "acting": [5, 2147483647, 6], "acting_primary": 6},
          {"pgid": "2.0", "acting": [5, 6], "acting_primary": 5},
          {"pgid": "2.1", "acting": [5], "acting_primary": -1}])",
      inventory));
  EXPECT_EQ(inventory.osds[0].pgs, 3U);
  EXPECT_EQ(inventory.osds[0].primaries, 1U);
  EXPECT_EQ(inventory.osds[1].pgs, 2U);
  EXPECT_EQ(inventory.osds[1].primaries, 1U) << "not the first of the acting set";
}

TEST(OsdInventory, MissingListOfPgs_IsUnknownNotZero) {
  for (const char* const answer : {R"({"pg_ready": false})", R"({"pg_stats": []})", "[]", ""}) {
    OsdInventory inventory = tree_of(R"({"id": 5, "type": "osd"})");
    EXPECT_FALSE(parse_osd_pgs(answer, inventory)) << answer;
    EXPECT_FALSE(inventory.osds[0].pgs);
  }
}

TEST(OsdInventory, ModelsComeFromDeviceIdsWithoutTheirSerials) {
  const OsdInventory inventory = with_metadata(
      R"({"id": 0, "hostname": "a", "bluefs_dedicated_db": "1", "bluefs_dedicated_wal": "0",
          "bluestore_bdev_devices": "sda", "bluefs_db_devices": "nvme0n1",
          "device_ids": "nvme0n1=INTEL_SSDPEDMD400G4_CVFT724,sda=SAMSUNG_MZ7KM960HMJP-00005_S3F"},
         {"id": 1, "hostname": "a", "bluefs_dedicated_db": "0", "bluefs_dedicated_wal": "1",
          "bluestore_bdev_devices": "sdb", "bluefs_wal_devices": "nvme0n1",
          "device_ids": "sdb=S3F1,nvme0n1=,sda"})");
  EXPECT_EQ(inventory.osds[0].data.model, "SAMSUNG MZ7KM960HMJP-00005");
  EXPECT_EQ(inventory.osds[0].fast.model, "INTEL SSDPEDMD400G4");
  EXPECT_EQ(inventory.osds[0].fast.shared_by, 2U);
  EXPECT_EQ(inventory.osds[0].data.shared_by, 1U);
  EXPECT_EQ(inventory.osds[1].data.model, "") << "a serial number alone is no model";
}

TEST(OsdInventory, Tree_HasStateAndPlace) {
  const OsdInventory inventory = tree_of(
      R"({"id": -1, "name": "default", "type": "root", "children": [-2]},
         {"id": -2, "name": "r1", "type": "rack", "children": [-3]},
         {"id": -3, "name": "h1", "type": "host", "children": [4, 2]},
         {"id": 4, "type": "osd", "status": "up", "reweight": 1, "device_class": "nvme"},
         {"id": 2, "type": "osd", "status": "down", "reweight": 0})",
      R"({"id": 9, "type": "osd", "status": "up", "reweight": 0.5})");
  ASSERT_THAT(inventory.osds, SizeIs(3));
  const Osd& down = inventory.osds[0];
  EXPECT_EQ(down.id, 2);
  EXPECT_FALSE(down.up);
  EXPECT_FALSE(down.in);
  EXPECT_THAT(down.location, UnorderedElementsAre(Pair("host", "h1"), Pair("rack", "r1"),
                                                  Pair("root", "default")));
  EXPECT_EQ(inventory.osds[1].device_class, "nvme");
  EXPECT_EQ(inventory.osds[2].id, 9);
  EXPECT_TRUE(inventory.osds[2].in);
  EXPECT_EQ(inventory.osds[2].host(), "");
  EXPECT_EQ(inventory.find(3), nullptr);
  EXPECT_EQ(inventory.find(9), &inventory.osds[2]);
}

TEST(OsdInventory, CircularTree_DoesNotHang) {
  const OsdInventory inventory = tree_of(
      R"({"id": -1, "name": "a", "type": "root", "children": [-2, 0]},
         {"id": -2, "name": "b", "type": "rack", "children": [-1]}, {"id": 0, "type": "osd"})");
  EXPECT_THAT(inventory.osds[0].location, SizeIs(2));
}

TEST(OsdInventory, TheNarrowerSettingWins) {
  OsdInventory inventory = testing::recorded("18.2.7");
  ASSERT_TRUE(parse_osd_settings(testing::config_dump, inventory));
  EXPECT_TRUE(inventory.settings_seen);
  EXPECT_FALSE(inventory.osds[0].mclock_iops);
  EXPECT_EQ(inventory.osds[1].mclock_iops, 315.25);
  EXPECT_EQ(inventory.osds[2].mclock_iops, 250) << "it is a disk";
  EXPECT_THAT(inventory.osds[2].settings, ElementsAre(Pair("osd_memory_target", "4294967296")));
  EXPECT_THAT(inventory.osds[3].settings, ElementsAre(Pair("osd_memory_target", "2147483648")));
}

TEST(OsdInventory, MasksAreOfPlaceClassOrBoth) {
  OsdInventory inventory = testing::recorded("16.2.15");
  ASSERT_TRUE(parse_osd_settings(
      R"([{"section": "osd", "mask": "host:node1/class:ssd", "name": "a", "value": "1"},
          {"section": "osd", "mask": "host:elsewhere", "name": "b", "value": "1"},
          {"section": "osd", "mask": "nonsense", "name": "c", "value": "1"},
          {"section": "osd.3", "mask": "", "name": "d", "value": "1"},
          {"section": "osd", "mask": "root:default", "name": "d", "value": "2"}])",
      inventory));
  EXPECT_THAT(inventory.osds[0].settings, ElementsAre(Pair("d", "2")));
  EXPECT_THAT(inventory.osds[3].settings, ElementsAre(Pair("a", "1"), Pair("d", "1")));
}

TEST(OsdInventory, ComplaintsOfHealthAreNotedByOsd) {
  OsdInventory inventory = testing::recorded("18.2.7");
  note_complaints(
      "BLUEFS_SPILLOVER",
      {" osd.2 spilled over 64 KiB metadata from 'db' device (4 of 4 GiB) to slow device",
       "osd.99 is not there", "osd. nothing", "3 osds"},
      inventory);
  EXPECT_THAT(inventory.osds[2].complaints,
              ElementsAre(Pair("BLUEFS_SPILLOVER", HasSubstr("spilled over 64 KiB"))));
  for (const int other : {0, 1, 3}) {
    EXPECT_THAT(inventory.osds[static_cast<std::size_t>(other)].complaints, IsEmpty());
  }
}

TEST(OsdInventory, AnOsdThatWasNeverUpHasNoKind) {
  const OsdInventory inventory = with_metadata(R"({"id": 0}, {"id": "1"}, {"id": 77}, 5)");
  EXPECT_EQ(inventory.osds[0].kind, OsdKind::unknown);
  EXPECT_FALSE(inventory.osds[0].data.rotational);
  EXPECT_EQ(inventory.osds[1].kind, OsdKind::unknown);
}

TEST(OsdInventory, AnOsdThatIsOutHasNoFill) {
  OsdInventory inventory = tree_of(R"({"id": 0, "type": "osd"}, {"id": 1, "type": "osd"})");
  ASSERT_TRUE(parse_osd_fill(
      R"({"nodes": [{"id": 0, "kb": 0, "kb_avail": 0, "utilization": -nan},
                    {"id": 1, "kb": 100, "kb_used": 25, "kb_avail": 75}]})",
      inventory));
  EXPECT_FALSE(inventory.osds[0].fill);
  EXPECT_DOUBLE_EQ(inventory.osds[1].fill.value(), 0.25);
}

TEST(OsdInventory, OtherText_IsAnError) {
  OsdInventory inventory;
  for (const char* const text : {"", "nonsense", "17", "{", "null"}) {
    EXPECT_FALSE(parse_osd_tree(text)) << text;
    EXPECT_FALSE(parse_osd_metadata(text, inventory)) << text;
    EXPECT_FALSE(parse_osd_fill(text, inventory)) << text;
    EXPECT_FALSE(parse_osd_settings(text, inventory)) << text;
  }
}

TEST(OsdSettings, NumbersAreAboveZero) {
  EXPECT_EQ(number_in("315.000000"), 315);
  EXPECT_EQ(number_in("2e3"), 2000);
  for (const char* const text : {"", "0", "-1", "inf", "nan", "3x", " 3"}) {
    EXPECT_FALSE(number_in(text)) << text;
  }
}

}  // namespace
}  // namespace radosload::placement
