// Studies for tests of the program: of two simulated targets, as documents that have not begun, in
// a store of their own.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

class StudyCli : public ::testing::Test {
 protected:
  std::map<std::string, std::string> env() const {
    return {{"XDG_STATE_HOME", m_state.path().string()}};
  }
  Finished run(std::vector<std::string> words) const { return radosload(std::move(words), env()); }
  Finished resume(const std::string& file, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"study", "--resume", file, "--no-progress"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  // A study that has not begun, of two simulated targets, as it is in the store.
  nlohmann::json study(const std::string& slow = "latency=exp:2ms", unsigned rounds = 6) const {
    const auto arm = [](const std::string& name, const std::string& sim) {
      return nlohmann::json{{"name", name}, {"options", {"--sim", sim}}};
    };
    nlohmann::json document = {
        {"schema", "radosload.study/1"},
        {"study_id", "y20261125-050000000-abcd"},
        {"started", "2026-11-25T05:00:00Z"},
        {"program", "radosload test"},
        {"plan",
         {{"name", "sims"},
          {"question", "is slow slower than fast?"},
          {"arms", {arm("fast", "latency=exp:1ms"), arm("slow", slow)}},
          {"works", {{{"name", "reads"}, {"what", "pattern"}, {"words", {"randread4k,qd=4"}}}}},
          {"options", {"--target", "sim", "--ops", "500", "--warmup", "0"}},
          {"rounds", rounds},
          {"order", "abba"},
          {"seed", 7},
          {"rate", nullptr},
          {"capacity_share", 0},
          {"phases", nlohmann::json::array()},
          {"probe", nullptr},
          {"require_clean", false},
          {"primary", "IOPS"},
          {"threshold", 0.05},
          {"level", 0.95}}},
        {"units",
         {{{"arm", "fast"}, {"units", {"target sim"}}},
          {{"arm", "slow"}, {"units", {"target sim"}}}}},
        {"capacity_iops", 0},
        {"remarks", nlohmann::json::array()},
        {"phases", nlohmann::json::array()},
        {"cells", nlohmann::json::array()},
        {"tries", nlohmann::json::array()},
        {"open", nullptr}};
    for (unsigned round = 1; round <= rounds; ++round) {
      for (const char* const name : {"fast", "slow"}) {
        document["cells"].push_back({{"phase", nullptr},
                                     {"round", round},
                                     {"arm", name},
                                     {"unit", "target sim"},
                                     {"work", 0},
                                     {"at_s", 0}});
      }
    }
    return document;
  }
  std::string saved(const nlohmann::json& document, const std::string& name = "study") const {
    const auto path = m_state.path() / (name + ".json");
    std::ofstream(path) << document;
    return path.string();
  }
  std::filesystem::path lines_of(const std::string& file) const {
    return std::filesystem::path(file).replace_extension(".jsonl");
  }
  // The cells of the one arm that is left, once in each phase.
  nlohmann::json with_phases(const std::string& command) const {
    nlohmann::json document = study();
    document["plan"]["arms"].erase(1);
    document["units"].erase(1);
    document["plan"]["phases"] = {{{"name", "before"}, {"command", nullptr}},
                                  {{"name", "after"}, {"command", nlohmann::json()}}};
    if (!command.empty()) document["plan"]["phases"][1]["command"] = command;
    std::size_t i = 0;
    for (nlohmann::json& cell : document["cells"]) {
      cell["arm"] = "fast";
      cell["round"] = (i % 6) + 1;
      cell["phase"] = i++ < 6 ? "before" : "after";
    }
    return document;
  }

  TemporaryFolder m_state;
};

inline const nlohmann::json* verdict_in(const nlohmann::json& document, const std::string& metric) {
  for (const nlohmann::json& one : document["verdicts"]) {
    if (one["metric"] == metric && one["scope"] == "these-osds") return &one;
  }
  return nullptr;
}

// As a person writes it: two simulated targets.
inline std::string study_file(unsigned rounds,
                              const std::string& primary = "primary: reads IOPS\n") {
  return "question: is slow slower than fast?\n"
         "arms:\n"
         "  fast: --target sim --sim latency=exp:1ms\n"
         "  slow: --target sim --sim latency=exp:2ms\n"
         "patterns: {reads: \"randread4k,qd=4\"}\n"
         "options: {ops: 500, warmup: 0, time: 0}\n"
         "seed: 7\n" +
         primary + "rounds: " + std::to_string(rounds) + "\n";
}

}  // namespace radosload::test
