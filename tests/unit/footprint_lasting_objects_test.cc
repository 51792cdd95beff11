#include <cerrno>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/cleanup.h"
#include "footprint/lasting_objects.h"
#include "footprint/reuse.h"
#include "site_support.h"

namespace radosload::footprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::MemorySite;

LastingWish wish() {
  return {.id = "probe",
          .started = "t",
          .pool = "hdd",
          .nspace = "radosload",
          .pattern = "probe",
          .object_size = kib(4)};
}

Manifest stored(const MemorySite& site) {
  return *decode(site.objects.at(manifest_object("probe")).text);
}

TEST(LastingObjects, AreNamedInTheManifestBeforeTheyAreMade) {
  MemorySite site;
  const auto objects = LastingObjects::open(site, wish());
  ASSERT_TRUE(objects) << objects.error().message();
  EXPECT_TRUE(stored(site).keep);
  ASSERT_TRUE((*objects)->add({9, 4}));
  ASSERT_TRUE((*objects)->add({4, 17}));
  EXPECT_THAT((*objects)->numbers(), ElementsAre(4, 9, 17));
  EXPECT_THAT(stored(site).picked, ElementsAre(4, 9, 17));
  EXPECT_EQ(stored(site).objects, 3U);
  EXPECT_EQ((*objects)->name_of(9), MemorySite::object("probe", 9));
}

TEST(LastingObjects, AreTakenOverFromAProcessThatEnded) {
  MemorySite site;
  ASSERT_TRUE((*LastingObjects::open(site, wish()))->add({4, 9}));
  site.alive.clear();
  const auto again = LastingObjects::open(site, wish());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_THAT((*again)->numbers(), ElementsAre(4, 9));
  ASSERT_TRUE((*again)->add({2}));
  EXPECT_THAT(stored(site).picked, ElementsAre(2, 4, 9));
}

// So that the one after this is not kept waiting by the watch of the one before it.
TEST(LastingObjects, TakenOver_NameTheClientsThatHadEnded) {
  MemorySite site;
  ASSERT_TRUE((*LastingObjects::open(site, wish()))->add({4}));
  EXPECT_THAT(stored(site).ended_clients, ElementsAre());
  site.alive.clear();
  site.watching = {4116, 4125};
  site.before = [&](const std::string& call) {
    if (call == "lease") site.watching.push_back(4137);  // its own
  };
  const auto again = LastingObjects::open(site, wish());
  ASSERT_TRUE(again) << again.error().message();
  ASSERT_TRUE((*again)->add({9}));
  EXPECT_THAT(stored(site).ended_clients, ElementsAre(4116, 4125));
}

TEST(LastingObjects, OfALiveProcess_AreRefusedWithItsName) {
  MemorySite site;
  const auto first = LastingObjects::open(site, wish());
  ASSERT_TRUE(first);
  site.alive.insert("probe");
  const auto second = LastingObjects::open(site, wish());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().exit, Exit::refused);
  EXPECT_THAT(second.error().message(), HasSubstr("probes this pool"));
}

TEST(LastingObjects, BeingRemoved_AreRefused) {
  MemorySite site;
  Manifest manifest = site.manifest("probe", 0);
  manifest.state = State::deleting;
  site.store("probe", manifest);
  const auto refused = LastingObjects::open(site, wish());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("a cleanup is removing them"));
}

TEST(LastingObjects, TwoProcessesAtOnce_OneIsRefused) {
  MemorySite site;
  ASSERT_TRUE((*LastingObjects::open(site, wish()))->add({4}));
  site.alive.clear();
  bool other = false;
  site.before = [&](const std::string& call) {
    if (call.find("update") == std::string::npos || std::exchange(other, true)) return;
    site.objects[manifest_object("probe")].version = site.next_version();
  };
  const auto late = LastingObjects::open(site, wish());
  ASSERT_TRUE(other) << "the site was asked in another way";
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().errnum, ERANGE);
}

TEST(LastingObjects, CleanupKeepsThemUntilItNamesThem) {
  MemorySite site;
  ASSERT_TRUE((*LastingObjects::open(site, wish()))->add({4, 9}));
  site.alive.clear();
  for (const std::uint64_t number : {4U, 9U, 5U}) {
    site.objects[MemorySite::object("probe", number)] = {"data"};
  }
  const auto kept = cleanup(site, {});
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->runs.at(0).fate, Fate::kept);
  const auto removed = cleanup(site, {.run = "probe"});
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->runs.at(0).fate, Fate::removed);
  EXPECT_FALSE(site.objects.contains(MemorySite::object("probe", 4)));
  EXPECT_TRUE(site.objects.contains(MemorySite::object("probe", 5))) << "not named in the manifest";
}

TEST(LastingObjects, AreNotReusedByARun) {
  MemorySite site;
  ASSERT_TRUE((*LastingObjects::open(site, wish()))->add({4, 9}));
  EXPECT_THAT(misfit(stored(site), {.objects = 2, .object_size = kib(4)}),
              HasSubstr("radosload probe"));
}

}  // namespace
}  // namespace radosload::footprint
