// Moments of the wall clock as text, and back.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/wall_clock.h"

namespace radosload::base {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::seconds;

TEST(WallClock, MomentIsWrittenToTheMicrosecond) {
  EXPECT_EQ(moment_text(Time(0)), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(moment_text(seconds(1'763'691'837) + microseconds(873'709) + Time(999)),
            "2025-11-21T02:23:57.873709Z");
  EXPECT_EQ(time_of_day_text(hours(26) + microseconds(5)), "02:00:00.000005");
}

TEST(WallClock, StampsOfCephAreRead) {
  const auto utc = parse_moment("2025-11-21T02:23:57.873709+0000");
  ASSERT_TRUE(utc);
  EXPECT_EQ(*utc, seconds(1'763'691'837) + microseconds(873'709));
  EXPECT_EQ(parse_moment("2025-11-21 02:23:57.873709"), utc) << "older releases write no zone";
  EXPECT_EQ(parse_moment("2025-11-21T03:53:57.873709+01:30"), utc);
  EXPECT_EQ(parse_moment("2025-11-20T21:23:57.873709-0500"), utc);
}

TEST(WallClock, OtherTexts_AreRefused) {
  for (const char* const text :
       {"", "now", "2025", "2025-13-01T00:00:00Z", "2025-02-30T00:00:00Z", "2025-01-01T24:00:00Z",
        "2025-01-01T00:60:00Z", "2025-01-01T00:00:00Zulu", "2025-01-01T00:00:00+1",
        "1969-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "2025-01-01T00:00:-1Z",
        "2025-01-01T00:00:00+-1:0"}) {
    EXPECT_FALSE(parse_moment(text)) << text;
  }
}

RC_GTEST_PROP(WallClock, WrittenMoments_ReadBack, ()) {
  const microseconds moment(*rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000'000));
  RC_ASSERT(parse_moment(moment_text(moment)) == Time(moment));
}

}  // namespace
}  // namespace radosload::base
