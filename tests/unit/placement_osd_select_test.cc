#include <set>
#include <tuple>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "placement/osd_select.h"
#include "unit/osd_support.h"

namespace radosload::placement {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Kinds plain, wal, db, plain; classes hdd, hdd, hdd, ssd; and osd.7, down, of another host.
OsdInventory some_osds() {
  OsdInventory all = testing::recorded("16.2.15");
  all.osds.push_back({.id = 7, .location = {{"host", "node-b"}}, .hostname = "b.example"});
  return all;
}

std::vector<std::int32_t> chosen(std::string_view words) {
  const auto selection = parse_osd_selection(words);
  EXPECT_TRUE(selection) << selection.error().message();
  const auto ids = select_osds(selection.value(), some_osds());
  EXPECT_TRUE(ids) << ids.error().message();
  return ids.value_or(std::vector<std::int32_t>());
}

Error refused(std::string_view words) {
  const auto selection = parse_osd_selection(words);
  if (!selection) return selection.error();
  const auto ids = select_osds(*selection, some_osds());
  EXPECT_FALSE(ids) << words;
  return ids ? Error{} : ids.error();
}

TEST(OsdSelect, ByNumber) {
  EXPECT_THAT(chosen("0"), ElementsAre(0));
  EXPECT_THAT(chosen("osd.3,0"), ElementsAre(0, 3));
  EXPECT_THAT(chosen("1-3"), ElementsAre(1, 2, 3));
  EXPECT_THAT(chosen("osd.2-7,2"), ElementsAre(2, 3, 7)) << "those that there are, each once";
  EXPECT_THAT(chosen("0, 1-2"), ElementsAre(0, 1, 2));
}

TEST(OsdSelect, ByProperties) {
  EXPECT_THAT(chosen("kind=wal"), ElementsAre(1));
  EXPECT_THAT(chosen("kind=plain"), ElementsAre(0, 3));
  EXPECT_THAT(chosen("class=hdd"), ElementsAre(0, 1, 2));
  EXPECT_THAT(chosen("host=node-b"), ElementsAre(7));
  EXPECT_THAT(chosen("host=b.example"), ElementsAre(7)) << "as it calls itself";
  EXPECT_THAT(chosen("all"), ElementsAre(0, 1, 2, 3, 7));
}

TEST(OsdSelect, CommasAddAndSlashesNarrow) {
  EXPECT_THAT(chosen("kind=wal,kind=db,7"), ElementsAre(1, 2, 7));
  EXPECT_THAT(chosen("kind=plain/class=ssd"), ElementsAre(3));
  EXPECT_THAT(chosen("kind=plain/0-2,7"), ElementsAre(0, 7));
}

TEST(OsdSelect, InvalidLists_AreUsageErrorsWithAHint) {
  for (const auto& [words, reason, hint] :
       {std::tuple{"", "a name between two commas is missing", "host=NAME"},
        {"0,,1", "a name between two commas is missing", ""},
        {"3-1", "ends before it begins", "'1-3'"},
        {"osd.", "not the number", ""},
        {"-1", "not the number", ""},
        {"99999999999", "not the number", ""},
        {"1-2-3", "not the number", ""},
        {"al", "not the number", "'all'"},
        {"clas=hdd", "by 'clas'", "'class'"},
        {"host=", "nothing follows", ""},
        {"kind=wall", "no kind 'wall'", "plain, wal, db, db+wal"},
        {"kind=?", "no kind", ""}}) {
    const Error error = refused(words);
    EXPECT_EQ(error.exit, Exit::usage) << words;
    EXPECT_THAT(error.message(), AllOf(HasSubstr(reason), HasSubstr(hint))) << words;
  }
}

TEST(OsdSelect, NoMatch_ErrorListsTheExistingValues) {
  for (const auto& [words, what, there] :
       {std::tuple{"0,5", "'5'", "0-3, 7"},
        {"4-6", "'4-6'", "0-3, 7"},
        {"host=node9", "'host=node9'", "node-b, node1"},
        {"class=nvme", "'class=nvme'", "hdd, ssd"},
        {"kind=db+wal", "'kind=db+wal'", "db, plain, wal"},
        {"kind=wal/class=ssd", "no OSD has all of these", "radosload osds"}}) {
    const Error error = refused(words);
    EXPECT_EQ(error.exit, Exit::no_cluster) << words;
    EXPECT_THAT(error.message(), AllOf(HasSubstr(what), HasSubstr(there))) << words;
  }
}

RC_GTEST_PROP(OsdSelect, Ids_ReadBack, (std::set<std::uint8_t> wanted)) {
  RC_PRE(!wanted.empty());
  const std::vector<std::int32_t> ids(wanted.begin(), wanted.end());
  OsdInventory inventory;
  for (std::int32_t id = 0; id < 256; ++id) inventory.osds.push_back({.id = id});
  const auto selection = parse_osd_selection(ids_text(ids));
  RC_ASSERT(selection.has_value());
  RC_ASSERT(select_osds(*selection, inventory).value() == ids);
  RC_ASSERT(only(inventory, ids).osds.size() == ids.size());
}

}  // namespace
}  // namespace radosload::placement
