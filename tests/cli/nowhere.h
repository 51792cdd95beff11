// radosload where no config of a cluster can be found: what comes before any cluster is asked.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/process.h"

namespace radosload::test {

// The first word is the command.
inline Finished at_nowhere(std::vector<std::string> words) {
  words.insert(words.begin() + 1, {"--cluster", "nosuch"});
  return radosload(std::move(words));
}

// The environment of a program that keeps its runs in `state` and finds no config of a cluster.
inline std::map<std::string, std::string> env_without_cluster(const std::filesystem::path& state,
                                                              const std::string& ceph_args = "") {
  return {{"XDG_STATE_HOME", state.string()},
          {"CEPH_CONF", ""},
          {"CEPH_ARGS", ceph_args},
          {"CEPH_KEYRING", ""}};
}

}  // namespace radosload::test
