// What others make of an image of ours carries its mark, and gives no right to overwrite it.
#include "cluster/runs.h"
#include "support/images.h"

namespace radosload::test {
namespace {

using testing::HasSubstr;

class CopiedImages : public Runs {
 protected:
  void make_ours() const {
    const Finished made =
        run("ssd", "randread4k,size=4M", {"--create", "8M", "--image", "ours", "--keep"});
    EXPECT_EQ(made.status, 0) << made.err;
  }
  Finished load(const std::string& image) const {
    return run("ssd", "randrw4k", {"--image", image, "--no-progress"});
  }
};

TEST_F(CopiedImages, CopiedAndRenamedImages_CountAsForeign) {
  make_ours();
  ASSERT_EQ(rbd({"cp", "--no-progress", "ssd/ours", "ssd/copy"}).status, 0);
  const Finished copied = load("copy");
  EXPECT_EQ(copied.status, refused) << copied.err;
  EXPECT_THAT(copied.err, HasSubstr("its mark belongs to the image it was copied"));
  // Somebody takes ours for a disk of theirs, and another has its name.
  ASSERT_EQ(rbd({"rename", "ssd/ours", "ssd/disk"}).status, 0);
  ASSERT_EQ(rbd({"rename", "ssd/copy", "ssd/ours"}).status, 0);
  for (const char* const name : {"disk", "ours"}) {
    const Finished done = load(name);
    EXPECT_EQ(done.status, refused) << done.err;
    EXPECT_THAT(done.err, HasSubstr("--destroy-data"));
  }
  const Finished cleaned = clean_up_kept("ssd");
  EXPECT_THAT(cleaned.out, HasSubstr("image ours not created by this run: left alone"));
  EXPECT_EQ(images_in("ssd"), "disk\nours\n");
  for (const char* const name : {"ssd/disk", "ssd/ours"}) rbd({"rm", "--no-progress", name});
  EXPECT_EQ(images_in("ssd"), "");
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(CopiedImages, ClonesAndDeepCopies_CountAsForeign) {
  make_ours();
  ASSERT_EQ(rbd({"snap", "create", "--no-progress", "ssd/ours@now"}).status, 0);
  // A snapshot that is protected would be so in the copy, too.
  ASSERT_EQ(rbd({"deep", "cp", "--no-progress", "ssd/ours", "ssd/deep"}).status, 0);
  ASSERT_EQ(rbd({"snap", "protect", "ssd/ours@now"}).status, 0);
  ASSERT_EQ(rbd({"clone", "ssd/ours@now", "ssd/clone"}).status, 0);
  for (const char* const name : {"clone", "deep"}) {
    const Finished done = load(name);
    EXPECT_EQ(done.status, refused) << name << done.err;
    EXPECT_THAT(done.err, HasSubstr("--destroy-data")) << name;
  }
  ASSERT_EQ(rbd({"rm", "--no-progress", "ssd/clone"}).status, 0);
  ASSERT_EQ(rbd({"snap", "purge", "--no-progress", "ssd/deep"}).status, 0);
  ASSERT_EQ(rbd({"rm", "--no-progress", "ssd/deep"}).status, 0);
  ASSERT_EQ(rbd({"snap", "unprotect", "ssd/ours@now"}).status, 0);
  ASSERT_EQ(rbd({"snap", "rm", "--no-progress", "ssd/ours@now"}).status, 0);
  EXPECT_EQ(clean_up_kept("ssd").status, 0);
  EXPECT_EQ(images_in("ssd"), "");
  EXPECT_EQ(names_in("ssd"), "");
}

}  // namespace
}  // namespace radosload::test
