// Which objects reads are probed with: those that the OSD leads.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/probe_objects.h"

namespace radosload::footprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ProbeObjects, AreLedByTheirOsd_AsManyForEachInTheOrderOfTheOsds) {
  const auto primary_of = [](std::uint64_t number) {
    return static_cast<std::int32_t>(number % 3);
  };
  EXPECT_THAT(numbers_led_by({2, 0}, 2, primary_of).value(), ElementsAre(2, 5, 0, 3));
}

TEST(ProbeObjects, OsdWithoutAPgInThePool_ErrorNamesIt) {
  const auto numbers = numbers_led_by({0, 7}, 2, [](std::uint64_t) { return 0; });
  ASSERT_FALSE(numbers);
  EXPECT_THAT(numbers.error().message(), HasSubstr("osd.7 leads no PG"));
  EXPECT_EQ(numbers.error().exit, Exit::no_cluster);
}

}  // namespace
}  // namespace radosload::footprint
