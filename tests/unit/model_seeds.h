// The clusters in memory that a model is tried on: one for each seed, until one fails.
// RADOSLOAD_MODEL_SEED=N repeats one, RADOSLOAD_MODEL_CLUSTERS=N tries more.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace radosload::footprint::testing {

template <typename TryOne>
void for_each_model_seed(std::uint64_t clusters, TryOne&& try_one) {
  const char* const one = std::getenv("RADOSLOAD_MODEL_SEED");
  const char* const many = std::getenv("RADOSLOAD_MODEL_CLUSTERS");
  const std::uint64_t begin = one != nullptr ? std::strtoull(one, nullptr, 10) : 1;
  const std::uint64_t count = one != nullptr    ? 1
                              : many != nullptr ? std::strtoull(many, nullptr, 10)
                                                : clusters;
  for (std::uint64_t seed = begin; seed < begin + count && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("RADOSLOAD_MODEL_SEED=" + std::to_string(seed));
    try_one(seed);
  }
  ::testing::Test::RecordProperty("clusters", std::to_string(count));
}

}  // namespace radosload::footprint::testing
