#include <cerrno>

#include <gtest/gtest.h>

#include "cluster/image_mark.h"

namespace radosload::cluster {
namespace {

const std::string mark = encode_mark({.run = "run-a", .id = "10a1", .name = "vm 1"});

TEST(ImageMark, OtherImageOrName_MarkIsInvalid) {
  EXPECT_EQ(mark_seen(0, mark, "10a1", "vm 1").run, "run-a");
  EXPECT_EQ(mark_seen(0, mark, "10a1", unfinished_image("run-a", "vm 1")).run, "run-a")
      << "marked, and not yet named";
  EXPECT_EQ(mark_seen(0, mark, "10a1", image_set_aside("run-a", "vm 1")).run, "run-a")
      << "about to be removed";
  EXPECT_EQ(mark_seen(0, mark, "10a2", "vm 1").run, "") << "a copy that took its name";
  EXPECT_EQ(mark_seen(0, mark, "10a1", "vm 2").run, "") << "renamed";
  EXPECT_EQ(mark_seen(0, mark, "10a1", unfinished_image("run-b", "vm 1")).run, "");
}

TEST(ImageMark, InvalidMark_IsStillAMark) {
  EXPECT_TRUE(mark_seen(0, mark, "10a2", "vm 1").marked);
  EXPECT_TRUE(mark_seen(0, "run-a", "10a1", "vm 1").marked) << "of an older radosload";
  EXPECT_EQ(mark_seen(0, "run-a", "10a1", "vm 1").run, "");
  EXPECT_EQ(mark_seen(0, "run-a  vm", "", "vm").run, "") << "an image without an id is nobody's";
}

TEST(ImageMark, UnreadableMark_IsAnError) {
  const MarkSeen none = mark_seen(-ENOENT, "", "10a1", "vm 1");
  EXPECT_EQ(none.rc, 0);
  EXPECT_FALSE(none.marked);
  EXPECT_EQ(mark_seen(-EPERM, "", "10a1", "vm 1").rc, -EPERM);
  EXPECT_EQ(mark_seen(-ETIMEDOUT, mark, "10a1", "vm 1").rc, -ETIMEDOUT);
  EXPECT_EQ(mark_seen(-ETIMEDOUT, mark, "10a1", "vm 1").run, "");
}

}  // namespace
}  // namespace radosload::cluster
