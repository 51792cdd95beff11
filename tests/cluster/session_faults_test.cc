// What befalls a session while its load runs: a member that stands still, the OSD of the object by
// which the members agree, a pool that gets full. There is always one joint record that says so.
#include <algorithm>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/sessions.h"
#include "support/grave.h"
#include "support/pool.h"
#include "support/settled.h"

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using testing::HasSubstr;

class SessionFaults : public Sessions {
 protected:
  void TearDown() override {
    if (on_lab()) await_clean();
  }
  std::vector<std::string> with_json(std::vector<std::string> words) const {
    words.insert(words.end(), {"--format", "json"});
    return words;
  }
  // Of two members; the second has joined when the load runs.
  void begin(const std::string& name) {
    m_leader = start(with_json(first(name, "2", until_ended())));
    m_other = start(join(name));
    ASSERT_TRUE(await_second(*m_other, 2));
  }
  // The load goes on for all, and is then ended for all.
  json record_at_the_end() {
    EXPECT_TRUE(await_more_seconds(*m_other, 2));
    EXPECT_TRUE(await_more_seconds(*m_leader, 2));
    m_leader->signal(SIGINT);
    const Finished other = m_other->wait();
    const Finished done = m_leader->wait();
    EXPECT_EQ(done.status, interrupted) << done.err << other.err;
    json record = json::parse(done.out, nullptr, false);
    EXPECT_TRUE(record.is_object()) << done.err << other.err;
    return record.is_object() ? record : json::object();
  }

  std::unique_ptr<Process> m_leader;
  std::unique_ptr<Process> m_other;
};

TEST_F(SessionFaults, MemberStandsStillFor12Seconds_BelongsToTheSessionAllTheSame) {
  begin("still");
  m_other->signal(SIGSTOP);
  // Time: with the 7 s between two signs of life less than the 25 s after which a member is lost.
  std::this_thread::sleep_for(seconds(12));
  m_other->signal(SIGCONT);
  const json record = record_at_the_end();
  EXPECT_EQ(record["ended_by"], "SIGINT") << record["warnings"];
  ASSERT_EQ(record["members"].size(), 2U);
  std::uint64_t ops = 0;
  for (const json& member : record["members"]) {
    EXPECT_EQ(member["missing"], "") << member;
    ops += member["ops"].get<std::uint64_t>();
  }
  EXPECT_EQ(all_ops(record), ops) << wrong_figure;
  EXPECT_GT(record["totals"]["all"]["response_us"]["max"].get<double>(), 10e6);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(SessionFaults, OsdOfTheSessionsObjectIsKilled_SessionContinues) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be killed";
  begin("lost-hub");
  const json where = json::parse(
      ceph({"osd", "map", "ssd", "radosload.session.lost-hub.hub", "radosload", "--format", "json"})
          .out);
  const std::string osd = std::to_string(where["acting_primary"].get<int>());
  EXPECT_EQ(lab({"osd", "kill", osd}).status, 0);
  EXPECT_TRUE(wait_for_answer({"osd", "tree", "down"}, "osd." + osd));
  EXPECT_EQ(lab({"osd", "start", osd}).status, 0);
  await_clean();
  const json record = record_at_the_end();
  EXPECT_EQ(record["ended_by"], "SIGINT") << record["warnings"];
  ASSERT_EQ(record["members"].size(), 2U);
  for (const json& member : record["members"]) EXPECT_EQ(member["missing"], "") << member;
  // The OSD was one of the run's, too.
  EXPECT_EQ(record["grade"]["value"], "contaminated") << record["grade"];
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(SessionFaults, PoolGetsFull_EndsTheLoadForAllWithTheReason) {
  TestPool pool("full-session");
  const auto in_pool = [&](std::vector<std::string> words) {
    std::replace(words.begin(), words.end(), std::string("ssd"), pool.name());
    return words;
  };
  m_leader = start(in_pool(with_json(first("full", "2", until_ended({"--drain", "3s"})))));
  m_other = start(in_pool(join("full")));
  ASSERT_TRUE(await_second(*m_other, 2));
  ASSERT_EQ(ceph({"osd", "pool", "set-quota", pool.name(), "max_objects", "1"}).status, 0);
  const Finished other = m_other->wait();
  const Finished done = m_leader->wait();
  EXPECT_FALSE(done.timed_out) << done.err;
  EXPECT_EQ(done.status, flawed) << done.err << other.err;
  const json record = json::parse(done.out, nullptr, false);
  ASSERT_TRUE(record.is_object()) << done.err << other.err;
  EXPECT_GT(all_ops(record), 0U);
  EXPECT_THAT(record.dump(), HasSubstr("full"));
  EXPECT_EQ(names_in(pool.name()), "");
}

}  // namespace
}  // namespace radosload::test
