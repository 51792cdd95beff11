// Making and removing images of a run, where others come between two commands.
#include <cerrno>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/image_cleanup.h"
#include "image_support.h"

namespace radosload::footprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MemoryImages;

const cluster::NewImage new_disk = {
    .name = "disk", .size = mib(4), .object_size = mib(4), .data_pool = "", .run = "a"};

Manifest images_of_a(const std::vector<std::string>& names) {
  Manifest manifest;
  manifest.run = "a";
  manifest.content = Content::image;
  manifest.images = names;
  return manifest;
}

// Others act once, when that command is about to be carried out.
template <typename Act>
void at_first(MemoryImages& images, const std::string& command, const Act& act) {
  images.before = [command, act, acted = false](const std::string& call) mutable {
    if (acted || call != command) return;
    acted = true;
    act();
  };
}

// Ours goes elsewhere, and a copy with its mark has its name; the text of that.
std::string replace_by_copy(MemoryImages& images) {
  images.rename_by_others("disk", "moved");
  images.copy("moved", "disk", false);
  return images.named["disk"].text();
}

TEST(ImagesOfARun, AreRemovedWithEveryNameOfTheirsAndNoOthers) {
  MemoryImages images;
  images.add("disk", "a");
  images.add("other", "b");
  images.add("plain");
  const auto removed = remove_images(images, images_of_a({"disk", "other", "plain", "none"}), {});
  EXPECT_TRUE(removed.ended);
  EXPECT_THAT(removed.removed, ElementsAre("disk"));
  EXPECT_THAT(removed.foreign, ElementsAre("other", "plain"));
  EXPECT_THAT(removed.missing, ElementsAre("none"));
  EXPECT_EQ(images.named.size(), 2U);
}

TEST(ImagesOfARun, ReplacedAfterTheirMarkWasRead_KeepTheirName) {
  MemoryImages images;
  images.add("disk", "a");
  std::string theirs;
  at_first(images, "image rename", [&] { theirs = replace_by_copy(images); });
  EXPECT_EQ(cluster::remove_image(images, "disk", "a"), cluster::ImageFate::foreign);
  EXPECT_EQ(images.named["disk"].text(), theirs);
  EXPECT_EQ(images.named.size(), 2U);
}

TEST(ImagesOfARun, ReplacedDuringTheWait_AreKept) {
  MemoryImages images;
  images.add("disk", "a").watched = true;
  images.patience = [] { return true; };
  std::string theirs;
  at_first(images, "image wait", [&] { theirs = replace_by_copy(images); });
  EXPECT_EQ(cluster::remove_image(images, "disk", "a"), cluster::ImageFate::foreign);
  EXPECT_EQ(images.named["disk"].text(), theirs);
}

TEST(ImagesOfARun, UnreadableMark_IsAnErrorAndTheyAreKept) {
  MemoryImages images;
  images.add("disk", "a").unreadable = true;
  const auto removed = remove_images(images, images_of_a({"disk"}), {});
  ASSERT_FALSE(removed.ended);
  EXPECT_THAT(removed.ended.error().message(), HasSubstr("which run created the image disk"));
  EXPECT_TRUE(images.named.contains("disk"));
}

// The mark is read well at first, and not under the name that it has while it is removed.
TEST(ImagesOfARun, MarkUnreadableAfterTheRename_NameIsRestored) {
  MemoryImages images;
  images.add("disk", "a");
  at_first(images, "image rename", [&] { images.named["disk"].unreadable = true; });
  EXPECT_FALSE(cluster::remove_image(images, "disk", "a"));
  EXPECT_TRUE(images.named.contains("disk"));
}

TEST(ImagesOfARun, WithSnapshots_KeepTheirNameAndTheOthersAreRemoved) {
  MemoryImages images;
  images.add("disk", "a").snapshots = {{"snap", true}};
  images.add("disk2", "a").snapshots = {{"snap", false}};
  images.add("disk3", "a");
  const auto removed = remove_images(images, images_of_a({"disk", "disk2", "disk3"}), {});
  ASSERT_FALSE(removed.ended);
  EXPECT_THAT(removed.ended.error().message(),
              HasSubstr("remove 2 images, the first of them disk: it has snapshots"));
  EXPECT_THAT(removed.removed, ElementsAre("disk3"));
  EXPECT_TRUE(images.named.contains("disk"));
  EXPECT_TRUE(images.named.contains("disk2"));
}

TEST(ImagesOfARun, Interrupted_TheRestIsNotRemoved) {
  MemoryImages images;
  images.add("disk", "a");
  images.add("disk2", "a");
  const auto removed =
      remove_images(images, images_of_a({"disk", "disk2"}), [](double) { return false; });
  ASSERT_FALSE(removed.ended);
  EXPECT_EQ(removed.ended.error().errnum, EINTR);
  EXPECT_TRUE(images.named.contains("disk2"));
}

TEST(ImagesOfARun, FullPool_AreRemoved) {
  MemoryImages images;
  images.add("disk", "a");
  images.full = true;
  EXPECT_EQ(cluster::remove_image(images, "disk", "a"), cluster::ImageFate::removed);
  EXPECT_THAT(images.named, IsEmpty());
}

TEST(ImagesOfARun, RenamedByAKilledCleanup_AreRemovedByTheNext) {
  MemoryImages images;
  images.add("disk", "a");
  images.rename_by_others("disk", cluster::image_set_aside("a", "disk"));
  EXPECT_EQ(cluster::remove_image(images, "disk", "a"), cluster::ImageFate::removed);
  EXPECT_THAT(images.named, IsEmpty());
}

TEST(ImagesOfARun, ForeignImagesRenamedByAKilledCleanup_GetTheirNameBack) {
  MemoryImages images;
  const std::string theirs = images.add("disk").text();
  images.rename_by_others("disk", cluster::image_set_aside("a", "disk"));
  EXPECT_EQ(cluster::remove_image(images, "disk", "a"), cluster::ImageFate::foreign);
  EXPECT_EQ(images.named["disk"].text(), theirs);
}

TEST(ImagesOfARun, ForeignImagesWhoseNameWasTaken_AreReported) {
  MemoryImages images;
  const std::string aside = cluster::image_set_aside("a", "disk");
  images.add(aside);
  images.add("disk");
  const auto fate = cluster::remove_image(images, "disk", "a");
  ASSERT_FALSE(fate);
  EXPECT_THAT(fate.error().message(), HasSubstr("another image has that name now"));
  EXPECT_THAT(fate.error().message(), HasSubstr("rbd rename " + aside));
  EXPECT_EQ(images.named.size(), 2U);
}

// Between the first two looks of ours.
TEST(ImagesOfARun, RenamedByAnotherCleanup_AreRemoved) {
  MemoryImages images;
  images.add("disk", "a");
  int looks = 0;
  images.before = [&](const std::string& call) {
    if (call == "image look" && ++looks == 2) {
      images.rename_by_others("disk", cluster::image_set_aside("a", "disk"));
    }
  };
  EXPECT_EQ(cluster::remove_image(images, "disk", "a"), cluster::ImageFate::removed);
  EXPECT_THAT(images.named, IsEmpty());
}

TEST(MakingAnImage, MarksItAndGivesItItsName) {
  MemoryImages images;
  ASSERT_TRUE(cluster::make_image(images, new_disk));
  EXPECT_EQ(images.query("disk").mark.run, "a");
  EXPECT_EQ(images.named.size(), 1U);
}

TEST(MakingAnImage, NameIsTaken_LeavesNothing) {
  MemoryImages images;
  const std::string theirs = images.add("disk").text();
  const Status made = cluster::make_image(images, new_disk);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("an image of that name already exists"));
  EXPECT_EQ(images.named.size(), 1U);
  EXPECT_EQ(images.named["disk"].text(), theirs);
}

// It has failed before it made anything, so there is nothing to remove.
TEST(MakingAnImage, TemporaryNameIsTaken_ThatImageIsKept) {
  MemoryImages images;
  images.add(cluster::unfinished_image("a", "disk"));
  EXPECT_FALSE(cluster::make_image(images, new_disk));
  EXPECT_EQ(images.named.size(), 1U);
}

}  // namespace
}  // namespace radosload::footprint
