#include <gtest/gtest.h>

#include "radosload/units.h"

#include <rapidcheck/gtest.h>

namespace radosload {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;

TEST(Units, SizesAreBinary) {
  EXPECT_EQ(parse_bytes("4k"), kib(4));
  EXPECT_EQ(parse_bytes("4K"), kib(4));
  EXPECT_EQ(parse_bytes("4KiB"), kib(4));
  EXPECT_EQ(parse_bytes("1.5M"), kib(1536));
  EXPECT_EQ(parse_bytes("2G"), gib(2));
  EXPECT_EQ(parse_bytes("2300"), Bytes{2300});
  EXPECT_EQ(parse_bytes("2300B"), Bytes{2300});
  EXPECT_EQ(parse_bytes("2g"), gib(2));
  EXPECT_EQ(parse_bytes("3m"), mib(3));
}

TEST(Units, UnitThatMayCountIn1000s_IsRefusedWithWhatToWrite) {
  const auto parsed = parse_bytes("1GB");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().hint.find("write 1G (or 1GiB)"), std::string::npos);
}

TEST(Units, UnreadableSizesAreRefusedAsUsage) {
  for (const char* text : {"", "k", "-4k", "-0", "4kb", "4q", "4 k", "0.3", "1e3", "nan", "inf",
                           "9999999P", "4k4k", "1kg"}) {
    const auto parsed = parse_bytes(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().exit, Exit::usage);
    EXPECT_NE(parsed.error().message().find(text), std::string::npos);
  }
}

TEST(Units, DurationsTakeUnitsAndBareSeconds) {
  EXPECT_EQ(parse_duration("30s"), std::chrono::seconds(30));
  EXPECT_EQ(parse_duration("30"), std::chrono::seconds(30));
  EXPECT_EQ(parse_duration("5m"), minutes(5));
  EXPECT_EQ(parse_duration("1h"), hours(1));
  EXPECT_EQ(parse_duration("250ms"), milliseconds(250));
  EXPECT_EQ(parse_duration("1.5s"), milliseconds(1500));
  EXPECT_EQ(parse_duration("10sec"), std::chrono::seconds(10));
  EXPECT_EQ(parse_duration("5minutes"), minutes(5));
  EXPECT_EQ(parse_duration("1h1m"), minutes(61));
  EXPECT_EQ(parse_duration("1m30.5s"), milliseconds(90500));
  EXPECT_EQ(parse_duration("2d"), hours(48));
  EXPECT_EQ(parse_duration("1day12h"), hours(36));
  for (const char* const text : {"1m1h", "1h30", "30m5", "1s1s", "s", "1h-1m", "", "1h "}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
  EXPECT_FALSE(parse_duration("5 minutes"));
  EXPECT_FALSE(parse_duration("100000h"));
}

TEST(Units, SwitchesTakeYesTrueAndOn) {
  for (const char* const text : {"yes", "true", "on"}) EXPECT_EQ(parse_switch(text), true) << text;
  for (const char* const text : {"no", "false", "off"}) EXPECT_EQ(parse_switch(text), false);
  for (const char* const text : {"", "1", "maybe", "YES"}) EXPECT_FALSE(parse_switch(text)) << text;
}

TEST(Units, TextForPeople_HasThreeDigits) {
  EXPECT_EQ(human_text(kib(4)), "4 KiB");
  EXPECT_EQ(human_text(Bytes{1567890}), "1.5 MiB");
  EXPECT_EQ(human_text(Bytes{0}), "0 B");
  EXPECT_EQ(human_text(Time(microseconds(812))), "812 us");
  EXPECT_EQ(human_text(Time(milliseconds(1240))), "1.24 s");
  EXPECT_EQ(human_text(Time(std::chrono::seconds(200))), "3 m 20 s");
  EXPECT_EQ(human_text(Time(minutes(61))), "1 h 1 m");
  EXPECT_EQ(human_text(Time(hours(47))), "47 h 0 m");
  EXPECT_EQ(human_text(Time(hours(51))), "2 d 3 h");
}

RC_GTEST_PROP(Units, OptionTextOfASizeReadsBackExactly, ()) {
  const Bytes bytes{*rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 52U)};
  RC_ASSERT(parse_bytes(option_text(bytes)) == bytes);
}

RC_GTEST_PROP(Units, OptionTextOfADurationReadsBackExactly, ()) {
  const Time time{*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 52U)};
  RC_ASSERT(parse_duration(option_text(time)) == time);
}

}  // namespace
}  // namespace radosload
