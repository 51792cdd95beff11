// What disturbs a cluster while a run goes on stands in the run's grade; on a quiet cluster the
// grade is clean.
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/graded_runs.h"
#include "support/ceph_json.h"
#include "support/settled.h"
#include "support/wait_for.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Grades : public GradedRuns {};

// Waits until the mgr knows PGs of the pool that are in this state.
testing::AssertionResult await_pgs(const std::string& pool, const std::string& state) {
  return wait_for_answer({"pg", "ls-by-pool", pool, state}, state);
}

TEST_F(Grades, OnAQuietClusterARunIsClean) {
  const json grade = grade_while("hdd", "randread4k,size=8M", [] {});
  EXPECT_TRUE(is_clean(grade));
  EXPECT_THAT(reasons(grade), Each(StartsWith("this client "))) << "or nothing";
}

// With pauses between objects, a scrub of a PG takes long enough to be seen: an OSD tells the mgr
// every five seconds what its PGs do.
class SlowScrubs {
 public:
  SlowScrubs() {
    set("osd_scrub_sleep", "3");
    set("osd_scrub_chunk_min", "1");
    set("osd_scrub_chunk_max", "1");
  }
  ~SlowScrubs() {
    for (const char* const name :
         {"osd_scrub_sleep", "osd_scrub_chunk_min", "osd_scrub_chunk_max"}) {
      EXPECT_EQ(ceph({"config", "rm", "osd", name}).status, 0);
    }
  }
  SlowScrubs(const SlowScrubs&) = delete;
  SlowScrubs& operator=(const SlowScrubs&) = delete;
  SlowScrubs(SlowScrubs&&) = delete;
  SlowScrubs& operator=(SlowScrubs&&) = delete;

 private:
  static void set(const char* name, const char* value) {
    EXPECT_EQ(ceph({"config", "set", "osd", name, value}).status, 0);
  }
};

TEST_F(Grades, AScrubOfAPgContaminates) {
  const SlowScrubs slow;
  const std::string pg =
      ceph_json({"pg", "ls-by-pool", "hdd"})["pg_stats"][0]["pgid"].get<std::string>();
  const json grade = grade_while("hdd", "randread4k,size=16M,object-size=64k", [&] {
    must({"pg", "deep-scrub", pg});
    // A busy OSD begins a scrub when it gets round to it.
    EXPECT_TRUE(await_pgs("hdd", "scrubbing"));
  });
  EXPECT_EQ(grade["value"], "contaminated") << grade;
  EXPECT_THAT(reasons(grade), Contains(HasSubstr("PG " + pg + " was deep-scrubbed (osd.")));
}

// What no state at the end shows: a PG that came back, a setting, and an option of the pool.
TEST_F(Grades, WhatWasChangedForAMomentContaminates) {
  const std::string pg = pg_on("hdd1", 1);
  const json grade = grade_while("hdd1", "randread4k,size=16M,object-size=64k", [&] {
    move_pg(pg, 1, 2);
    must({"osd", "rm-pg-upmap-items", pg});
    must({"config", "set", "osd", "osd_max_scrubs", "2"});
    must({"config", "rm", "osd", "osd_max_scrubs"});
    must({"osd", "pool", "set", "hdd1", "compression_mode", "passive"});
    must({"osd", "pool", "set", "hdd1", "compression_mode", "none"});
  });
  EXPECT_TRUE(await_pg_on("hdd1", 1, pg));
  await_clean();
  EXPECT_EQ(grade["value"], "contaminated") << grade;
  // Where it was served by the other OSD for a moment, that is said instead.
  EXPECT_THAT(reasons(grade), Contains(HasSubstr("PG " + pg + " ")));
  EXPECT_THAT(reasons(grade), Contains(HasSubstr("osd_max_scrubs of osd became 2, from its ")));
  EXPECT_THAT(reasons(grade), Contains(HasSubstr("compression_mode of pool hdd1 became passive")));
}

TEST_F(Grades, AnotherClientIsNamedByItsPool) {
  const json grade = grade_while("hdd1", "randread4k,size=16M,object-size=64k", [this] {
    // Time: longer than what is reported late, which may be of the time before.
    const Finished other = test::run(
        launch(words("hdd", "randread4k,size=8M,object-size=256k",
                     {"--rate", "300", "--time", "16", "--push-through", "--save", "none"})));
    EXPECT_EQ(other.status, 0) << other.err;
  });
  EXPECT_THAT(reasons(grade), Contains(HasSubstr("other clients (pool hdd) "))) << grade;
}

TEST_F(Grades, AClientThatWasStoppedContaminatesAndBlamesNoOsd) {
  Process process(launch(words("ssd", "randread4k,size=8M", until_ended())));
  ASSERT_TRUE(await_second(process, 2));
  process.signal(SIGSTOP);
  // Time: what is measured is how long it stood still.
  std::this_thread::sleep_for(std::chrono::seconds(2));
  process.signal(SIGCONT);
  EXPECT_TRUE(await_more_seconds(process, 2));
  process.signal(SIGINT);
  const json record = last_record(process.wait());
  EXPECT_EQ(record["grade"]["value"], "contaminated") << record["grade"];
  EXPECT_THAT(reasons(record["grade"]), Contains(HasSubstr("this client did not run ")));
  EXPECT_GE(record["client"]["pauses"]["sum_s"], 1.9);
  EXPECT_EQ(record["slowest"][0]["waited"]["where"], "client") << record["slowest"][0];
}

TEST_F(Grades, ARestartedOsdVoidsTheRunThatIsPinnedToIt) {
  const json grade = grade_while("hdd1", "randread4k,size=2M,object-size=256k",
                                 [] {
                                   EXPECT_EQ(lab({"osd", "restart", "1"}).status, 0);
                                 },
                                 {"--osd", "1"});
  EXPECT_EQ(grade["value"], "void") << grade;
  EXPECT_THAT(reasons(grade), Contains(HasSubstr("osd.1 ")));
}

TEST_F(Grades, RecoveryOnThePgsOfTheRunContaminates) {
  const json grade = grade_while("hdd", "randwrite4k,size=8M,object-size=256k", [] {
    EXPECT_EQ(lab({"osd", "stop", "2"}).status, 0);
    EXPECT_TRUE(await_pgs("hdd", "degraded"));
    EXPECT_EQ(lab({"osd", "start", "2"}).status, 0);
  });
  EXPECT_EQ(grade["value"], "contaminated") << grade;
  EXPECT_THAT(reasons(grade), Contains(HasSubstr("osd.2 went down: its figures")));
  EXPECT_THAT(reasons(grade), Contains(AnyOf(HasSubstr("was degraded"), HasSubstr("recovering"))));
}

TEST_F(Grades, PgOfAnotherPoolMoves_RunStaysClean) {
  const std::string other = pg_on("hdd1", 1);
  const json grade = grade_while("hdd1", "randread4k,size=2M,object-size=256k",
                                 [&] {
                                   move_pg(other, 1, 2);
                                   EXPECT_TRUE(await_pg_on("hdd1", 2, other));
                                 },
                                 {"--osd", "0"});
  move_back("hdd1", other, 1);
  EXPECT_TRUE(is_clean(grade));
}

TEST_F(Grades, WithoutAMgrARunIsNotGraded) {
  const json grade = grade_while("hdd", "randread4k,size=8M", [] {
    EXPECT_EQ(lab({"mgr", "kill"}).status, 0);
  });
  EXPECT_EQ(lab({"mgr", "start"}).status, 0);
  EXPECT_EQ(grade["value"], "unwatched") << grade;
  EXPECT_THAT(reasons(grade), Contains(HasSubstr("what the mgr shows was not watched")));
  EXPECT_TRUE(await_fresh_statistics());
}

TEST_F(Grades, AMonThatWasStoppedContaminates) {
  const json grade = grade_while("hdd", "randread4k,size=8M", [] {
    EXPECT_EQ(lab({"mon", "restart"}).status, 0);
  });
  EXPECT_EQ(grade["value"], "contaminated") << grade;
  EXPECT_THAT(reasons(grade), Contains(HasSubstr("the mons held an election")));
}

TEST_F(Grades, NearfullOsdsAreNotedAndTheRunStaysClean) {
  const std::vector<std::string> health = {"health", "detail"};
  const json grade = grade_while("hdd", "randread4k,size=8M", [&] {
    must({"osd", "set-nearfull-ratio", "0.00001"});
    EXPECT_TRUE(wait_for_answer(health, "OSD_NEARFULL"));
  });
  must({"osd", "set-nearfull-ratio", "0.85"});
  EXPECT_TRUE(is_clean(grade));
  EXPECT_THAT(reasons(grade), Contains(HasSubstr("OSD_NEARFULL")));
  EXPECT_TRUE(wait_for_answer(health, "OSD_NEARFULL", false));
}

TEST_F(Grades, WithoutRightsOnTheMgrARunIsNotGraded) {
  const CephUser user("blind", {"mon", "allow r", "osd", "allow rwx pool=hdd"});
  const Finished done =
      run("hdd", "randread4k,size=8M", {"--id", user.id(), "--keyring", user.keyring()});
  const json grade = grade_of_last(done);
  EXPECT_EQ(grade["value"], "unwatched") << grade;
}

TEST_F(Grades, ACleanRunNeedsNoSecondTry) {
  const Finished done = run("hdd", "randread4k,size=8M", {"--require-clean"});
  EXPECT_EQ(done.status, 0) << done.err << done.out;
  EXPECT_THAT(done.err, Not(HasSubstr("measuring again")));
}

TEST_F(Grades, WithoutACleanTryTheStatusIs1AndEachIsKept) {
  const CephUser user("blind2", {"mon", "allow r", "osd", "allow rwx pool=hdd"});
  const Finished done = run("hdd", "randread4k,size=4M",
                            {"--require-clean=2", "--id", user.id(), "--keyring", user.keyring()});
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.err, HasSubstr("measuring again"));
  EXPECT_THAT(done.err, HasSubstr("no try was clean"));
  const Finished listed = test::run(launch({"list", "--format", "json"}));
  ASSERT_EQ(listed.status, 0) << listed.err;
  EXPECT_EQ(json::parse(listed.out)["entries"].size(), 2U) << listed.out;
}

}  // namespace
}  // namespace radosload::test
