// Cleaning up in one namespace, in memory: manifests that say more than they may, others who act
// meanwhile, what is alive, what is kept, and numbers that nobody could go through.
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/cleanup.h"
#include "site_support.h"

namespace radosload::footprint {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MemorySite;
using ::testing::SizeIs;

CleanupReport clean(MemorySite& site, const CleanupOptions& options = {}) {
  auto report = cleanup(site, options);
  EXPECT_TRUE(report) << report.error().message();
  return report ? *std::move(report) : CleanupReport{};
}

Fate fate_of(const CleanupReport& report, const std::string& run) {
  for (const RunCleanup& one : report.runs) {
    if (one.run == run) return one.fate;
  }
  ADD_FAILURE() << "nothing is said of " << run;
  return Fate::failed;
}

// A live run with its objects, and images of its own in two RBD namespaces.
void add_victim(MemorySite& site) {
  site.store("victim", site.manifest("victim", 4));
  site.fill("victim", 4);
  site.alive = {"victim"};
  site.images_in("").add("vm1", "victim");
  site.images_in("tenant").add("vm2", "victim");
}

struct Forgery {
  const char* what;
  void (*change)(Manifest&);
  const char* told;
};

class ForgedManifests : public ::testing::TestWithParam<Forgery> {};
INSTANTIATE_TEST_SUITE_P(
    Of, ForgedManifests,
    ::testing::Values(Forgery{"run", [](Manifest& m) { m.run = "victim"; }, "run victim"},
                      Forgery{"run_deleting",
                              [](Manifest& m) {
                                m.run = "victim";
                                m.state = State::deleting;
                              },
                              "run victim"},
                      Forgery{"run_images",
                              [](Manifest& m) {
                                m.run = "victim";
                                m.content = Content::image;
                                m.images = {"vm1"};
                              },
                              "run victim"},
                      Forgery{"pool", [](Manifest& m) { m.pool = "ssd"; }, "pool 'ssd'"},
                      Forgery{"namespace", [](Manifest& m) { m.nspace = ""; }, "namespace ''"},
                      Forgery{"image_namespace",
                              [](Manifest& m) {
                                m.content = Content::image;
                                m.images = {"vm2"};
                                m.image_nspace = "tenant";
                              },
                              "images in namespace 'tenant'"}),
    [](const auto& of) { return std::string(of.param.what); });

TEST_P(ForgedManifests, CountAsUnreadableAndRemoveNothing) {
  MemorySite site;
  add_victim(site);
  Manifest forged = site.manifest("forged", 4);
  GetParam().change(forged);
  site.store("forged", forged);
  // Made by a run of the forged name in a place where the forger may not write.
  site.images_in("tenant").add("vm2", "forged");
  const auto before = site.contents();
  const CleanupReport report = clean(site);
  EXPECT_EQ(site.contents(), before);
  EXPECT_EQ(site.updates, 0U);
  EXPECT_EQ(fate_of(report, "forged"), Fate::unreadable);
  EXPECT_EQ(fate_of(report, "victim"), Fate::held);
  EXPECT_FALSE(report.complete());
  for (const RunCleanup& run : report.runs) {
    if (run.run == "forged") {
      EXPECT_THAT(run.detail, AllOf(HasSubstr(GetParam().told), HasSubstr("radosload ignores it")));
    }
  }
}

TEST(ForgedManifests, NamedWithForce_OnlyTheirOwnNameIsRemoved) {
  MemorySite site;
  add_victim(site);
  const auto before = site.contents();
  site.store("forged", site.manifest("victim", 4));
  site.fill("forged", 2);
  EXPECT_EQ(fate_of(clean(site, {.run = "forged", .scan = true, .force = true}), "forged"),
            Fate::removed);
  EXPECT_EQ(site.contents(), before);
}

TEST(Manifests, OfImages_AreValidOnlyInTheNamespaceOfTheirNotes) {
  Manifest manifest;
  manifest.run = "a";
  manifest.content = Content::image;
  const auto vouched = [&](const std::string& nspace, const std::string& images) {
    manifest.nspace = nspace;
    manifest.image_nspace = images;
    return misplaced(manifest, {.run = "a", .pool = "", .nspace = nspace}).empty();
  };
  EXPECT_TRUE(vouched("radosload", "")) << "where nobody names a namespace";
  EXPECT_TRUE(vouched("tenant", "tenant"));
  EXPECT_FALSE(vouched("radosload", "tenant"));
  EXPECT_FALSE(vouched("tenant", ""));
  EXPECT_FALSE(vouched("tenant", "other"));
}

// Between reading the index and looking at a run there may be many others to remove.
TEST(CleanupRaces, NothingIsWrittenBeforeTheRunIsKnownToBeUnused) {
  MemorySite site;
  site.store("a", site.manifest("a", 2));
  site.fill("a", 2);
  const auto untouched = site.contents();
  site.before = [&](const std::string& call) {
    if (call == "look_up") site.alive.insert("a");
  };
  EXPECT_EQ(fate_of(clean(site), "a"), Fate::held);
  EXPECT_EQ(site.updates, 0U);
  EXPECT_EQ(site.contents(), untouched);
}

TEST(CleanupRaces, RunHeldAtTheLastMoment_IsRestoredUnchanged) {
  MemorySite site;
  site.store("a", site.manifest("a", 2));
  site.fill("a", 2);
  const auto untouched = site.contents();
  site.before = [&](const std::string& call) {
    if (call == "update") site.alive.insert("a");
  };
  EXPECT_EQ(fate_of(clean(site), "a"), Fate::held);
  EXPECT_EQ(site.contents(), untouched);
}

TEST(CleanupRaces, ManifestChangedMeanwhile_IsNotOverwritten) {
  MemorySite site;
  site.store("a", site.manifest("a", 2));
  site.fill("a", 2);
  Manifest newer = site.manifest("a", 3);
  newer.state = State::ready;
  bool changed = false;
  site.before = [&](const std::string& call) {
    if (call != "update" || std::exchange(changed, true)) return;
    site.store("a", newer);
    site.alive.insert("a");
  };
  EXPECT_EQ(fate_of(clean(site), "a"), Fate::held);
  EXPECT_EQ(site.objects[manifest_object("a")].text, encode(newer));
  EXPECT_EQ(site.objects.size(), 3U);
  // Nor when it holds no more.
  site.alive.clear();
  changed = false;
  newer.objects = 4;
  site.before = [&](const std::string& call) {
    if (call == "update" && !std::exchange(changed, true)) site.store("a", newer);
  };
  EXPECT_EQ(fate_of(clean(site), "a"), Fate::failed);
  EXPECT_EQ(site.objects[manifest_object("a")].text, encode(newer));
}

TEST(CleanupRaces, SecondCleanup_TakesPart) {
  for (const bool to_the_end : {false, true}) {
    MemorySite site;
    site.store("a", site.manifest("a", 3));
    site.fill("a", 3);
    bool done = false;
    site.before = [&](const std::string& call) {
      if (call != "update" || std::exchange(done, true)) return;
      Manifest marked = site.manifest("a", 3);
      marked.state = State::deleting;
      site.store("a", marked);
      if (to_the_end) clean(site);
    };
    EXPECT_EQ(fate_of(clean(site), "a"), Fate::removed);
    EXPECT_THAT(site.objects, IsEmpty());
  }
}

TEST(CleanupOfFiles, DirectoryOfARunIsRemovedAndNoObjectOfThePoolIsTouched) {
  MemorySite site;
  Manifest files = site.manifest("a", 1000);
  files.content = Content::files;
  files.file_system = "cephfs";
  site.store("a", files);
  site.directories = {"cephfs/radosload/a", "cephfs/radosload/b"};
  site.fill("b", 2);
  const auto report = cleanup(site, {});
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->complete());
  ASSERT_EQ(report->runs.size(), 1U);
  EXPECT_EQ(report->runs[0].fate, Fate::removed);
  EXPECT_EQ(report->runs[0].detail, "1000 files removed");
  EXPECT_EQ(site.directories, (std::set<std::string>{"cephfs/radosload/b"}));
  EXPECT_EQ(site.asked, 0U);
  EXPECT_FALSE(site.objects.contains(manifest_object("a")));
}

TEST(CleanupKept, IsRemovedOnlyIfNamed) {
  MemorySite site;
  Manifest kept = site.manifest("kept", 2);
  kept.keep = true;
  kept.state = State::ready;
  site.store("kept", kept);
  site.fill("kept", 2);
  site.store("dead", site.manifest("dead", 2));
  for (const bool scan : {false, true}) {
    const CleanupReport report = clean(site, {.scan = scan});
    EXPECT_EQ(fate_of(report, "kept"), Fate::kept);
    EXPECT_TRUE(report.complete());
    EXPECT_THAT(site.objects, SizeIs(3));
  }
  site.index.clear();  // known by its names alone
  EXPECT_EQ(fate_of(clean(site, {.scan = true}), "kept"), Fate::kept);
  EXPECT_EQ(fate_of(clean(site, {.run = "kept"}), "kept"), Fate::removed);
  EXPECT_THAT(site.objects, IsEmpty());
}

TEST(CleanupKept, UnfilledDataSet_IsRemoved) {
  MemorySite site;
  Manifest kept = site.manifest("kept", 2);
  kept.keep = true;
  site.store("kept", kept);
  EXPECT_EQ(fate_of(clean(site), "kept"), Fate::removed);
}

TEST(CleanupForce, NeedsTheIdOfOneRun) {
  MemorySite site;
  add_victim(site);
  const auto before = site.contents();
  const auto refused = cleanup(site, {.force = true});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit, Exit::usage);
  EXPECT_THAT(refused.error().message(), HasSubstr("--run ID"));
  EXPECT_EQ(cleanup(site, {.scan = true, .force = true}).error().exit, Exit::usage);
  EXPECT_EQ(site.contents(), before);
  EXPECT_EQ(fate_of(clean(site, {.run = "victim", .force = true}), "victim"), Fate::removed);
}

// Asked one by one these would take years.
TEST(CleanupOfMany, FewObjectsExist_AreListed) {
  MemorySite site;
  site.store("a", site.manifest("a", objects_limit));
  site.fill("a", 3);
  site.objects[MemorySite::object("a", 40'000'000)] = {"far out"};
  site.objects[MemorySite::object("ab", 7)] = {"another's"};
  const CleanupReport report = clean(site);
  EXPECT_EQ(fate_of(report, "a"), Fate::removed);
  EXPECT_EQ(report.removed(), 4U);
  EXPECT_LT(site.asked, 20'000U);
  EXPECT_EQ(site.listings, 1U);
  EXPECT_THAT(site.objects, SizeIs(1)) << "the other run's";
}

TEST(CleanupOfMany, MostObjectsExist_AreRemovedByNameWithoutAListing) {
  MemorySite site;
  site.store("a", site.manifest("a", 110'000));
  site.fill("a", 110'000);
  EXPECT_EQ(clean(site).removed(), 110'000U);
  EXPECT_EQ(site.listings, 0U);
}

TEST(CleanupOfMany, MoreObjectsThanTheLimit_ManifestIsUnreadable) {
  MemorySite site;
  Manifest most = site.manifest("a", ~0ULL);
  site.store("a", most);
  const CleanupReport report = clean(site);
  EXPECT_EQ(fate_of(report, "a"), Fate::unreadable);
  EXPECT_THAT(report.runs[0].detail, HasSubstr("the limit is 1099511627776"));
  EXPECT_EQ(site.asked, 0U);
  most.objects = 1;
  most.content = Content::image;
  most.images.assign(images_limit + 1, "vm");
  EXPECT_THAT(decode(encode(most)).error().message(), HasSubstr("the limit is 4096"));
}

TEST(CleanupByScan, RunMissingInTheIndex_ImagesAreRemovedWithTheManifest) {
  MemorySite site;
  Manifest made = site.manifest("a", 1);
  made.content = Content::image;
  made.images = {"vm1"};
  site.store("a", made);
  site.index.clear();
  site.images_in("").add("vm1", "a");
  EXPECT_EQ(fate_of(clean(site, {.scan = true}), "a"), Fate::removed);
  EXPECT_THAT(site.contents(), IsEmpty());
}

// A person confirms what a dry run has shown; other runs may end between the two.
TEST(CleanupAgreed, OnlyRunsThatTheDryRunShowedAreRemoved) {
  MemorySite site;
  for (const char* const run : {"a", "b"}) {
    site.store(run, site.manifest(run, 2));
    site.fill(run, 2);
  }
  site.alive = {"b"};
  const CleanupReport shown = clean(site, {.dry_run = true});
  EXPECT_EQ(shown.removable(), std::set<std::string>{"a"});
  site.alive.clear();
  const CleanupReport report = clean(site, {.scan = true, .agreed = shown.removable()});
  EXPECT_THAT(report.runs, SizeIs(1));
  EXPECT_EQ(fate_of(report, "a"), Fate::removed);
  EXPECT_EQ(fate_of(clean(site, {.dry_run = true}), "b"), Fate::would);
}

}  // namespace
}  // namespace radosload::footprint
