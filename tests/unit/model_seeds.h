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

// So many steps on each cluster, then its end; some process must have been killed.
template <typename Model>
void run_models(std::uint64_t clusters, int steps) {
  std::uint64_t commands = 0;
  int kills = 0;
  for_each_model_seed(clusters, [&](std::uint64_t seed) {
    Model model(seed);
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) model.step();
    model.finish();
    commands += model.commands();
    kills += model.kills();
  });
  EXPECT_GT(kills, 0);
  ::testing::Test::RecordProperty("commands", std::to_string(commands));
}

}  // namespace radosload::footprint::testing
