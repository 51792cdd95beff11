#include <string>

#include <gtest/gtest.h>

#include "base/ceph_json.h"
#include "base/json_reading.h"

namespace radosload {
namespace {

std::string nested(std::size_t levels, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += open;
  text += "1";
  for (std::size_t i = 0; i < levels; ++i) text += close;
  return text;
}

TEST(JsonReading, NestedAsDeeplyAsAllowed_IsReadAndDeeperIsRefusedWithTheLimit) {
  for (const auto& [open, close] : {std::pair{"[", "]"}, std::pair{"{\"a\":", "}"}}) {
    EXPECT_TRUE(read_json(nested(deepest_json, open, close)));
    EXPECT_TRUE(read_ordered_json(nested(deepest_json, open, close)));
    for (const std::size_t levels : {deepest_json + 1, std::size_t{50'000}}) {
      const auto read = read_json(nested(levels, open, close));
      ASSERT_FALSE(read) << levels;
      EXPECT_EQ(read.error().reason, "it is nested more than 100 levels deep");
      EXPECT_FALSE(read_ordered_json(nested(levels, open, close)));
    }
  }
}

TEST(JsonReading, BracketsInStringsAndBesideEachOther_DoNotAddDepth) {
  const std::string brackets(1000, '[');
  EXPECT_TRUE(read_json("[\"" + brackets + "\"]"));
  EXPECT_TRUE(read_json("[\"\\\"" + brackets + "\\\\\"]"));
  std::string beside = "[[]";
  for (int i = 0; i < 1000; ++i) beside += ",[]";
  EXPECT_TRUE(read_json(beside + "]"));
}

TEST(JsonReading, OtherText_IsRefused) {
  for (const std::string text : {"", "{", "[1,]", "]]", "\"\\", "{\"a\":1}}"}) {
    EXPECT_FALSE(read_json(text)) << text;
  }
}

TEST(JsonReading, OfCephsAnswers_TheLimitIsNamed) {
  const auto answer = ceph_json::parse_array("osd tree", nested(50'000, "[", "]"));
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message().find("100 levels"), std::string::npos);
  EXPECT_NE(answer.error().message().find("osd tree"), std::string::npos);
}

}  // namespace
}  // namespace radosload
