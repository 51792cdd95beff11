#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/owner.h"
#include "footprint/reuse.h"

namespace radosload::footprint {
namespace {

using ::testing::HasSubstr;

Entry kept(const std::string& run, const std::string& started) {
  Manifest manifest;
  manifest.run = run;
  manifest.started = started;
  manifest.objects = 256;
  manifest.object_size = mib(4);
  manifest.keep = true;
  manifest.state = State::ready;
  return {.run = run, .manifest = manifest};
}

const Wanted wanted{.objects = 256, .object_size = mib(4)};

TEST(Reuse, Last_IsTheNewestUsableDataSet) {
  Entry unfilled = kept("20261121-040003-0001", "2026-11-21T04:00:03Z");
  unfilled.manifest->state = State::filling;
  const std::vector<Entry> entries = {kept("20261121-040001-0001", "2026-11-21T04:00:01Z"),
                                      kept("20261121-040002-0001", "2026-11-21T04:00:02Z"),
                                      unfilled};
  const auto chosen = choose(entries, wanted, "last");
  ASSERT_TRUE(chosen) << chosen.error().message();
  EXPECT_EQ(chosen->run, "20261121-040002-0001");
  const auto named = choose(entries, wanted, "20261121-040001");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->run, "20261121-040001-0001");
  const auto several = choose(entries, wanted, "2026");
  ASSERT_FALSE(several);
  EXPECT_THAT(several.error().message(), HasSubstr("3 run ids"));
}

TEST(Reuse, EveryRefusal_HasItsReason) {
  const auto reason = [](auto change, Wanted want = wanted) {
    Entry entry = kept("r", "2026-11-21T04:00:01Z");
    change(entry);
    const std::string why = why_not(entry, want);
    const auto chosen = choose({entry}, want, "last");
    EXPECT_EQ(chosen.has_value(), why.empty());
    if (!chosen) {
      EXPECT_THAT(chosen.error().message(), HasSubstr(why));
      EXPECT_EQ(chosen.error().exit, Exit::refused);
    }
    return why;
  };
  EXPECT_EQ(reason([](Entry&) {}), "");
  EXPECT_EQ(reason([](Entry& e) { e.manifest->objects = 1000; }), "");
  EXPECT_EQ(reason([](Entry& e) { e.holder = "pid 1 on a"; }), "")
      << "two may read the same objects";
  EXPECT_THAT(reason([](Entry& e) { e.manifest->objects = 255; }), HasSubstr("255 objects"));
  EXPECT_THAT(reason([](Entry& e) { e.manifest->object_size = mib(1); }), HasSubstr("1 MiB"));
  EXPECT_THAT(reason([](Entry& e) { e.manifest->keep = false; }), HasSubstr("--keep"));
  EXPECT_THAT(reason([](Entry& e) { e.manifest->state = State::filling; }),
              HasSubstr("prefill did not finish"));
  EXPECT_THAT(reason([](Entry& e) { e.manifest->state = State::deleting; }),
              HasSubstr("a cleanup is removing it"));
  EXPECT_THAT(reason([](Entry& e) { e.manifest->content = Content::omap; }),
              HasSubstr("hold omap, not data"));
  EXPECT_THAT(reason(
                  [](Entry& e) {
                    e.manifest->content = Content::omap;
                    e.manifest->value_size = Bytes{512};
                  },
                  {.objects = 1,
                   .object_size = mib(4),
                   .content = Content::omap,
                   .value_size = Bytes{4096}}),
              HasSubstr("512 B"));
  EXPECT_THAT(reason([](Entry& e) {
                e.manifest.reset();
                e.problem = "no manifest";
              }),
              HasSubstr("no manifest"));
}

TEST(Reuse, NoDataSet_IsReported) {
  const auto chosen = choose({}, wanted, "last");
  ASSERT_FALSE(chosen);
  EXPECT_THAT(chosen.error().message(), HasSubstr("--keep"));
  const auto named = choose({kept("a", "1")}, wanted, "b");
  ASSERT_FALSE(named);
  EXPECT_THAT(named.error().message(), HasSubstr("run b"));
}

TEST(Owner, ThisProcessIsNotGone) {
  const Owner owner = this_process();
  EXPECT_EQ(owner.pid, ::getpid());
  EXPECT_GT(owner.started_ticks, 0U);
  EXPECT_FALSE(certainly_gone(owner));
}

TEST(Reuse, PickedObjectsServeTheSameOsdsOnly) {
  Entry entry = kept("20261121-040001-0001", "2026-11-21T04:00:01Z");
  entry.manifest->osds = {0, 3};
  entry.manifest->objects = 256;
  Wanted picked = wanted;
  EXPECT_THAT(why_not(entry, picked), HasSubstr("chosen for osd.0, osd.3"));
  picked.osds = {0, 3};
  picked.objects = 256;
  EXPECT_EQ(why_not(entry, picked), "");
  picked.objects = 128;
  EXPECT_THAT(why_not(entry, picked), HasSubstr("128 objects for each OSD, not 64"));
  picked.osds = {0, 4};
  EXPECT_THAT(why_not(entry, picked), HasSubstr("chosen for"));
  entry.manifest->osds.clear();
  EXPECT_THAT(why_not(entry, picked), HasSubstr("not chosen"));
}

TEST(Owner, AnEndedProcessOfThisMachineIsGone) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_GT(child, 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  Owner owner = this_process();
  owner.pid = child;
  EXPECT_TRUE(certainly_gone(owner));
  owner.boot = "another machine's";
  EXPECT_FALSE(certainly_gone(owner)) << "nobody here can tell";
  owner = this_process();
  owner.pid = child;
  owner.pid_space = "pid:[another container's]";
  EXPECT_FALSE(certainly_gone(owner));
}

TEST(Owner, ALaterProcessOfTheSamePidIsAnother) {
  Owner owner = this_process();
  owner.started_ticks -= 1;
  EXPECT_TRUE(certainly_gone(owner));
}

Entry with_images(const std::vector<std::string>& images) {
  Entry entry = kept("20261121-040001-0001", "2026-11-21T04:00:01Z");
  entry.manifest->content = Content::image;
  entry.manifest->images = images;
  return entry;
}

TEST(Reuse, ImagesAreThoseThatAreNamed) {
  Wanted images = wanted;
  images.content = Content::image;
  images.images = {"vm1"};
  images.image_count = 1;
  EXPECT_EQ(why_not(with_images({"vm1"}), images), "");
  EXPECT_THAT(why_not(with_images({"vm2"}), images), HasSubstr("other images: vm2"));
  EXPECT_THAT(why_not(with_images({"vm1"}), wanted), HasSubstr("hold image, not data"));
  images.objects = 100;
  EXPECT_EQ(why_not(with_images({"vm1"}), images), "") << "a smaller part of one image";
  images.images = {"vm1", "vm2"};
  images.image_count = 2;
  EXPECT_THAT(why_not(with_images({"vm1", "vm2"}), images), HasSubstr("together"))
      << "of several, where each begins depends on how many objects there are";
}

TEST(Reuse, WithoutNamesThereMustBeAsManyImagesInTheSameNamespace) {
  Wanted images = wanted;
  images.content = Content::image;
  images.image_count = 2;
  EXPECT_EQ(why_not(with_images({"a", "b"}), images), "");
  EXPECT_THAT(why_not(with_images({"a"}), images), HasSubstr("made 1 images, not 2"));
  EXPECT_THAT(why_not(with_images({"a", "b", "c"}), images), HasSubstr("made 3 images, not 2"));
  images.image_nspace = "tenant";
  EXPECT_THAT(why_not(with_images({"a", "b"}), images), HasSubstr("not 'tenant'"));
}

}  // namespace
}  // namespace radosload::footprint
