#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/ceph_json.h"

namespace radosload::ceph_json {
namespace {

const Json object = Json::parse(
    R"({"n": 7, "s": "4096", "word": "x", "neg": -3, "real": 2.9, "huge": 1e300, "max": 2147483647,
        "more": 2147483648, "less": -2147483649, "list": ["a", 5, "b"], "no": null})");

TEST(CephJson, NumbersInStrings_AreRead) {
  EXPECT_EQ(number(object, "n"), 7U);
  EXPECT_EQ(number(object, "s"), 4096U);
  EXPECT_EQ(number(object, "real"), 2U);
  for (const char* const none : {"word", "neg", "huge", "list", "no", "missing"}) {
    EXPECT_EQ(number(object, none), 0U) << none;
  }
}

TEST(CephJson, Ids_MustBeWholeAndInRange) {
  EXPECT_EQ(id_of(object, "n"), 7);
  EXPECT_EQ(id_of(object, "neg"), -3);
  EXPECT_EQ(id_of(object, "max"), 2147483647);
  for (const char* const none : {"more", "less", "s", "real", "huge", "missing"}) {
    EXPECT_FALSE(id_of(object, none)) << none;
  }
}

TEST(CephJson, MissingOrWrongMember_IsEmpty) {
  EXPECT_EQ(text(object, "word"), "x");
  EXPECT_EQ(text(object, "n"), "");
  EXPECT_THAT(texts(object, "list"), ::testing::ElementsAre("a", "b"));
  EXPECT_TRUE(member(object, "missing").is_null());
  EXPECT_TRUE(member(Json(5), "n").is_null());
}

TEST(CephJson, WrongTypeOfDocument_IsAnError) {
  EXPECT_TRUE(parse_object("status", "{}"));
  EXPECT_TRUE(parse_array("osd metadata", "[]"));
  EXPECT_FALSE(parse_array("osd metadata", "{}"));
  const auto wrong = parse_object("status", "[]");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().exit, Exit::no_cluster);
  EXPECT_THAT(wrong.error().message(), ::testing::HasSubstr("'status'"));
}

}  // namespace
}  // namespace radosload::ceph_json
