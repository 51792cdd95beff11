#include "footprint/cleanup.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/admin.h"
#include "footprint/owner.h"
#include "observe/space.h"
#include "support/cluster.h"
#include "support/leftovers.h"
#include "support/pool.h"
#include "support/wait_for.h"
#include "workload/layout.h"

namespace radosload::test {
namespace {

using namespace footprint;
using namespace testing;  // matchers

CleanupReport clean(TestNamespace& test_namespace, const CleanupOptions& options = {}) {
  auto report = footprint::cleanup(test_namespace.io(), options);
  if (!report) throw std::runtime_error(report.error().message());
  return *std::move(report);
}

std::string object(const std::string& run, std::uint64_t index) {
  std::string name(workload::object_name_size(run), ' ');
  workload::object_name(name, run, index);
  return name;
}

class CleanupOn : public testing::TestWithParam<const char*> {};

TEST_P(CleanupOn, KilledRunsAreFoundAndRemoved) {
  TestNamespace test_namespace(GetParam());
  test_namespace.leave_killed("run-a", 100, 100);
  test_namespace.leave_killed("run-b", 100, 3);
  test_namespace.leave_killed("run-c", 0, 0);
  const CleanupReport report = clean(test_namespace);
  ASSERT_THAT(report.runs, SizeIs(3));
  for (const auto& run : report.runs) EXPECT_EQ(run.fate, Fate::removed) << run.run << run.detail;
  EXPECT_EQ(report.removed(), 103U);
  EXPECT_EQ(report.runs[1].count.missing, 97U);
  EXPECT_TRUE(report.complete());
  EXPECT_THAT(test_namespace.names(), IsEmpty());
  EXPECT_THAT(clean(test_namespace).runs, IsEmpty());
}

std::string pool_of(const testing::TestParamInfo<const char*>& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Pools, CleanupOn, testing::Values("ssd", "hdd", "ec-k2m1"), pool_of);

TEST(Cleanup, WorksWithoutOverwrites) {
  const TestPool pool("cleanup-append", TestPool::Kind::erasure);
  TestNamespace test_namespace(pool.name());
  test_namespace.leave_killed("run-a", 10, 10);
  Manifest kept = test_namespace.manifest("run-b");
  kept.owner.host = "elsewhere";  // nobody here can see whether it is gone: only the watch tells
  {
    auto ledger = test_namespace.ledger();
    const auto hold = ledger.create(kept);
    ASSERT_TRUE(hold) << hold.error().message();
    kept.state = State::ready;
    ASSERT_TRUE(ledger.update(kept));
    const auto report = clean(test_namespace);
    ASSERT_THAT(report.runs, SizeIs(2));
    EXPECT_EQ(report.runs[0].fate, Fate::removed);
    EXPECT_EQ(report.runs[1].fate, Fate::held);
  }
  EXPECT_EQ(clean(test_namespace).runs[0].fate, Fate::removed);
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

TEST(Cleanup, ForeignObjects_AreNotTouched) {
  TestNamespace test_namespace("ssd");
  TestNamespace neighbour("ssd");
  test_namespace.leave_killed("run-a", 4, 4);
  neighbour.leave_killed("run-a", 4, 4);
  const std::vector<std::string> foreign = {"benchmark_data_host_1_object1",
                                            "radosload",
                                            "radosload.",
                                            "radosload.indexes",
                                            "radosload.notes",
                                            "radosload.run-a.0000",
                                            "radosload.run.a.0000000000000001",
                                            "radosload.run-a.000000000000000G",
                                            "xradosload.run-a.0000000000000001"};
  for (const std::string& name : foreign) test_namespace.make_object(name);
  const CleanupReport report = clean(test_namespace, {.run = "", .scan = true});
  EXPECT_EQ(report.removed(), 4U);
  EXPECT_EQ(report.foreign, foreign.size());
  EXPECT_EQ(report.scanned, foreign.size());
  std::vector<std::string> left = test_namespace.names();
  EXPECT_THAT(left, testing::UnorderedElementsAreArray(foreign));
  EXPECT_THAT(neighbour.names(), SizeIs(6)) << "another namespace";
}

TEST(Cleanup, Scan_FindsObjectsWithoutAManifest) {
  TestNamespace test_namespace("ssd");
  test_namespace.make_objects("lost-run", 20);
  test_namespace.leave_killed("run-a", 2, 2);
  EXPECT_EQ(clean(test_namespace).removed(), 2U);
  EXPECT_THAT(test_namespace.names(), SizeIs(20)) << "only a scan finds them";
  const CleanupReport dry = clean(test_namespace, {.run = "", .scan = true, .dry_run = true});
  ASSERT_THAT(dry.runs, SizeIs(1));
  EXPECT_EQ(dry.runs[0].fate, Fate::would);
  EXPECT_EQ(dry.runs[0].objects, 20U);
  EXPECT_THAT(test_namespace.names(), SizeIs(20));
  const CleanupReport report = clean(test_namespace, {.run = "", .scan = true});
  EXPECT_EQ(report.removed(), 20U);
  EXPECT_TRUE(report.runs.at(0).by_scan);
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

TEST(Cleanup, ADryRunChangesNothing) {
  TestNamespace test_namespace("ssd");
  test_namespace.leave_killed("run-a", 5, 5);
  const auto before = test_namespace.names();
  const CleanupReport report = clean(test_namespace, {.run = "", .dry_run = true});
  ASSERT_THAT(report.runs, SizeIs(1));
  EXPECT_EQ(report.runs[0].fate, Fate::would);
  EXPECT_EQ(report.runs[0].objects, 5U);
  EXPECT_EQ(test_namespace.names(), before);
  const auto entry = test_namespace.ledger().look_up("run-a");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->manifest->state, State::filling);
}

TEST(Cleanup, RunOption_CleansOnlyThatRun) {
  TestNamespace test_namespace("ssd");
  test_namespace.leave_killed("run-a", 3, 3);
  test_namespace.leave_killed("run-b", 3, 3);
  const CleanupReport report = clean(test_namespace, {.run = "run-b"});
  ASSERT_THAT(report.runs, SizeIs(1));
  EXPECT_EQ(report.runs[0].run, "run-b");
  EXPECT_THAT(test_namespace.names(), Contains(object("run-a", 0)));
  EXPECT_THAT(test_namespace.names(), Not(Contains(object("run-b", 0))));
  EXPECT_THAT(clean(test_namespace, {.run = "run-x"}).runs, IsEmpty());
}

TEST(Cleanup, LiveRun_IsKeptAndNamed) {
  TestNamespace test_namespace("ssd");
  TestNamespace other("ssd", test_namespace.nspace());  // as another client
  auto ledger = other.ledger();
  auto hold = ledger.create(other.manifest("run-a", 4));
  ASSERT_TRUE(hold) << hold.error().message();
  other.make_objects("run-a", 4);
  const CleanupReport report = clean(test_namespace, {.run = "", .scan = true});
  ASSERT_THAT(report.runs, SizeIs(1));
  EXPECT_EQ(report.runs[0].fate, Fate::held);
  EXPECT_THAT(report.runs[0].detail, HasSubstr("pid " + std::to_string(::getpid())));
  EXPECT_EQ(report.removed(), 0U);
  EXPECT_THAT(test_namespace.names(), SizeIs(6));
  const Finished told =
      radosload_here({"cleanup", "--pool", "ssd", "--namespace", test_namespace.nspace(), "--yes"});
  EXPECT_THAT(told.out, HasSubstr("run-a: left alone, "));
  EXPECT_THAT(told.out, HasSubstr("A live run removes its own objects when it ends."));
  EXPECT_THAT(told.out, HasSubstr("expires within 30 s; clean up again then."));
  const auto entry = test_namespace.ledger().look_up("run-a");
  EXPECT_EQ(entry->manifest->state, State::filling) << "it may still be reused";
  EXPECT_TRUE((*hold)->renew());

  CleanupOptions force;
  force.run = "run-a";
  force.force = true;
  EXPECT_EQ(clean(test_namespace, force).runs.at(0).fate, Fate::removed);
  EXPECT_THAT(test_namespace.names(), IsEmpty());
  const Status updated = ledger.update(other.manifest("run-a", 4));
  ASSERT_FALSE(updated) << "a removed manifest must not come back";
  EXPECT_EQ(updated.error().errnum, ENOENT);
}

// The process is killed with its objects half written; its watch is still there, its pid is not.
TEST(Cleanup, ProcessKilledOnThisMachine_IsCleanedUpAtOnce) {
  TestNamespace test_namespace("ssd");
  test_namespace.make_object("flag");
  Process child({.words = {"/proc/self/exe", "--gtest_also_run_disabled_tests",
                           "--gtest_filter=CleanupChild.DISABLED_LeavesARunAndWaits",
                           "--nspace=" + test_namespace.nspace()}});
  ASSERT_TRUE(child.wait_for("a run with all its objects", [&] {
    const auto names = test_namespace.names();
    return Seen(names.size() >= 8, PrintToString(names));
  }));
  ASSERT_THAT(test_namespace.names(), SizeIs(8));
  EXPECT_EQ(clean(test_namespace).runs.at(0).fate, Fate::held) << "it lives";
  child.signal(SIGKILL);
  child.wait();
  const CleanupReport report = clean(test_namespace);
  ASSERT_THAT(report.runs, SizeIs(1));
  EXPECT_EQ(report.runs[0].fate, Fate::removed) << report.runs[0].detail;
  EXPECT_THAT(test_namespace.names(), ElementsAre("flag"));
}

TEST(CleanupChild, DISABLED_LeavesARunAndWaits) {
  std::string nspace;
  for (const std::string& word : testing::internal::GetArgvs()) {
    if (word.starts_with("--nspace=")) nspace = word.substr(9);
  }
  ASSERT_FALSE(nspace.empty());
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  TestNamespace test_namespace("ssd", nspace);
  auto hold = test_namespace.ledger().create(test_namespace.manifest("killed-run", 5));
  ASSERT_TRUE(hold) << hold.error().message();
  test_namespace.make_objects("killed-run", 5);
  ::pause();  // until it is killed
}

TEST(Cleanup, IndexEntryWithoutAManifest_IsRemoved) {
  TestNamespace test_namespace("ssd");
  test_namespace.leave_killed("run-a", 2, 2);
  auto io = test_namespace.io();
  librados::ObjectWriteOperation removal;
  removal.remove();
  ASSERT_EQ(io.operate(footprint::manifest_object("run-a"), removal), 0);
  const auto entries = test_namespace.ledger().list();
  ASSERT_TRUE(entries);
  ASSERT_THAT(*entries, SizeIs(1));
  EXPECT_TRUE(entries->at(0).missing);
  EXPECT_EQ(clean(test_namespace).runs.at(0).fate, Fate::removed);
  EXPECT_THAT(test_namespace.names(), SizeIs(2)) << "the objects of such a run are for --scan";
  clean(test_namespace, {.run = "", .scan = true});
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

TEST(Cleanup, UnreadableManifest_IsKept) {
  TestNamespace test_namespace("ssd");
  test_namespace.leave_killed("run-a", 2, 2);
  test_namespace.make_object(footprint::manifest_object("run-a"));  // overwritten
  const CleanupReport report = clean(test_namespace, {.run = "", .scan = true});
  ASSERT_THAT(report.runs, SizeIs(1));
  EXPECT_EQ(report.runs[0].fate, Fate::unreadable);
  EXPECT_FALSE(report.complete());
  EXPECT_THAT(test_namespace.names(), SizeIs(4));
  const CleanupReport forced = clean(test_namespace, {.run = "run-a", .scan = true, .force = true});
  EXPECT_TRUE(forced.complete());
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

TEST(Cleanup, TwoAtOnce_LeaveNothingAndBothSucceed) {
  TestNamespace test_namespace("ssd");
  TestNamespace second("ssd", test_namespace.nspace());
  for (int i = 0; i < 4; ++i) test_namespace.leave_killed("run-" + std::to_string(i), 300, 300);
  CleanupReport one;
  CleanupReport two;
  {
    std::jthread first([&] { one = clean(test_namespace); });
    std::jthread other([&] { two = clean(second); });
  }
  EXPECT_TRUE(one.complete());
  EXPECT_TRUE(two.complete());
  EXPECT_EQ(one.removed() + two.removed(), 1200U);
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

TEST(Cleanup, RunsThatBeginDuringCleanupsAreNeverLost) {
  TestNamespace test_namespace("ssd");
  std::atomic<bool> stop{false};
  std::jthread cleaner([&] {
    TestNamespace other("ssd", test_namespace.nspace());
    while (!stop) clean(other);
  });
  auto ledger = test_namespace.ledger();
  for (int i = 0; i < 40; ++i) {
    const std::string run = "run-" + std::to_string(i);
    const auto hold = ledger.create(test_namespace.manifest(run, 1));
    // A cleanup may win against a run that has only just begun; then the run is told.
    if (!hold) continue;
    test_namespace.make_objects(run, 1);
    const auto entries = ledger.list();
    ASSERT_TRUE(entries);
    ASSERT_TRUE(std::any_of(entries->begin(), entries->end(), [&](const auto& entry) {
      return entry.run == run && entry.manifest;
    })) << "a live run that the index does not name";
  }
  stop = true;
  cleaner.join();
  clean(test_namespace);
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

TEST(Cleanup, WorksInAFullPool) {
  TestPool pool("cleanup-full");
  TestNamespace test_namespace(pool.name());
  test_namespace.leave_killed("run-a", 200, 200);
  pool.fill_to_quota();
  const CleanupReport report = clean(test_namespace);
  ASSERT_THAT(report.runs, SizeIs(1));
  EXPECT_EQ(report.runs[0].fate, Fate::removed) << report.runs[0].detail;
  EXPECT_EQ(report.removed(), 200U) << "a removal that waits for room times out";
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

TEST(Cleanup, ARunRemovesItsOwnObjectsWhileItHoldsThem) {
  TestNamespace test_namespace("ssd");
  const Manifest manifest = test_namespace.manifest("run-a", 10);
  ClusterSite site(test_namespace.io());
  const auto hold = site.create(manifest);
  ASSERT_TRUE(hold);
  test_namespace.make_objects("run-a", 10);
  const auto removed = footprint::remove_run(site, manifest, {});
  EXPECT_EQ(removed.fate, Fate::removed) << removed.detail;
  EXPECT_EQ(removed.count.removed, 10U);
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

TEST(Cleanup, Interrupted_KeepsTheManifestForTheNextCleanup) {
  TestNamespace test_namespace("ssd");
  test_namespace.leave_killed("run-a", 5000, 500);
  CleanupOptions options;
  options.interrupted = [asked = 0]() mutable { return ++asked > 2; };
  const CleanupReport report = clean(test_namespace, options);
  EXPECT_TRUE(report.interrupted);
  EXPECT_FALSE(report.complete());
  EXPECT_THAT(test_namespace.names(), Contains(footprint::manifest_object("run-a")));
  EXPECT_TRUE(clean(test_namespace).complete());
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

TEST(CleanupCommand, WithoutPermission_FailsAndKeepsTheObjects) {
  TestNamespace test_namespace("ssd");
  test_namespace.leave_killed("run-a", 10, 10);
  const CephUser reader("cleanup-reader", {"mon", "allow r", "osd", "allow r pool=ssd"});
  const Finished run =
      radosload_here({"cleanup", "--yes", "--pool", "ssd", "--namespace", test_namespace.nspace(),
                      "--id", reader.id(), "--keyring", reader.keyring()});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("NOT removed"));
  EXPECT_THAT(run.out, HasSubstr("EPERM"));
  EXPECT_THAT(test_namespace.names(), SizeIs(12));
  const CephUser nobody("cleanup-nobody", {"mon", "allow r"});
  const Finished refused =
      radosload_here({"cleanup", "--yes", "--pool", "ssd", "--namespace", test_namespace.nspace(),
                      "--id", nobody.id(), "--keyring", nobody.keyring()});
  EXPECT_EQ(refused.status, 3) << refused.out << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("osd caps"));
}

TEST(CleanupCommand, LeastRights_AreEnough) {
  TestNamespace test_namespace("ssd");
  const CephUser user("cleanup-least", {"mon", "allow r", "osd",
                                        "allow rw pool=ssd namespace=" + test_namespace.nspace()});
  ClusterOptions options = options_here();
  options.name = "client." + user.id();
  options.keyring = user.keyring();
  TestNamespace theirs("ssd", test_namespace.nspace(), options);
  theirs.leave_killed("run-a", 10, 10);
  const Finished run =
      radosload_here({"cleanup", "--yes", "--pool", "ssd", "--namespace", test_namespace.nspace(),
                      "--id", user.id(), "--keyring", user.keyring()});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("10 objects removed"));
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

TEST(SpaceOnACluster, IsSeenWithAndWithoutTheMgr) {
  auto admin = cluster::Admin::open(options_here());
  ASSERT_TRUE(admin);
  const auto view =
      observe::fetch_space(**admin, observe::fetch_status(**admin).value(), "ec-k2m1");
  ASSERT_TRUE(view) << view.error().message();
  EXPECT_THAT(view->unseen, IsEmpty());
  EXPECT_EQ(view->pgs.size(), view->pool.pg_num);
  EXPECT_FALSE(view->osds.empty());
  EXPECT_FALSE(view->allocation.empty());
  const CephUser user("space-least", {"mon", "allow r", "osd", "allow rw pool=ssd"});
  ClusterOptions options = options_here();
  options.name = "client." + user.id();
  options.keyring = user.keyring();
  auto limited = cluster::Admin::open(options);
  ASSERT_TRUE(limited);
  const auto partly =
      observe::fetch_space(**limited, observe::fetch_status(**limited).value(), "ec-k2m1");
  ASSERT_TRUE(partly) << partly.error().message();
  EXPECT_FALSE(partly->unseen.empty());
  EXPECT_TRUE(partly->pool.max_avail);
}

}  // namespace
}  // namespace radosload::test
