// What the ceph tool answers on the cluster under test, as JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/cluster.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

// Fails the test that runs, and returns null, when the command fails.
inline nlohmann::json ceph_json(std::vector<std::string> words) {
  words.insert(words.end(), {"--format", "json"});
  const Finished done = ceph(std::move(words));
  EXPECT_EQ(done.status, 0) << done.err;
  return done.status == 0 ? nlohmann::json::parse(done.out) : nlohmann::json();
}

}  // namespace radosload::test
