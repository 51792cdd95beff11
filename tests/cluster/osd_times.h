// What the tests of `radosload time` share: a store of their own, and no flag noout that stays.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cluster/runs.h"
#include "support/ceph_json.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

inline bool noout_of(int osd) {
  const nlohmann::json info = ceph_json({"osd", "info", std::to_string(osd)});
  const nlohmann::json& state = info["state"];
  return std::find(state.begin(), state.end(), "noout") != state.end();
}

inline testing::AssertionResult await_noout_of(Process& process, int osd) {
  return process.wait_for("noout of osd." + std::to_string(osd), [osd] { return noout_of(osd); });
}

inline nlohmann::json notes() {
  return ceph_json({"config-key", "dump", "radosload/noout/"});
}

class OsdTimes : public Runs {
 protected:
  void TearDown() override {
    radosload_here({"cleanup", "--flags", "--force", "--yes"});
    ceph({"osd", "unset-group", "noout", "osd.0"});
    EXPECT_FALSE(noout_of(0));
    EXPECT_EQ(notes(), nlohmann::json::object());
  }
  // With a store of its own.
  Finished here(std::vector<std::string> words) const {
    return radosload_here(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }
  Finished time(std::vector<std::string> words) const {
    words.insert(words.begin(), "time");
    words.emplace_back("--no-progress");
    return here(std::move(words));
  }
  nlohmann::json time_json(std::vector<std::string> words) const {
    words.emplace_back("--json");
    const Finished done = time(std::move(words));
    EXPECT_EQ(done.status, 0) << done.err << done.out;
    return nlohmann::json::parse(done.out, nullptr, false);
  }
};

}  // namespace radosload::test
