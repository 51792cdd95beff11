// Checks that hold for the record of every successful run.
#pragma once

#include <cstdint>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace radosload::test {

// Something was measured, nothing failed, and the seconds add up to the totals: the operations that
// finished in them, and those behind their latencies.
inline void expect_sound(const nlohmann::json& record) {
  ASSERT_TRUE(record.contains("totals"));
  const nlohmann::json& all = record["totals"]["all"];
  EXPECT_GT(all["ops"].get<std::uint64_t>(), 0U);
  EXPECT_TRUE(all["errors"].empty()) << all["errors"];
  std::uint64_t ended = 0;
  std::uint64_t timed = 0;
  for (const auto& second : record["timeline"]) {
    ended += second["ops"].get<std::uint64_t>();
    timed += second["timed_ops"].get<std::uint64_t>();
  }
  EXPECT_EQ(ended, all["finished"]["ops"].get<std::uint64_t>() +
                       all["drained"]["ops"].get<std::uint64_t>());
  EXPECT_EQ(timed, all["ops"].get<std::uint64_t>());
}

}  // namespace radosload::test
