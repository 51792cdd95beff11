#include <cerrno>
#include <csignal>
#include <map>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/osd_flags.h"
#include "footprint/owner.h"

#include <nlohmann/json.hpp>

namespace radosload::footprint {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FlagCluster final : public AdminCommands {
 public:
  std::map<std::string, std::string> keys;
  bool noout = false;
  std::string fails;  // the command that does
  std::vector<std::string> told;

  Result<std::string> mon(const std::string& command) override {
    const json asked = json::parse(command);
    const std::string prefix = asked["prefix"];
    if (prefix == "config-key dump") return json(keys).dump();
    if (prefix == "osd info") {
      return json{{"up", 1}, {"up_from", 3}, {"state", noout ? json{"noout"} : json::array()}}
          .dump();
    }
    told.push_back(prefix);
    if (prefix == fails) {
      return fail({.attempt = "ask", .reason = "no", .errnum = EACCES, .exit = Exit::no_cluster});
    }
    if (prefix == "config-key set") keys[asked["key"]] = asked["val"];
    if (prefix == "config-key rm") keys.erase(asked["key"]);
    if (prefix == "osd set-group") noout = true;
    if (prefix == "osd unset-group") noout = false;
    return std::string();
  }
  Result<std::string> mgr(const std::string&) override { return std::string(); }
  Result<std::string> osd(int, const std::string&) override { return std::string(); }
};

// A process of this machine that has ended.
Owner gone_owner() {
  Owner owner = this_process();
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  owner.pid = child;
  return owner;
}

TEST(OsdFlags, TheOwnerIsNotedBeforeTheFlagIsSetAndForgottenAfterItIsUnset) {
  FlagCluster cluster;
  const FlagNote note{.owner = this_process(), .since = "t"};
  ASSERT_EQ(set_noout(cluster, 7, note).value(), Noout::ours);
  const auto found = find_flags(cluster).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].osd, 7);
  EXPECT_EQ(found[0].note.owner.pid, ::getpid());
  ASSERT_TRUE(unset_noout(cluster, 7, note));
  EXPECT_THAT(cluster.told,
              ElementsAre("config-key set", "osd set-group", "osd unset-group", "config-key rm"));
  EXPECT_THAT(cluster.keys, IsEmpty());
}

TEST(OsdFlags, FlagsOfKilledProcesses_AreRemovedAndThoseOfLiveOnesAreKept) {
  FlagCluster cluster;
  ASSERT_TRUE(set_noout(cluster, 7, {.owner = this_process()}));
  auto removed = remove_flags(cluster, {}).value();
  ASSERT_EQ(removed.size(), 1U);
  EXPECT_EQ(removed[0].fate, Fate::held);
  EXPECT_TRUE(cluster.noout);
  Owner other = this_process();
  other.pid = ::getppid();
  other.started_ticks = 0;  // it lives, and may be that one
  const auto refused = set_noout(cluster, 7, {.owner = other});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit, Exit::refused);

  cluster.keys.clear();
  cluster.noout = false;
  ASSERT_TRUE(set_noout(cluster, 7, {.owner = gone_owner()}));
  removed = remove_flags(cluster, {.dry_run = true}).value();
  EXPECT_EQ(removed.at(0).fate, Fate::would);
  EXPECT_TRUE(cluster.noout);
  removed = remove_flags(cluster, {}).value();
  EXPECT_EQ(removed.at(0).fate, Fate::removed);
  EXPECT_FALSE(cluster.noout);
  EXPECT_THAT(cluster.keys, IsEmpty());
}

TEST(OsdFlags, FlagOfAKilledProcess_IsTakenOverAndUnset) {
  FlagCluster cluster;
  ASSERT_TRUE(set_noout(cluster, 7, {.owner = gone_owner()}));
  EXPECT_EQ(set_noout(cluster, 7, {.owner = this_process()}).value(), Noout::ours);
}

TEST(OsdFlags, AFlagOfAnotherClientIsNeitherNotedNorTouched) {
  FlagCluster cluster;
  cluster.noout = true;
  EXPECT_EQ(set_noout(cluster, 7, {.owner = this_process()}).value(), Noout::there);
  EXPECT_THAT(cluster.told, IsEmpty());
  EXPECT_THAT(remove_flags(cluster, {.force = true}).value(), IsEmpty());
}

TEST(OsdFlags, TheFlagCannotBeSet_TheNoteIsRemovedAndTheRightsAreNamed) {
  FlagCluster cluster;
  cluster.fails = "osd set-group";
  const auto failed = set_noout(cluster, 7, {.owner = this_process()});
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().hint, HasSubstr("config-key rw"));
  EXPECT_THAT(cluster.keys, IsEmpty());
}

TEST(OsdFlags, TheFlagCannotBeUnset_TheNoteStays) {
  FlagCluster cluster;
  ASSERT_TRUE(set_noout(cluster, 7, {.owner = gone_owner()}));
  cluster.fails = "osd unset-group";
  EXPECT_EQ(remove_flags(cluster, {}).value().at(0).fate, Fate::failed);
  EXPECT_THAT(cluster.keys, ::testing::SizeIs(1));
}

TEST(OsdFlags, OnlyListedFlags_AreRemoved) {
  FlagCluster cluster;
  ASSERT_TRUE(set_noout(cluster, 7, {.owner = gone_owner(), .since = "shown"}));
  const auto shown = remove_flags(cluster, {.dry_run = true}).value();
  cluster.keys.clear();
  ASSERT_TRUE(set_noout(cluster, 7, {.owner = gone_owner(), .since = "later"}));
  const auto removed = remove_flags(cluster, {.agreed = std::vector{shown.at(0).found}}).value();
  EXPECT_THAT(removed, IsEmpty());
  EXPECT_TRUE(cluster.noout);
}

TEST(OsdFlags, StateOfTheOwner_IsDetermined) {
  FlagCluster cluster;
  Owner far = this_process();
  far.boot = "another machine";
  for (const auto& [owner, state] :
       {std::pair(this_process(), OwnerState::runs), std::pair(gone_owner(), OwnerState::gone),
        std::pair(far, OwnerState::unknown)}) {
    cluster.keys.clear();
    cluster.noout = false;
    ASSERT_TRUE(set_noout(cluster, 7, {.owner = owner}));
    const auto found = remove_flags(cluster, {}).value();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].owner, state);
    EXPECT_EQ(found[0].fate, state == OwnerState::gone ? Fate::removed : Fate::held);
  }
}

TEST(OsdFlags, ForeignNotesAreIgnored_UnreadableOnesNeedForce) {
  FlagCluster cluster;
  cluster.keys = {{"radosload/noout/osd.x", "{}"},
                  {"radosload/noout/osd.4", "no JSON"},
                  {"radosload/noout/osd.99999999999", "{}"}};
  const auto removed = remove_flags(cluster, {}).value();
  ASSERT_EQ(removed.size(), 1U);
  EXPECT_EQ(removed[0].found.osd, 4);
  EXPECT_EQ(removed[0].fate, Fate::held) << "its process is unknown";
  EXPECT_EQ(remove_flags(cluster, {.force = true}).value().at(0).fate, Fate::removed);
}

}  // namespace
}  // namespace radosload::footprint
