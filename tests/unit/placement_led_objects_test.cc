#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "placement/led_objects.h"

namespace radosload::placement {
namespace {

using ::testing::ElementsAre;

TEST(LedObjects, EachOsd_HasTheFirstNumbersThatItLeads) {
  const auto found =
      objects_led_by({1, 2}, 3, [](std::uint64_t n) { return static_cast<std::int32_t>(n % 4); });
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found.at(1), ElementsAre(1, 5, 9));
  EXPECT_THAT(found.at(2), ElementsAre(2, 6, 10));
}

TEST(LedObjects, OsdThatLeadsOnePgOfManyThousand_StillHasSome) {
  const auto found =
      objects_led_by({5}, 32, [](std::uint64_t n) { return n % 65536 == 65535 ? 5 : 0; });
  EXPECT_EQ(found.at(5).size(), 16U) << "fewer than wanted, and the search ends";
}

TEST(LedObjects, MorePgs_LeaveNumbersThatStillFit) {
  const auto before =
      objects_led_by({0, 1}, 4, [](std::uint64_t n) { return static_cast<std::int32_t>(n % 2); });
  const auto after =
      objects_led_by({0, 1}, 4, [](std::uint64_t n) { return static_cast<std::int32_t>(n % 2); });
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace radosload::placement
