// Samples for the tests of arms: by values, one unit each, or a unit with several rounds.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stats/arms.h"

namespace radosload::stats::testing {

// One unit for each value; `name` before its number.
inline std::vector<Sample> one_each(const std::string& name, const std::vector<double>& values) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < values.size(); ++i) {
    samples.push_back({.unit = name + std::to_string(i), .round = "", .value = values[i]});
  }
  return samples;
}

inline Question question_of(const std::vector<double>& base, const std::vector<double>& other) {
  return {.metric = "p99", .base = one_each("a", base), .other = one_each("b", other)};
}

// The same units in both arms.
inline Question pairs_of(const std::vector<double>& base, const std::vector<double>& other) {
  return {.metric = "p99", .base = one_each("a", base), .other = one_each("a", other)};
}

inline Answer judged(const Question& question, const ArmRules& rules = {}) {
  return judge(std::vector{question}, rules).front();
}

}  // namespace radosload::stats::testing
