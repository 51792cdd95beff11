// What windows of counters say about the interval: compactions, and OSDs that were not counted.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "watch/window_signs.h"

namespace radosload::watch {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

record::OsdWindow counted(std::int32_t osd, int from, int to) {
  return {.osd = osd, .from = seconds(from), .to = seconds(to)};
}

TEST(WindowSigns, ACompactionIsNamedWithItsOsdAndTimes) {
  record::OsdWindow busy = counted(3, 1, 21);
  busy.growth.counts["compact"] = 1;
  const auto found = compactions_in({counted(0, 1, 21), busy}, seconds(5));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].harm, observe::Harm::contaminated);
  EXPECT_EQ(found[0].osd, 3);
  EXPECT_THAT(found[0].what, HasSubstr("osd.3 compacted RocksDB"));
  EXPECT_EQ(found[0].from, seconds(6));
  EXPECT_EQ(found[0].to, seconds(26));
}

TEST(WindowSigns, AnOsdWithoutFiguresWasNotWatched) {
  EXPECT_THAT(uncounted_osds({{.osd = 3, .missing = "it was restarted"}}, seconds(60)),
              ElementsAre("osd.3 has no figures (it was restarted)"));
}

TEST(WindowSigns, Figures_MayEndAtMost10sEarly) {
  EXPECT_THAT(uncounted_osds({counted(0, 10, 50)}, seconds(60)), IsEmpty());
  EXPECT_THAT(
      uncounted_osds({counted(0, 11, 60), counted(1, 0, 49)}, seconds(60)),
      ElementsAre("the figures of osd.0 begin at 11.0 s", "the figures of osd.1 end at 49.0 s"));
}

TEST(WindowSigns, Reset_IsNotedWithItsOsdAndOtherFiguresAreKept) {
  const std::vector<record::OsdWindow> windows = {
      {.osd = 3, .from = seconds(1), .to = seconds(9), .missing = std::string(counters_were_reset)},
      {.osd = 4, .missing = "osd.4 was restarted"},
      {.osd = 5}};
  const auto found = resets_in(windows, seconds(100));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].harm, observe::Harm::noted);
  EXPECT_EQ(found[0].osd, 3);
  EXPECT_EQ(found[0].from, seconds(101));
  EXPECT_EQ(found[0].to, seconds(109));
}

}  // namespace
}  // namespace radosload::watch
