// Who uses a run, from the clients that watch its manifest: also while what a killed process left
// is still among them.
#include <cstdint>
#include <cstring>
#include <list>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "footprint/lease_holder.h"
#include "footprint/owner.h"

#include <fmt/format.h>

namespace radosload::footprint {
namespace {

constexpr std::uint64_t owners = 4123;

obj_watch_t watcher(std::uint64_t client) {
  obj_watch_t one{};
  std::strcpy(one.addr, "10.0.0.1:0/7");
  one.watcher_id = static_cast<std::int64_t>(client);
  return one;
}

Manifest manifest_of(Owner owner) {
  Manifest manifest;
  manifest.owner = std::move(owner);
  manifest.owner.client = owners;
  return manifest;
}

Owner gone() {
  Owner owner = this_process();
  owner.started_ticks += 1;  // the pid has been given to another process since
  return owner;
}

TEST(LeaseHolder, IsTheOwnerWhereverItStandsAmongTheWatchers) {
  const Manifest manifest = manifest_of(this_process());
  const std::string named = fmt::format("pid {} on {}", manifest.owner.pid, manifest.owner.host);
  EXPECT_EQ(lease_holder({watcher(owners)}, manifest), named);
  EXPECT_EQ(lease_holder({watcher(owners), watcher(5117)}, manifest), named);
  EXPECT_EQ(lease_holder({watcher(5117), watcher(owners)}, manifest), named);
}

TEST(LeaseHolder, OtherClient_IsNamedByItsNumberAndAddress) {
  EXPECT_EQ(lease_holder({watcher(5117)}, manifest_of(this_process())),
            "client.5117 at 10.0.0.1:0/7");
  EXPECT_EQ(lease_holder({watcher(owners), watcher(5117)}, manifest_of(gone())),
            "client.5117 at 10.0.0.1:0/7");
  EXPECT_EQ(lease_holder({watcher(5117)}, Manifest{}), "client.5117 at 10.0.0.1:0/7");
}

TEST(LeaseHolder, ClientsThatEndedBeforeItWasTakenOver_AreNoHolders) {
  Manifest manifest = manifest_of(gone());
  manifest.ended_clients = {5117, 5118};
  EXPECT_EQ(lease_holder({watcher(5117), watcher(owners), watcher(5118)}, manifest), "");
  EXPECT_EQ(lease_holder({watcher(5117), watcher(5119)}, manifest), "client.5119 at 10.0.0.1:0/7");
}

TEST(LeaseHolder, NoneIsLeft_WhenTheOwnersProcessHasEnded) {
  EXPECT_EQ(lease_holder({}, manifest_of(this_process())), "");
  EXPECT_EQ(lease_holder({watcher(owners)}, manifest_of(gone())), "");
}

}  // namespace
}  // namespace radosload::footprint
