// A record, which of its keys have been held against what they must be, and the runs that do it.
#pragma once

#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

using nlohmann::json;

inline bool is_default(const json& value) {
  if (value.is_number()) return value.get<double>() == 0;
  return value.is_null() || value.empty() || value == json(false) || value == json("");
}

// The same name for the same key of every kind of operation, OSD, error and second.
inline std::string key_of(const std::string& path) {
  static const std::vector<std::pair<std::string, std::string>> names = {
      {"osd\\.[0-9]+", "OSD"},
      {"/(read|write|flush|sync|stat|all)(?=/|$)", "/KIND"},
      {"/(EIO|ETIMEDOUT)$", "/ERROR"},
      {"/(timeline|events|warnings|slowest)/[0-9]+", "/$1/N"},
  };
  std::string key = path;
  for (const auto& [pattern, name] : names) {
    key = std::regex_replace(key, std::regex(pattern), name);
  }
  return key;
}

// The record of one run, and what has been proven of it.
class Proof {
 public:
  Proof(json record, std::set<std::string>& proven)
      : m_record(std::move(record)), m_proven(proven) {}

  const json& at(const std::string& path) const { return m_record.at(json::json_pointer(path)); }
  void is(const std::string& path, const json& expected) {
    EXPECT_EQ(at(path), expected) << path;
    note(path);
  }
  void near(const std::string& path, double expected, double tolerance) {
    EXPECT_NEAR(at(path).get<double>(), expected, tolerance) << path;
    note(path);
  }
  void positive(const std::string& path) {
    EXPECT_GT(at(path).get<double>(), 0) << path;
    note(path);
  }
  void matches(const std::string& path, const std::string& pattern) {
    EXPECT_THAT(at(path).get<std::string>(), testing::ContainsRegex(pattern)) << path;
    note(path);
  }
  // All of one part is what has been proven of the other.
  void same(const std::string& path, const std::string& as) {
    EXPECT_EQ(at(path), at(as)) << path;
    note(path);
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    const json flat = m_record.flatten();
    for (const auto& [path, value] : flat.items()) all.push_back(path);
    return all;
  }

 private:
  void note(const std::string& path) {
    const json flat = at(path).flatten();
    for (const auto& [leaf, value] : flat.items()) {
      if (!is_default(value)) m_proven.insert(key_of(path + leaf));
    }
  }

  json m_record;
  std::set<std::string>& m_proven;
};

class RecordCli : public testing::Test {
 protected:
  Proof run(std::vector<std::string> words, int status = 0) {
    words.insert(words.begin(), {"run", "--no-progress", "--save", "none", "--format", "json"});
    const Finished done = radosload(words, env());
    EXPECT_EQ(done.status, status) << done.err;
    return keep(json::parse(done.out));
  }
  Proof sim(const std::string& sim, std::vector<std::string> words, int status = 0) {
    words.insert(words.begin(), {"--target", "sim", "--sim", sim});
    return run(std::move(words), status);
  }
  Proof keep(const json& record) {
    Proof proof(record, m_proven);
    for (const std::string& path : proof.keys()) m_keys.insert(key_of(path));
    // A short run may be too short for one of them.
    for (const char* const path : {"/client_cpu_s/user", "/client_cpu_s/sys"}) {
      if (proof.at(path) != 0.0) proof.positive(path);
    }
    return proof;
  }
  std::map<std::string, std::string> env() const {
    return {{"XDG_STATE_HOME", m_state.path().string()}};
  }
  void waits();
  void carries_and_drains();
  void asks_too_much();
  void is_late();
  void times_out();
  void loses();
  void loses_a_warm_up();
  void never_answers();
  void flushes();
  void verifies();
  void has_a_slow_osd();
  void lists_the_slowest();
  void pretends();
  void has_options();
  void counts_objects();
  void measures_power();
  void measures_a_drive();
  void settles();
  void never_settles();
  void is_killed();
  std::vector<std::string> unproven() const;

  TemporaryFolder m_state;
  std::set<std::string> m_keys;
  std::set<std::string> m_proven;
};

}  // namespace radosload::test
