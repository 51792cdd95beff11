// What befalls a cluster in the middle of a run: nothing of it hangs the run or loses its record,
// and the grade names it, with the runs that it does not concern as the control.
#include <csignal>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/graded_runs.h"
#include "support/pool.h"

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

constexpr const char* light = "randread4k,size=4M,object-size=256k";

class Faults : public GradedRuns {
 protected:
  // Its record is its output.
  Launch recorded(const std::string& pool, const std::string& pattern,
                  std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--rate", light_load, "--push-through", "--format", "json"});
    return launch(words(pool, pattern, until_ended(std::move(more))));
  }
  static json record_of(Process& process, int status) {
    const Finished done = process.wait();
    EXPECT_FALSE(done.timed_out) << done.err;
    EXPECT_EQ(done.status, status) << done.err;
    json record = json::parse(done.out, nullptr, false);
    EXPECT_TRUE(record.is_object()) << done.err;
    if (!record.is_object()) return {{"grade", {{"value", ""}, {"reasons", json::array()}}}};
    EXPECT_GT(record["totals"]["all"]["ops"].get<std::uint64_t>(), 0U);
    return record;
  }
  std::vector<std::string> observer() const {
    return {"--observer-id", m_observer.id(), "--observer-keyring", m_observer.keyring()};
  }
  // Its record; while it ran, this disturbed the cluster.
  template <typename Disturb>
  static json record_while(Process& process, const Disturb& disturb) {
    disturb_and_end(process, disturb);
    return record_of(process, interrupted);
  }
  static json record_with(Process& process, const std::vector<std::string>& command) {
    return record_while(process, [&] { must(command); });
  }

 private:
  CephUser m_observer{"faults", {"mon", "allow r", "mgr", "allow r", "osd", "allow *"}};
};

TEST_F(Faults, ACompactionContaminatesWithItsOsdAndTime) {
  Process process(recorded("ssd", light, observer()));
  const json grade = record_with(process, {"tell", "osd.1", "compact"})["grade"];
  EXPECT_EQ(grade["value"], "contaminated") << grade;
  EXPECT_THAT(reasons(grade), Contains(MatchesRegex("osd.1 compacted RocksDB .*[0-9] s")));
  EXPECT_THAT(reasons(grade), testing::Not(Contains(HasSubstr("osd.0 compacted"))));
}

TEST_F(Faults, CountersThatAreResetHaveNoFiguresAndTheRunStaysClean) {
  Process process(recorded("ssd", light, observer()));
  const json record = record_with(process, {"tell", "osd.1", "perf", "reset", "all"});
  const json& grade = record["grade"];
  EXPECT_TRUE(is_clean(grade));
  EXPECT_THAT(reasons(grade), Contains(MatchesRegex("the counters of osd.1 were reset.*")));
  for (const auto& [name, osd] : record["osds"].items()) {
    const std::string missing = osd["counters"]["missing"];
    EXPECT_EQ(missing, name == "osd.1" ? "its counters were reset" : "") << name;
  }
}

TEST_F(Faults, APgOfTheRunThatMovesVoidsItAndIsNamed) {
  const std::string pg = pg_on("hdd1", 0);
  Process process(recorded("hdd1", "randread4k,size=16M,object-size=64k", {"--osd", "0"}));
  const json grade = record_while(process, [&] { move_pg(pg, 0, 1); })["grade"];
  move_back("hdd1", pg, 0);
  EXPECT_EQ(grade["value"], "void") << grade;
  EXPECT_THAT(reasons(grade), Contains(HasSubstr(pg)));
}

// Its objects are recovered meanwhile.
TEST_F(Faults, APgOfAnotherPoolThatMovesWithItsObjectsLeavesARunClean) {
  const std::string other = pg_on("hdd1", 1);
  ASSERT_EQ(run("hdd1", "randwrite4k,size=32M,object-size=256k", {"--keep"}).status, 0);
  Process process(recorded("ssd", light, observer()));
  auto moved = testing::AssertionFailure();
  const json grade = record_while(process, [&] {
    move_pg(other, 1, 2);
    moved = await_pg_on("hdd1", 2, other);
  })["grade"];
  move_back("hdd1", other, 1);
  EXPECT_TRUE(moved) << "there was nothing to leave alone";
  EXPECT_EQ(clean_up_kept("hdd1").status, 0);
  EXPECT_TRUE(is_clean(grade));
}

TEST_F(Faults, AChangeOfPgNumContaminatesTheRunsOfThatPoolOnly) {
  const TestPool pool("splitting");
  Process inside(recorded(pool.name(), light));
  Process outside(recorded("ssd", light));
  ASSERT_TRUE(await_second(outside, 1));
  const json grade =
      record_with(inside, {"osd", "pool", "set", pool.name(), "pg_num", "16"})["grade"];
  outside.signal(SIGINT);
  const json other = record_of(outside, interrupted)["grade"];
  EXPECT_EQ(grade["value"], "contaminated") << grade;
  EXPECT_THAT(reasons(grade),
              Contains(AnyOf(HasSubstr("pool " + pool.name() + " was changing its number of PGs"),
                             HasSubstr("the PGs of pool " + pool.name() + " became"))));
  // That load stopped while its pool split.
  EXPECT_THAT(reasons(other), Each(AnyOf(HasSubstr("other clients"), StartsWith("this client "))));
}

TEST_F(Faults, AQuotaThatIsReachedIsNoted) {
  TestPool pool("quota-reached");
  Process process(recorded(pool.name(), light));
  const json grade = record_while(process, [&] {
    must({"osd", "pool", "set-quota", pool.name(), "max_objects", "1"});
    EXPECT_TRUE(wait_for_answer({"health", "detail"}, "POOL_FULL"));
  })["grade"];
  EXPECT_EQ(names_in(pool.name()), "");
  EXPECT_TRUE(is_clean(grade));
  EXPECT_THAT(reasons(grade), Contains(MatchesRegex("POOL_FULL.*[0-9] s")));
}

}  // namespace
}  // namespace radosload::test
