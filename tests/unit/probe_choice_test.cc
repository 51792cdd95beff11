#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "probe/choice.h"

namespace radosload::probe {
namespace {

using ::testing::ElementsAre;

TEST(ProbeChoice, EachOsd_HasTheFirstNumbersThatItLeads) {
  const auto found =
      choose_objects({1, 2}, 3, [](std::uint64_t n) { return static_cast<std::int32_t>(n % 4); });
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found.at(1), ElementsAre(1, 5, 9));
  EXPECT_THAT(found.at(2), ElementsAre(2, 6, 10));
}

TEST(ProbeChoice, OsdThatLeadsOnePgOfManyThousand_StillHasSome) {
  const auto found =
      choose_objects({5}, 32, [](std::uint64_t n) { return n % 65536 == 65535 ? 5 : 0; });
  EXPECT_EQ(found.at(5).size(), 16U) << "fewer than wanted, and the search ends";
}

TEST(ProbeChoice, MorePgs_LeaveNumbersThatStillFit) {
  const auto before =
      choose_objects({0, 1}, 4, [](std::uint64_t n) { return static_cast<std::int32_t>(n % 2); });
  const auto after =
      choose_objects({0, 1}, 4, [](std::uint64_t n) { return static_cast<std::int32_t>(n % 2); });
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace radosload::probe
