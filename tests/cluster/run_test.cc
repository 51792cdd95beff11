// Runs on a real cluster, from the command line to the record: every kind of pool, conservation,
// what is left behind, and what happens when a run is not allowed to end.

#include <csignal>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/live_rows.h"
#include "cluster/runs.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/records.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ClusterRun : public testing::Test {
 protected:
  Finished run(std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "--no-progress"});
    return radosload_here(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }
  // A short run with little to write first; its record.
  json record_of(const std::string& pool, const std::string& pattern,
                 std::vector<std::string> more = {}, const char* warmup = "1s") {
    std::vector<std::string> words = {"--pool",   pool,   "--pattern", pattern,
                                      "--warmup", warmup, "--format",  "json"};
    more = with_length(std::move(more));
    words.insert(words.end(), more.begin(), more.end());
    const Finished done = run(words);
    EXPECT_EQ(done.status, 0) << done.err << done.out;
    return done.status == 0 ? json::parse(done.out) : json::object();
  }
  static std::string names_in(const std::string& pool) { return radosload_ls(pool); }
  static std::string radosload_ls(const std::string& pool) {
    return test::run({.words = {"rados", "--conf", cluster_conf(), "-p", pool, "--namespace",
                                "radosload", "ls"},
                      .env = {{"CEPH_ARGS", ""}}})
        .out;
  }

  TemporaryFolder m_state;
};

class OnEveryPool : public ClusterRun, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Pools, OnEveryPool,
                         testing::Values("ssd", "hdd", "hdd1", "ec-k2m1", "ec-k2m2"));

TEST_P(OnEveryPool, MeasuresVerifiesAndLeavesNothingBehind) {
  const json record = record_of(GetParam(), "randrw4k,size=32M,qd=16");
  expect_sound(record);
  EXPECT_EQ(record["environment"]["pool"]["name"], GetParam());
  EXPECT_EQ(record["totals"]["read"]["bytes"].get<std::uint64_t>(),
            record["totals"]["read"]["ops"].get<std::uint64_t>() * 4096);
  EXPECT_EQ(names_in(GetParam()), "");
}

TEST_F(ClusterRun, LimitsItsThreadsUnlessCephArgsSetThem) {
  const auto client_of = [](const Finished& done) {
    EXPECT_EQ(done.status, 0) << done.err;
    return done.status == 0 ? json::parse(done.out)["environment"]["client"] : json();
  };
  const std::vector<std::string> words = {
      "run",      "--pool", "ssd",    "--pattern", "stat,objects=50", "--ops", "10",
      "--warmup", "0",      "--save", "none",      "--format",        "json",  "--no-progress"};
  const json modest = client_of(radosload_here(words));
  EXPECT_EQ(modest["scheduling"], "batch");
  EXPECT_LE(std::stoi(modest["settings"]["ms_async_op_threads"].get<std::string>()),
            std::max(1, modest["usable_cpus"].get<int>() / 2));
  const json told = client_of(radosload_here(words, {{"CEPH_ARGS", "--ms_async_op_threads=5"}}));
  EXPECT_EQ(told["settings"]["ms_async_op_threads"], "5");
}

TEST_F(ClusterRun, EveryObjectPatternRuns) {
  for (const char* pattern :
       {"randread4k,size=16M", "randwrite4k,size=16M", "write4k,size=16M", "read1m,size=16M",
        "rw1m,size=16M", "etcd-wal", "radosbench-write,size=64M", "radosbench-rand,size=64M",
        "omap-set,size=1M", "omap-get,size=1M", "stat,objects=200", "create,objects=20000",
        "delete,objects=5000", "list,objects=500", "onode-read,size=8M",
        "randread4k,size=16M,dist=zipf,cache=bypass"}) {
    SCOPED_TRACE(pattern);
    expect_sound(record_of("ssd", pattern, {"--ops", "50"}, "100ms"));
  }
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(ClusterRun, AnOpenLoopAndSeveralClientsRunToo) {
  // Time: it times the rate is how many operations are due; a slow machine may not send them all.
  const json record = record_of("ssd", "randread4k,size=16M",
                                {"--rate", "200,poisson", "--clients", "2", "--time", "3s"});
  expect_sound(record);
  EXPECT_NEAR(
      record["totals"]["all"]["ops"].get<double>() + record["counts"]["unissued"].get<double>(),
      600, 150);
}

TEST_F(ClusterRun, KeptObjectsAreUsedAgainAndCleanedUp) {
  const json first = record_of("ssd", "randread4k,size=16M", {"--keep"});
  EXPECT_THAT(names_in("ssd"), HasSubstr(first["run_id"].get<std::string>()));
  expect_sound(record_of("ssd", "randread4k,size=16M", {"--reuse", "last"}));
  EXPECT_EQ(clean_up_kept("ssd").status, 0);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(ClusterRun, HoleInTheObjects_IsAnErrorAndNotAFastRead) {
  const json first = record_of("ssd", "randread4k,size=4M", {"--keep"});
  const std::string object =
      "radosload." + first["run_id"].get<std::string>() + ".0000000000000000";
  const Finished punched =
      test::run({.words = {"rados", "--conf", cluster_conf(), "-p", "ssd", "--namespace",
                           "radosload", "truncate", object, "0"},
                 .env = {{"CEPH_ARGS", ""}}});
  ASSERT_EQ(punched.status, 0) << punched.err;
  const Finished done =
      run(few_operations({"--pool", "ssd", "--pattern", "randread4k,size=4M", "--warmup", "0",
                          "--reuse", "last", "--format", "json"}));
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_GT(json::parse(done.out)["totals"]["read"]["errors"].value("SHORT_READ", 0), 0);
  EXPECT_EQ(clean_up_kept("ssd").status, 0);
}

TEST_F(ClusterRun, CtrlCReportsWhatWasMeasuredAndLeavesNothing) {
  Process process({.words = until_ended({radosload_path(), "run", "--pool", "ssd", "--pattern",
                                         "randrw4k,size=32M", "--warmup", "0"}),
                   .env = {{"CEPH_CONF", cluster_conf()},
                           {"CEPH_ARGS", ""},
                           {"XDG_STATE_HOME", m_state.path().string()}}});
  ASSERT_TRUE(await_second(process, 2));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.out, HasSubstr("IOPS"));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(ClusterRun, AMissingPoolIsNamedWithThoseThatExist) {
  const Finished done = run({"--pool", "no-such-pool", "--pattern", "randrw4k"});
  EXPECT_EQ(done.status, no_cluster);
  EXPECT_THAT(done.err, HasSubstr("no-such-pool"));
  EXPECT_THAT(done.err, HasSubstr("ssd"));
}

TEST_F(ClusterRun, OmapOnAnErasureCodedPoolIsRefusedBeforeAnythingIsWritten) {
  const Finished done = run({"--pool", "ec-k2m1", "--pattern", "omap-set"});
  EXPECT_NE(done.status, 0);
  EXPECT_THAT(done.err, HasSubstr("omap"));
  EXPECT_EQ(names_in("ec-k2m1"), "");
}

TEST_F(ClusterRun, MoreThanFitsIsRefusedBeforeAnythingIsWritten) {
  const Finished done = run({"--pool", "hdd", "--pattern", "randrw4k,size=10T"});
  EXPECT_EQ(done.status, 4) << done.err;
  EXPECT_EQ(names_in("hdd"), "");
}

TEST_F(ClusterRun, ADryRunShowsThePlanAndTheSpaceAndWritesNothing) {
  const Finished done = run({"--pool", "ec-k2m1", "--pattern", "randrw4k,size=64M", "--dry-run"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("64 MiB in 16 objects of 4 MiB"));
  EXPECT_THAT(done.out, HasSubstr("96 MiB on the OSDs of pool ec-k2m1"));
  EXPECT_THAT(done.out, HasSubstr("osd.0"));
  EXPECT_EQ(names_in("ec-k2m1"), "");
  EXPECT_THAT(run({"list"}).out, Not(HasSubstr("randrw4k"))) << "nothing was measured";
}

TEST_F(ClusterRun, DryRunOfARefusedRun_ShowsTheReasonAndHasTheSameStatus) {
  const Finished done = run({"--pool", "hdd", "--pattern", "randrw4k,size=10T", "--dry-run"});
  EXPECT_EQ(done.status, 4) << done.err;
  EXPECT_THAT(done.out, HasSubstr("osd.0"));
  EXPECT_THAT(done.err, HasSubstr("cannot fill pool hdd"));
}

TEST_F(ClusterRun, ADryRunNamesTheRunWhoseObjectsItWouldReuse) {
  const Finished kept = run(few_operations({"--pool", "ssd", "--pattern", "randread4k,size=16M",
                                            "--warmup", "0", "--keep", "--format", "json"}));
  ASSERT_EQ(kept.status, 0) << kept.err;
  const json planned = json::parse(run({"--pool", "ssd", "--pattern", "randread4k,size=16M",
                                        "--reuse", "last", "--dry-run", "--format", "json"})
                                       .out);
  EXPECT_EQ(planned["reused"], json::parse(kept.out)["run_id"]);
  EXPECT_EQ(planned["first_operations"].size(), 10U);
  EXPECT_EQ(clean_up_kept("ssd").status, 0);
}

TEST_F(ClusterRun, NoVerify_ReadsAreUncheckedAndTheRecordHasIt) {
  const json record = record_of("ssd", "randread4k,size=4M", {"--no-verify"});
  expect_sound(record);
  EXPECT_EQ(record["plan"]["verify"], "off");
}

TEST_F(ClusterRun, CachesAreDroppedBeforeTheMeasurement) {
  const json record = record_of("ssd", "randread4k,size=16M", {"--cache", "drop"});
  expect_sound(record);
  EXPECT_EQ(record["plan"]["cache"], "drop");
}

TEST_F(ClusterRun, WithoutTheRightToDropCaches_IsRefused) {
  const CephUser user("no-tell", {"mon", "allow r", "mgr", "allow r", "osd", "allow rwx pool=ssd"});
  const Finished done = run({"--pool", "ssd", "--pattern", "randread4k,size=4M", "--cache", "drop",
                             "--id", user.id(), "--keyring", user.keyring()});
  EXPECT_EQ(done.status, no_cluster) << done.out;
  EXPECT_THAT(done.err, HasSubstr("cache drop"));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(ClusterRun, StuckOperations_AreReportedWithTheirOsd) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be paused";
  Process process({.words = until_ended({radosload_path(), "run", "--pool", "ssd", "--pattern",
                                         "randread4k,size=16M,object-size=64k", "--warmup", "0",
                                         "--drain", "1s"}),
                   .env = {{"CEPH_CONF", cluster_conf()},
                           {"CEPH_ARGS", ""},
                           {"XDG_STATE_HOME", m_state.path().string()}}});
  ASSERT_TRUE(await_second(process, 2));
  ASSERT_EQ(lab({"osd", "pause", "0"}).status, 0);
  const auto said = process.wait_for_output("osd.0: ");
  EXPECT_EQ(lab({"osd", "resume", "0"}).status, 0);
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_TRUE(said) << done.err;
  EXPECT_THAT(done.err,
              testing::ContainsRegex(R"(osd\.0: [0-9]+ operations? for up to [0-9]+ s \(PG)"));
  EXPECT_EQ(names_in("ssd"), "");
}

}  // namespace
}  // namespace radosload::test
