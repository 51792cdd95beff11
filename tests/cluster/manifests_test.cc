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

CleanupReport clean(Ground& ground, const CleanupOptions& options = {}) {
  auto report = footprint::cleanup(ground.io(), options);
  if (!report) throw std::runtime_error(report.error().message());
  return *std::move(report);
}

TEST(Manifests, ThatAreNotWhatTheirNameSaysActNowhere) {
  Ground ground("ssd");
  Ground other("ssd", ground.nspace());
  const Manifest victim = other.manifest("victim", 4);
  const auto hold = other.ledger().create(victim);
  ASSERT_TRUE(hold) << hold.error().message();
  other.make_objects("victim", 4);
  for (const State state : {State::filling, State::deleting}) {
    Manifest forged = victim;
    forged.state = state;
    ground.make_object(footprint::manifest_object("forged"), encode(forged));
    const auto before = ground.names();
    // It may be in the index or not.
    const CleanupReport report = clean(ground, {.run = "forged"});
    ASSERT_THAT(report.runs, SizeIs(1));
    EXPECT_EQ(report.runs[0].fate, Fate::unreadable);
    EXPECT_THAT(report.runs[0].detail, HasSubstr("names run victim"));
    clean(ground, {.run = "", .scan = true});
    EXPECT_EQ(ground.names(), before);
  }
  const auto entry = ground.ledger().look_up("victim");
  ASSERT_TRUE(entry);
  EXPECT_EQ(*entry->manifest, victim) << "it was rewritten";
}

TEST(Manifests, AreReplacedOnlyAsTheyWereRead) {
  Ground ground("ssd");
  const Manifest manifest = ground.manifest("run-a", 1);
  auto ledger = ground.ledger();
  ground.leave_killed("run-a", 1, 0);
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
  const auto hold = RunLease::take(ground.io(), "run-a");
  ASSERT_TRUE(hold);
  EXPECT_TRUE(ledger.update(manifest, &version));
}

TEST(Manifests, OfABillionObjectsThatWereNeverMadeAsksForFewOfThem) {
  Ground ground("ssd");
  ground.leave_killed("run-a", 1'000'000'000, 3);
  const CleanupReport report = clean(ground);
  ASSERT_THAT(report.runs, SizeIs(1));
  EXPECT_EQ(report.runs[0].fate, Fate::removed) << report.runs[0].detail;
  EXPECT_LT(report.runs[0].count.missing, 20'000U);
  EXPECT_THAT(ground.names(), IsEmpty());
}

}  // namespace
}  // namespace radosload::test
