// The removal of sessions on a real cluster: what OSDs answer to its conditions, on pools of both
// kinds.
#include "footprint/session_removal.h"

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/leftovers.h"
#include "support/pool.h"

namespace radosload::test {
namespace {

using namespace footprint;
using testing::IsEmpty;

const std::string name = "big";

class SessionObjectsOf : public testing::TestWithParam<TestPool::Kind> {
 protected:
  // As its first member makes it.
  void begin() {
    ASSERT_TRUE(note_session(m_pool, name));
    ASSERT_GE(m_pool.write(session_hub(name),
                           {.set = {{session_serial_key, "1"}, {session_shards_key, "1"}}}),
              0);
    ASSERT_GE(m_pool.write(session_members(name, 0), {.set = {{session_chunks_key("m"), "0"}}}), 0);
  }
  bool lead(const std::string& over, const std::string& serial) {
    return m_pool.write(session_hub(name), {.only_if = std::pair(session_serial_key, over),
                                            .set = {{session_serial_key, serial}}}) >= 0;
  }
  SessionSeen look() {
    auto seen = look_at_session(m_pool, name);
    if (!seen) throw std::runtime_error(seen.error().message());
    EXPECT_FALSE(seen->lives);
    return *std::move(seen);
  }
  bool removed(const SessionSeen& seen) {
    const auto done = remove_session_as_seen(m_pool, name, seen);
    if (!done) throw std::runtime_error(done.error().message());
    return *done;
  }

  TestPool m_place{"session-removal", GetParam()};
  TestNamespace m_namespace{m_place.name()};
  ClusterSessions m_pool{m_namespace.io()};
};

TEST_P(SessionObjectsOf, ThatAreAsTheyWereSeen_GoWithoutARest) {
  begin();
  m_namespace.make_object(session_hub(name), "a charter");
  EXPECT_TRUE(removed(look()));
  EXPECT_THAT(m_namespace.names(), IsEmpty());
}

TEST_P(SessionObjectsOf, WhoseLeaderHasWritten_Stay) {
  begin();
  const SessionSeen seen = look();
  ASSERT_TRUE(lead("1", "2"));
  const auto before = m_namespace.names();
  EXPECT_TRUE(look_again(m_pool, name, seen)->lives);
  EXPECT_FALSE(removed(seen));
  EXPECT_EQ(m_namespace.names(), before);
  EXPECT_TRUE(lead("2", "3"));
}

TEST_P(SessionObjectsOf, OfANewSessionOfThatName_Stay) {
  begin();
  const SessionSeen seen = look();
  ASSERT_TRUE(removed(seen));
  begin();
  const auto before = m_namespace.names();
  EXPECT_FALSE(removed(seen));
  EXPECT_FALSE(removed({.missing = true}));
  EXPECT_EQ(m_namespace.names(), before);
  EXPECT_EQ(*noted_sessions(m_pool), std::vector<std::string>{name});
  EXPECT_TRUE(lead("1", "2"));
}

TEST_P(SessionObjectsOf, WhoseMemberComesWithTheRemoval_AreLeftToTheNext) {
  begin();
  const SessionSeen seen = look();
  ASSERT_GE(m_pool.write(session_members(name, 0), {.set = {{session_chunks_key("n"), "0"}}}), 0);
  EXPECT_FALSE(removed(seen));
  EXPECT_FALSE(lead("1", "2")) << "a member that comes must see that the session has ended";
  EXPECT_EQ(*noted_sessions(m_pool), std::vector<std::string>{name});
  EXPECT_TRUE(removed(look()));
  EXPECT_THAT(m_namespace.names(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Every, SessionObjectsOf,
                         testing::Values(TestPool::Kind::replicated, TestPool::Kind::erasure),
                         [](const auto& one) {
                           return one.param == TestPool::Kind::replicated ? "ReplicatedPool"
                                                                          : "ErasurePool";
                         });

}  // namespace
}  // namespace radosload::test
