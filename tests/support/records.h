// What every record of a run that went well says.
#pragma once

#include <cstdint>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace radosload::test {

// Something was measured, nothing failed, and the seconds add up to the whole.
inline void expect_sound(const nlohmann::json& record) {
  ASSERT_TRUE(record.contains("totals"));
  const nlohmann::json& all = record["totals"]["all"];
  EXPECT_GT(all["ops"].get<std::uint64_t>(), 0U);
  EXPECT_TRUE(all["errors"].empty()) << all["errors"];
  std::uint64_t timeline = 0;
  for (const auto& second : record["timeline"]) timeline += second["ops"].get<std::uint64_t>();
  EXPECT_EQ(timeline, all["ops"].get<std::uint64_t>());
}

}  // namespace radosload::test
