// The processes of the lab's OSDs, for tests that stop one at once.
#pragma once

#include <csignal>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/cluster.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

// Asked for before the run begins: the lab's own command takes a moment to start, on a busy machine
// longer than there is between the last second of a step and its end.
inline std::vector<pid_t> pids_of_osds(const std::vector<std::string>& osds) {
  const auto status = nlohmann::json::parse(lab({"status", "--json"}).out);
  std::vector<pid_t> pids;
  pids.reserve(osds.size());
  for (const std::string& osd : osds) {
    pids.push_back(status.at("daemons").at("osd." + osd).at("pid").get<pid_t>());
  }
  return pids;
}

// Processes that stand still, and continue however the test ends.
class Stopped {
 public:
  explicit Stopped(std::vector<pid_t> pids) : m_pids(std::move(pids)) {
    for (const pid_t pid : m_pids) EXPECT_EQ(::kill(pid, SIGSTOP), 0);
  }
  ~Stopped() {
    for (const pid_t pid : m_pids) EXPECT_EQ(::kill(pid, SIGCONT), 0);
  }
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;
  Stopped(Stopped&&) = delete;
  Stopped& operator=(Stopped&&) = delete;

 private:
  std::vector<pid_t> m_pids;
};

}  // namespace radosload::test
