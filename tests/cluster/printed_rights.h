// Users with exactly the rights that `radosload auth` prints.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/cluster.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

inline CephUser user_for(const std::string& id, const std::string& feature,
                         const std::string& pool = "") {
  std::vector<std::string> words = {"auth", feature, "--id", id, "--json"};
  if (!pool.empty()) words.insert(words.end(), {"--pool", pool});
  const Finished printed = radosload(words);
  EXPECT_EQ(printed.status, 0) << printed.err;
  const nlohmann::json rights = nlohmann::json::parse(printed.out)["features"][0];
  std::vector<std::string> caps = {"mon", rights["mon"], "mgr", rights["mgr"]};
  if (!rights["osd"].is_null()) caps.insert(caps.end(), {"osd", rights["osd"]});
  return {id, caps};
}

inline std::vector<std::string> as_user(const CephUser& user, std::vector<std::string> words) {
  words.insert(words.end(), {"--id", user.id(), "--keyring", user.keyring()});
  return words;
}

}  // namespace radosload::test
