// Which objects of a session a cleanup removes, as far as attributes say it: another user may have
// written them; and what it does while others make, leave or remove sessions of the same name.
#include <cerrno>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/session_objects.h"
#include "session_support.h"

namespace radosload::footprint {
namespace {

using cluster::BoundedIo;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::MemorySessions;
using testing::MemorySite;
using ::testing::Not;

Owner someone() {
  return {
      .host = "node1", .boot = "b", .pid_space = "p", .pid = 7, .started_ticks = 1, .client = 2};
}

TEST(SessionObjects, OfEachMember_ItsClockAndItsPartsAreFound) {
  const BoundedIo::Attributes attributes = {{session_owner_key("a"), encode_owner(someone())},
                                            {session_chunks_key("a"), "2"},
                                            {session_owner_key("b"), "unreadable"},
                                            {session_chunks_key("c"), "9"}};
  SessionSeen seen;
  std::vector<Owner> owners;
  ASSERT_TRUE(add_members(attributes, "s", seen, owners));
  EXPECT_THAT(seen.objects, ElementsAre(session_clock("s", "a"), session_part("s", "a", 0),
                                        session_part("s", "a", 1), session_clock("s", "b")));
  ASSERT_EQ(owners.size(), 1U);
  EXPECT_EQ(owners.front().host, "node1");
}

TEST(SessionObjects, TooManyPartsOfAllMembers_AreRefused) {
  SessionSeen seen;
  std::vector<Owner> owners;
  const BoundedIo::Attributes half = {{session_owner_key("m"), encode_owner(someone())},
                                      {session_chunks_key("m"), "500000"}};
  EXPECT_TRUE(add_members(half, "s", seen, owners));
  EXPECT_FALSE(add_members(half, "s", seen, owners));
}

TEST(SessionObjects, TooManyParts_AreRefusedWithTheLimit) {
  for (const char* const parts : {"1000001", "18446744073709551615"}) {
    SessionSeen seen;
    std::vector<Owner> owners;
    const auto added = add_members({{session_owner_key("m\nrun-x"), encode_owner(someone())},
                                    {session_chunks_key("m\nrun-x"), parts}},
                                   "s", seen, owners);
    ASSERT_FALSE(added);
    EXPECT_TRUE(seen.objects.empty());
    EXPECT_THAT(added.error().message(), HasSubstr("more than 1000000 objects, the limit"));
    EXPECT_THAT(added.error().message(), Not(HasSubstr("\nrun-x")));
  }
}

struct SessionKilled {};

// A namespace in which a session "s" can be.
class SessionPlace {
 public:
  MemorySite site;
  MemorySessions sessions{site};

  // As its maker leaves it that dies in mid-run: nobody watches it any more.
  void make(const std::string& member) {
    sessions.put(std::string(sessions_object), "session.s", "1");
    sessions.put(session_hub("s"), session_shards_key, "1");
    sessions.put(session_members("s", 0), session_owner_key(member), encode_owner(someone()));
    sessions.put(session_members("s", 0), session_chunks_key(member), "2");
    for (const auto& name : {session_clock("s", member), session_part("s", member, 0)}) {
      site.objects[name] = {"data"};
    }
  }
  Result<CleanupReport> clean(bool scan = false) { return cleanup(site, sessions, {.scan = scan}); }
  // Does something at this command of the next cleanup. False: it has fewer.
  bool act_at(int command, std::function<void()> act) {
    int left = command;
    bool acted = false;
    site.before = [&](const std::string& call) {
      if (!call.starts_with("session") || left-- != 0) return;
      acted = true;
      act();
    };
    try {
      EXPECT_TRUE(clean());
    } catch (const SessionKilled&) {
    }
    site.before = [](const std::string&) {};
    return acted;
  }
  void remove_all() { site.objects.clear(); }
};

TEST(DeadSessions, AreRemovedWithEveryObject) {
  SessionPlace place;
  place.make("m1");
  const auto report = place.clean();
  ASSERT_TRUE(report);
  ASSERT_EQ(report->runs.size(), 1U);
  EXPECT_EQ(report->runs[0].fate, Fate::removed);
  EXPECT_EQ(report->runs[0].count.removed, 5U);
  EXPECT_TRUE(place.site.objects.empty());
}

TEST(DeadSessions, OnlyTheNameInTheIndex_IsStruckOutWithoutAWord) {
  SessionPlace place;
  place.sessions.put(std::string(sessions_object), "session.s", "1");
  const auto report = place.clean();
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->runs.empty());
  EXPECT_TRUE(place.site.objects.empty());
}

TEST(DeadSessions, NewSessionWithoutWatch_IsKept) {
  SessionPlace place;
  place.make("m1");
  place.sessions.passes = [&] { place.sessions.watches[session_hub("s")].insert(2); };
  const auto before = place.site.contents();
  const auto report = place.clean();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->runs[0].fate, Fate::held);
  EXPECT_EQ(place.site.contents(), before);
}

TEST(DeadSessions, LeaderWritesMeanwhile_IsKept) {
  SessionPlace place;
  place.make("m1");
  place.sessions.passes = [&] { place.sessions.put(session_hub("s"), "state", "2"); };
  const auto report = place.clean();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->runs[0].fate, Fate::held);
  EXPECT_THAT(report->runs[0].detail, HasSubstr("changed it during this cleanup"));
}

TEST(DeadSessions, CleanupKilledAtAnyCommand_NextOneRemovesTheRest) {
  bool killed = true;
  for (int command = 0; killed; ++command) {
    SessionPlace place;
    place.make("m1");
    killed = place.act_at(command, [] { throw SessionKilled{}; });
    EXPECT_TRUE(place.clean());
    EXPECT_TRUE(place.site.objects.empty()) << command;
  }
}

TEST(DeadSessions, NewSessionDuringRemoval_IsKept) {
  bool made = true;
  for (int command = 0; made; ++command) {
    SessionPlace place;
    place.make("m1");
    std::map<std::string, std::string> anew;
    made = place.act_at(command, [&] {
      place.remove_all();
      place.make("m2");
      place.sessions.watches[session_hub("s")].insert(2);
      anew = place.site.contents();
    });
    if (!made) break;
    EXPECT_EQ(place.site.contents(), anew) << command;
    EXPECT_TRUE(place.site.objects[std::string(sessions_object)].attributes.contains("session.s"));
  }
}

TEST(DeadSessions, StoppedLeaderContinues_NextSessionIsKept) {
  bool made = true;
  for (int command = 0; made; ++command) {
    SessionPlace place;
    place.make("m1");
    place.sessions.put(session_hub("s"), "leader", "m1");
    std::map<std::string, std::string> anew;
    int left = command;
    made = false;
    place.site.before = [&](const std::string&) {
      if (left-- != 0) return;
      made = true;
      place.remove_all();
      place.make("m2");
      place.sessions.put(session_hub("s"), "leader", "m2");
      anew = place.site.contents();
    };
    EXPECT_TRUE(remove_session(place.sessions, "s", [](const SessionSite::Attributes& of_hub) {
      return of_hub.at("leader") == "m1";
    }));
    EXPECT_EQ(place.site.contents(), anew) << command;
  }
}

TEST(DeadSessions, ObjectsOutsideTheIndex_ScanRemovesThem) {
  SessionPlace place;
  place.make("m1");
  place.site.objects.erase(std::string(sessions_object));
  place.site.objects.erase(session_hub("s"));
  EXPECT_TRUE(place.clean());
  EXPECT_FALSE(place.site.objects.empty());
  const auto report = place.clean(true);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->runs.size(), 1U);
  EXPECT_TRUE(report->runs[0].by_scan);
  EXPECT_EQ(report->runs[0].fate, Fate::removed);
  EXPECT_TRUE(place.site.objects.empty());
}

}  // namespace
}  // namespace radosload::footprint
