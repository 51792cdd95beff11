#include <gtest/gtest.h>

#include "cluster/command_text.h"

namespace radosload::cluster {
namespace {

TEST(CommandText, IsTheCommandAsTypedInAShell) {
  EXPECT_EQ(command_text(R"({"prefix": "osd dump", "format": "json"})"), "osd dump");
  EXPECT_EQ(command_text(R"({"prefix": "osd map", "pool": "hdd", "object": "a b"})"),
            "osd map pool=hdd object=a b");
  EXPECT_EQ(command_text(R"({"prefix": "osd pool create", "pg_num": 8, "osds": [1, 2]})"),
            "osd pool create pg_num=8 osds=[1,2]");
  EXPECT_EQ(command_name(R"({"prefix": "osd map", "pool": "hdd"})"), "osd map");
}

TEST(CommandText, OtherText_IsUnchanged) {
  for (const char* const text : {"", "status", "[]", R"({"prefix": 3})"}) {
    EXPECT_EQ(command_name(text), text);
  }
}

}  // namespace
}  // namespace radosload::cluster
