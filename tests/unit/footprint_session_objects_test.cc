// Which objects of a session a cleanup removes, as far as attributes say it: another user may have
// written them.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/session_objects.h"

namespace radosload::footprint {
namespace {

using cluster::BoundedIo;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
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

}  // namespace
}  // namespace radosload::footprint
