// What a cleanup does with sessions while other clients act between any two of its operations: one
// that lives, or begins, keeps everything; one that is dead leaves nothing.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "unit/session_pool_support.h"

namespace radosload::footprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string session_name = "big";

class SessionRemoval : public testing::Test {
 protected:
  RunCleanup cleanup(const std::function<void()>& meanwhile = {}) {
    CleanupReport report;
    const auto pause = [&] {
      if (meanwhile) meanwhile();
      return true;
    };
    const auto done = clean_up_sessions(m_pool, {}, pause, report);
    EXPECT_TRUE(done) << done.error().message();
    return report.runs.empty() ? RunCleanup{} : report.runs.front();
  }
  // The number of operations of a cleanup that nobody disturbs.
  static int operations() {
    MemorySessions pool;
    pool.begin(session_name, "old");
    CleanupReport report;
    EXPECT_TRUE(clean_up_sessions(
        pool, {}, [] { return true; }, report));
    return pool.operations();
  }

  MemorySessions m_pool;
};

TEST_F(SessionRemoval, OfADeadSession_NothingIsLeft) {
  m_pool.begin(session_name, "old");
  const auto cleaned = cleanup();
  EXPECT_EQ(cleaned.fate, Fate::removed);
  EXPECT_EQ(cleaned.run, "session big");
  EXPECT_EQ(cleaned.objects, 4U);
  EXPECT_THAT(m_pool.objects(), IsEmpty());
}

TEST_F(SessionRemoval, ASessionThatIsWatched_KeepsEverything) {
  m_pool.begin(session_name, "one");
  m_pool.watch(session_name);
  const auto cleaned = cleanup();
  EXPECT_EQ(cleaned.fate, Fate::held);
  EXPECT_THAT(cleaned.detail, HasSubstr("client.4711"));
  EXPECT_TRUE(m_pool.whole(session_name, "one"));
}

TEST_F(SessionRemoval, ASessionThatHasJustBeenMadeAndIsNotWatchedYet_KeepsEverything) {
  m_pool.begin(session_name, "one");
  const auto cleaned = cleanup([&] { EXPECT_TRUE(m_pool.lead(session_name, "1", "2")); });
  EXPECT_EQ(cleaned.fate, Fate::held);
  EXPECT_TRUE(m_pool.whole(session_name, "one"));
  EXPECT_TRUE(m_pool.lead(session_name, "2", "3"));
}

// Either the leader's write comes first, and everything stays; or the removal does, and the leader
// is told by its write.
TEST_F(SessionRemoval, ALeaderThatWritesBetweenLookAndRemoval_KeepsEverythingOrIsRefused) {
  int kept = 0;
  int refused = 0;
  for (int moment = 0; moment < operations(); ++moment) {
    MemorySessions pool;
    pool.begin(session_name, "one");
    bool written = false;
    pool.before = [&](int number) {
      if (number == moment) written = pool.lead(session_name, "1", "2");
    };
    CleanupReport report;
    ASSERT_TRUE(clean_up_sessions(
        pool, {}, [] { return true; }, report));
    if (pool.objects().empty()) {
      EXPECT_TRUE(!written || moment == 0 || moment == 1) << moment;
      ++refused;
    } else {
      EXPECT_TRUE(written) << moment;
      EXPECT_TRUE(pool.whole(session_name, "one")) << moment;
      ++kept;
    }
  }
  EXPECT_GT(kept, 2);
  EXPECT_GT(refused, 2);
}

// Another cleanup has removed the dead session, and a new one of that name has begun.
TEST_F(SessionRemoval, ASessionThatBeginsBetweenLookAndRemoval_KeepsEverything) {
  for (int moment = 2; moment <= operations(); ++moment) {
    MemorySessions pool;
    pool.begin(session_name, "old");
    pool.before = [&](int number) {
      if (number != moment) return;
      pool.remove_all();
      pool.begin(session_name, "new");
    };
    CleanupReport report;
    ASSERT_TRUE(clean_up_sessions(
        pool, {}, [] { return true; }, report));
    if (pool.operations() <= moment) continue;  // it had ended
    EXPECT_TRUE(pool.whole(session_name, "new")) << moment;
  }
}

TEST_F(SessionRemoval, AMemberThatComesMeanwhile_LeavesTheRestToTheNextCleanup) {
  m_pool.begin(session_name, "old");
  m_pool.before = [&](int) {
    const auto hub = m_pool.objects().find(session_hub(session_name));
    if (hub == m_pool.objects().end()) return;
    const bool marked = hub->second.attributes.at(session_serial_key) == session_serial_removed;
    if (marked) m_pool.before = [&](int) { m_pool.tell_late(session_name); };
  };
  EXPECT_EQ(cleanup().fate, Fate::held);
  EXPECT_TRUE(m_pool.noted(session_name));
  m_pool.before = {};
  EXPECT_EQ(cleanup().fate, Fate::removed);
  EXPECT_THAT(m_pool.objects(), IsEmpty());
}

TEST_F(SessionRemoval, AnEntryWithoutASession_GoesAndOthersStay) {
  m_pool.begin("other", "one");
  m_pool.watch("other");
  m_pool.write(std::string(sessions_object), {.set = {{session_index_key(session_name), "1"}}});
  EXPECT_EQ(cleanup().fate, Fate::removed);
  EXPECT_FALSE(m_pool.noted(session_name));
  EXPECT_TRUE(m_pool.whole("other", "one"));
}

TEST_F(SessionRemoval, ADryRunAndAnInterrupt_ChangeNothing) {
  m_pool.begin(session_name, "old");
  CleanupReport report;
  ASSERT_TRUE(clean_up_sessions(
      m_pool, {.dry_run = true}, [] { return true; }, report));
  EXPECT_EQ(report.runs.front().fate, Fate::would);
  CleanupReport interrupted;
  ASSERT_TRUE(clean_up_sessions(
      m_pool, {}, [] { return false; }, interrupted));
  EXPECT_TRUE(interrupted.interrupted);
  EXPECT_TRUE(m_pool.whole(session_name, "old"));
}

}  // namespace
}  // namespace radosload::footprint
