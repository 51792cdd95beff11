#include <gtest/gtest.h>

#include "stats/tail.h"

namespace radosload::stats {
namespace {

using std::chrono::milliseconds;

// 1000 operations of 1, 2, ... 1000 ms; those above 950 ms in group 1.
Tail tail() {
  Tail tail;
  for (int i = 1000; i > 0; --i) tail.add(i > 950 ? 1 : 0, milliseconds(i));
  tail.sort();
  return tail;
}

TEST(Tail, TheP99IsTheNearestRank) {
  EXPECT_EQ(tail().p99(), (TailTime{milliseconds(990)}));
}

TEST(Tail, WithoutAGroup_IsTheP99OfTheOthers) {
  EXPECT_EQ(tail().p99_without({false, true}, 950), (TailTime{milliseconds(941)}));
  EXPECT_EQ(tail().p99_without({false, false}, 1000), (TailTime{milliseconds(990)}));
}

TEST(Tail, TooFewOperationsHaveNone) {
  EXPECT_EQ(tail().p99_without({true, false}, 50), std::nullopt);
  Tail few;
  for (std::uint64_t i = 1; i < least_for_p99; ++i) few.add(0, milliseconds(1));
  few.sort();
  EXPECT_EQ(few.p99(), std::nullopt);
  few.add(0, milliseconds(1));
  EXPECT_EQ(few.p99(), (TailTime{milliseconds(1)}));
}

TEST(Tail, LostOperationAtTheP99_IsALowerBound) {
  Tail tail;
  for (int i = 0; i < 980; ++i) tail.add(0, milliseconds(1));
  for (int i = 0; i < 20; ++i) tail.add_lost(1, std::chrono::seconds(8));
  tail.sort();
  EXPECT_EQ(tail.p99(), (TailTime{.time = std::chrono::seconds(8), .beyond = true}));
  EXPECT_EQ(tail.p99_without({false, true}, 980), (TailTime{milliseconds(1)}));
}

}  // namespace
}  // namespace radosload::stats
