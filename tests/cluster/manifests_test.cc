// Manifests on a real cluster: forged ones, others' changes, and numbers nobody could go through.

#include <cerrno>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/cleanup.h"
#include "support/leftovers.h"

namespace radosload::test {
namespace {

using namespace footprint;
using namespace testing;  // matchers

CleanupReport clean(TestNamespace& test_namespace, const CleanupOptions& options = {}) {
  auto report = footprint::cleanup(test_namespace.io(), options);
  if (!report) throw std::runtime_error(report.error().message());
  return *std::move(report);
}

TEST(Manifests, ThatContradictTheirName_RemoveNothing) {
  TestNamespace test_namespace("ssd");
  TestNamespace other("ssd", test_namespace.nspace());
  const Manifest victim = other.manifest("victim", 4);
  const auto hold = other.ledger().create(victim);
  ASSERT_TRUE(hold) << hold.error().message();
  other.make_objects("victim", 4);
  for (const State state : {State::filling, State::deleting}) {
    Manifest forged = victim;
    forged.state = state;
    test_namespace.make_object(footprint::manifest_object("forged"), encode(forged));
    const auto before = test_namespace.names();
    // It may be in the index or not.
    const CleanupReport report = clean(test_namespace, {.run = "forged"});
    ASSERT_THAT(report.runs, SizeIs(1));
    EXPECT_EQ(report.runs[0].fate, Fate::unreadable);
    EXPECT_THAT(report.runs[0].detail, HasSubstr("names run victim"));
    clean(test_namespace, {.run = "", .scan = true});
    EXPECT_EQ(test_namespace.names(), before);
  }
  const auto entry = test_namespace.ledger().look_up("victim");
  ASSERT_TRUE(entry);
  EXPECT_EQ(*entry->manifest, victim) << "it was rewritten";
}

TEST(Manifests, ChangedSinceTheyWereRead_AreNotReplaced) {
  TestNamespace test_namespace("ssd");
  const Manifest manifest = test_namespace.manifest("run-a", 1);
  auto ledger = test_namespace.ledger();
  test_namespace.leave_killed("run-a", 1, 0);
  const auto read = ledger.look_up("run-a");
  ASSERT_TRUE(read);
  std::uint64_t version = read->version;
  ASSERT_TRUE(ledger.update(manifest, &version));
  EXPECT_NE(version, read->version);
  std::uint64_t old = read->version;
  const Status late = ledger.update(manifest, &old);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().errnum, ERANGE);
  // To watch it changes nothing.
  const auto hold = RunLease::acquire(test_namespace.io(), "run-a");
  ASSERT_TRUE(hold);
  EXPECT_TRUE(ledger.update(manifest, &version));
}

TEST(Manifests, OfABillionMissingObjects_CleanupAsksForFew) {
  TestNamespace test_namespace("ssd");
  test_namespace.leave_killed("run-a", 1'000'000'000, 3);
  const CleanupReport report = clean(test_namespace);
  ASSERT_THAT(report.runs, SizeIs(1));
  EXPECT_EQ(report.runs[0].fate, Fate::removed) << report.runs[0].detail;
  EXPECT_LT(report.runs[0].count.missing, 20'000U);
  EXPECT_THAT(test_namespace.names(), IsEmpty());
}

}  // namespace
}  // namespace radosload::test
