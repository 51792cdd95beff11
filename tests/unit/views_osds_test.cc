#include <algorithm>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/golden.h"
#include "unit/osd_support.h"
#include "unit/widest_line.h"
#include "views/osds_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {
namespace {

using nlohmann::json;
using placement::OsdInventory;
using placement::testing::home_lab;
using placement::testing::recorded;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<placement::KindMatch> matches_of(const OsdInventory& inventory) {
  return placement::match_osds(inventory, {}).value();
}

OsdInventory with_settings() {
  OsdInventory inventory = recorded("18.2.7");
  placement::testing::expect_read(
      placement::parse_osd_settings(placement::testing::config_dump, inventory));
  placement::note_complaints("BLUEFS_SPILLOVER", {"osd.2 spilled over 64 KiB metadata"}, inventory);
  return inventory;
}

TEST(OsdsText, ARecordedCluster) {
  const std::string text = osds_text(with_settings());
  test::expect_golden("osds-recorded.txt", text);
  EXPECT_LE(widest_line(text), 120U);
}

TEST(OsdsText, AHomeLab) {
  const std::string text = osds_text(home_lab());
  test::expect_golden("osds-home-lab.txt", text);
  EXPECT_LE(widest_line(text), 120U);
}

TEST(OsdsText, CommonProperties_AreOneLineAndDifferencesAreColumns) {
  OsdInventory inventory = home_lab();
  EXPECT_THAT(osds_text(inventory),
              AllOf(HasSubstr("version 18.2.4"), Not(HasSubstr("  version"))));
  inventory.osds[3].version = "18.2.7";
  EXPECT_THAT(osds_text(inventory), AllOf(HasSubstr("  version"), HasSubstr("18.2.7")));
}

TEST(OsdsText, AnOsdThatIsDownIsShownAsDown) {
  OsdInventory inventory = home_lab();
  EXPECT_THAT(osds_text(inventory), AllOf(HasSubstr("all up"), Not(HasSubstr("state"))));
  inventory.osds[1].up = false;
  inventory.osds[2].in = false;
  EXPECT_THAT(osds_text(inventory),
              AllOf(HasSubstr("1 down, 1 out, 7 up"), HasSubstr("osd.1   down   db")));
}

TEST(OsdsText, UnknownValues_AreReportedAndNotShownAsZero) {
  OsdInventory inventory = home_lab();
  for (placement::Osd& osd : inventory.osds) {
    osd.fill.reset();
    osd.pgs.reset();
    osd.primaries.reset();
    osd.mclock_iops.reset();
  }
  inventory.settings_seen = false;
  inventory.unseen = {"fill: denied", "PGs: denied"};
  const std::string text = osds_text(inventory);
  EXPECT_THAT(text, AllOf(HasSubstr("unknown  fill, PGs, primaries"), HasSubstr("- fill: denied"),
                          Not(HasSubstr("mclock")), Not(HasSubstr(" %"))));
  EXPECT_THAT(matches_text(inventory, matches_of(inventory)), HasSubstr("- fill: denied"));
}

TEST(OsdsText, OneOsd_HasAShortSummary) {
  EXPECT_THAT(osds_text({.osds = {home_lab().osds[0]}}), HasSubstr("1: 1 wal; all up"));
  EXPECT_THAT(osds_text({.osds = {{.id = 4}}}), HasSubstr("1: 1 of unknown kind; all down"));
}

TEST(OsdsMatchText, TheFairPairsOfAHomeLab) {
  const OsdInventory inventory = home_lab();
  const std::string text = matches_text(inventory, matches_of(inventory));
  test::expect_golden("osds-match-home-lab.txt", text);
  EXPECT_LE(widest_line(text), 100U);
}

TEST(OsdsMatchText, NoFairPair_TextHasTheReason) {
  OsdInventory inventory = home_lab();
  std::erase_if(inventory.osds, [](const auto& osd) { return osd.host() == "quell"; });
  test::expect_golden("osds-match-none.txt", matches_text(inventory, matches_of(inventory)));
}

TEST(OsdsMatchText, OneKindAloneHasNothingToMatch) {
  const OsdInventory inventory{.osds = {home_lab().osds[0], {.id = 17}}};
  EXPECT_THAT(matches_text(inventory, matches_of(inventory)),
              AllOf(HasSubstr("nothing to match"), HasSubstr("kind is unknown: 17")));
}

TEST(OsdsJson, KeysThatScriptsRelyOn) {
  const OsdInventory inventory = with_settings();
  const json document = json::parse(osds_json(inventory, matches_of(inventory)));
  EXPECT_EQ(document["schema"], "radosload.osds/1");
  ASSERT_EQ(document["osds"].size(), 4U);
  const json& db = document["osds"][2];
  EXPECT_EQ(db["id"], 2);
  EXPECT_EQ(db["kind"], "db");
  EXPECT_EQ(db["up"], true);
  EXPECT_EQ(db["class"], "hdd");
  EXPECT_EQ(db["host"], "node1");
  EXPECT_EQ(db["data"]["rotational"], true);
  EXPECT_EQ(db["data"]["size_bytes"], 12884901888);
  EXPECT_TRUE(db["data"]["model"].is_null());
  EXPECT_EQ(db["fast"]["devices"], "loop3");
  EXPECT_EQ(db["min_alloc_size_bytes"], 4096);
  EXPECT_EQ(db["version"], "18.2.7");
  EXPECT_EQ(db["pgs"], 45);
  EXPECT_EQ(db["primaries"], 13);
  EXPECT_NEAR(db["fill"].get<double>(), 0.0023, 1e-4);
  EXPECT_EQ(db["mclock_capacity_iops"], 250);
  EXPECT_EQ(db["settings"]["osd_memory_target"], "4294967296");
  EXPECT_EQ(db["complaints"]["BLUEFS_SPILLOVER"], "spilled over 64 KiB metadata");
  EXPECT_TRUE(document["osds"][0]["fast"].is_null());
  EXPECT_TRUE(document["osds"][0]["mclock_capacity_iops"].is_null());
  EXPECT_EQ(document["unseen"], json::array());

  const json& match = document["matches"][2];
  EXPECT_EQ(match["kinds"], json({"wal", "db"}));
  EXPECT_EQ(match["class"], "hdd");
  EXPECT_EQ(match["osds"], json({{1}, {2}}));
  EXPECT_EQ(match["pairs"][0]["osds"], json({1, 2}));
  EXPECT_GT(match["pairs"][0]["burden"], 0);
  EXPECT_TRUE(match["nearest"].is_null());
  EXPECT_THAT(match["scope"], HasSubstr("these two OSDs"));
  bool spillover = false;
  for (const json& one : match["pairs"][0]["confounders"]) {
    if (one["what"] != "BLUEFS_SPILLOVER") continue;
    spillover = true;
    EXPECT_EQ(one["values"], json({"no", "'spilled over 64 KiB metadata'"}));
    EXPECT_EQ(one["gravity"], "bends");
  }
  EXPECT_TRUE(spillover);
}

TEST(OsdsJson, WithoutMatchThereAreNone) {
  EXPECT_TRUE(json::parse(osds_json(home_lab(), {}))["matches"].is_null());
}

TEST(OsdsJson, NamesThatAreNotUtf8AreStillJson) {
  OsdInventory inventory = home_lab();
  inventory.osds[0].data.model = "broken \xff";
  EXPECT_TRUE(json::accept(osds_json(inventory, {})));
}

}  // namespace
}  // namespace radosload::views
