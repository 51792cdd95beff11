// Names that come from a cluster reach no terminal as they are, in any of the texts about it.
#include <gtest/gtest.h>

#include "footprint/image_cleanup.h"
#include "support/hostile.h"
#include "unit/osd_support.h"
#include "views/cleanup_text.h"
#include "views/osds_text.h"
#include "views/preview_text.h"
#include "views/replicas_text.h"
#include "views/scratch_text.h"
#include "views/space_text.h"
#include "views/status_text.h"

namespace radosload::cli {
namespace {

using test::hostile;
using test::shows_harmlessly;

TEST(HostileNamesOfACluster, AreEscapedInItsStatus) {
  observe::ClusterStatus status;
  status.fsid = status.health = hostile;
  status.quorum = {hostile};
  status.versions = {{hostile, 1}};
  status.pg_states = {{hostile, 1}};
  status.osdmap.flags = {hostile};
  status.unseen = {"x"};
  placement::Pool pool;
  pool.name = hostile;
  status.osdmap.pools = {pool};
  EXPECT_TRUE(shows_harmlessly(views::status_text(status)));
}

TEST(HostileNamesOfACluster, AreEscapedInTheListOfOsds) {
  placement::OsdInventory inventory = placement::testing::home_lab();
  for (placement::Osd& osd : inventory.osds) {
    osd.device_class = osd.version = osd.data.model = hostile + std::to_string(osd.id);
    osd.complaints = {{hostile, hostile}};
  }
  EXPECT_TRUE(shows_harmlessly(views::osds_text(inventory)));
  for (placement::Osd& osd : inventory.osds) osd.device_class = hostile;
  EXPECT_TRUE(shows_harmlessly(
      views::matches_text(inventory, placement::match_osds(inventory, {}).value())));
}

TEST(HostileNamesOfACluster, AreEscapedInTheListOfScratchPools) {
  views::ScratchShown pool;
  pool.found.name = pool.found.osds = pool.found.mark.since = pool.found.mark.owner.host = hostile;
  pool.found.mark.owner.pid = 1;
  EXPECT_TRUE(shows_harmlessly(views::scratch_list_text({pool})));
  footprint::ScratchPlan plan;
  plan.name = hostile;
  EXPECT_TRUE(shows_harmlessly(views::scratch_plan_text(plan)));
  EXPECT_TRUE(shows_harmlessly(views::scratch_made_text(plan)));
  footprint::ScratchRemovals removals;
  for (const auto fate : {footprint::Fate::removed, footprint::Fate::would, footprint::Fate::held,
                          footprint::Fate::failed}) {
    footprint::ScratchRemoved removed;
    removed.name = hostile;
    removed.fate = fate;
    removals.pools.push_back(removed);
  }
  EXPECT_TRUE(shows_harmlessly(views::scratch_removed_text(removals)));
}

TEST(HostileNamesOfACluster, AreEscapedInTheSpaceOfAPool) {
  placement::SpacePlan plan;
  plan.pool = hostile;
  plan.osds.emplace_back();
  plan.osds.back().device_class = hostile;
  EXPECT_TRUE(shows_harmlessly(views::space_text(plan)));
}

TEST(HostileNamesOfACluster, AreEscapedInACleanup) {
  using footprint::Fate;
  for (const Fate fate :
       {Fate::removed, Fate::would, Fate::held, Fate::kept, Fate::unreadable, Fate::failed}) {
    footprint::RunCleanup run{.run = hostile, .fate = fate, .images = {hostile}};
    if (fate == Fate::held) run.detail = hostile;
    EXPECT_TRUE(shows_harmlessly(views::cleanup_line(run))) << static_cast<int>(fate);
  }
  footprint::ImagesRemoved images;
  images.removed = images.missing = images.foreign = {hostile};
  EXPECT_TRUE(shows_harmlessly(images.text()));
  footprint::Manifest forged;
  forged.run = forged.pool = forged.nspace = forged.image_nspace = hostile;
  forged.content = footprint::Content::image;
  for (footprint::Place place :
       {footprint::Place{.run = "a", .pool = "p", .nspace = "n"},
        footprint::Place{.run = hostile, .pool = "p", .nspace = "n"},
        footprint::Place{.run = hostile, .pool = hostile, .nspace = "n"}}) {
    EXPECT_TRUE(shows_harmlessly(footprint::misplaced(forged, place)));
  }
}

TEST(HostileNamesOfACluster, AreEscapedInADryRunAndAStudyOfReplicas) {
  prepare::Preview preview;
  preview.warnings = {hostile};
  EXPECT_TRUE(shows_harmlessly(views::preview_text(preview)));
  views::ReplicaStudy study;
  study.sets.pool = study.saved_as = hostile;
  study.osds.unseen = {hostile};
  EXPECT_TRUE(shows_harmlessly(views::replicas_text(study)));
}

}  // namespace
}  // namespace radosload::cli
