// A record that somebody has sent us, with names that try to be obeyed by a terminal.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/exit_status.h"
#include "support/files.h"
#include "support/hostile.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;

// As `hostile`, without what cannot be in JSON.
std::string hostile_utf8() {
  std::string name = hostile;
  std::erase(name, '\xff');
  return name;
}

class HostileRecord : public testing::Test {
 protected:
  Finished run(std::vector<std::string> words) {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }
  // The record of the store, made hostile.
  std::filesystem::path make() {
    EXPECT_EQ(run({"--target", "sim", "--pattern", "randread4k", "--time", "1"}).status, 0);
    std::filesystem::path found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(m_state.path())) {
      if (entry.path().extension() == ".json") found = entry.path();
    }
    json document = json::parse(read_file(found));
    for (const char* const name : {"pool", "namespace", "osd", "data-pool", "conf"}) {
      document["plan"][name] = hostile_utf8();
    }
    document["plan"]["target"] = "rados";
    document["program"] = hostile_utf8();
    document["warnings"] = {hostile_utf8()};
    write_file(found, document.dump());
    return found;
  }

  TemporaryFolder m_state;
};

TEST_F(HostileRecord, ControlCharacters_DoNotReachTheTerminal) {
  const std::string file = make().string();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list"}, {"report", file}, {"compare", file, file}}) {
    const Finished shown = run(words);
    EXPECT_EQ(shown.status, 0) << words.front() << "\n" << shown.err;
    EXPECT_TRUE(words.front() == "compare" ? harmless(shown.out) : shows_harmlessly(shown.out))
        << words.front();
    EXPECT_TRUE(harmless(shown.err)) << words.front();
  }
}

TEST_F(HostileRecord, Json_KeepsNamesAndEscapesControlCharacters) {
  const std::string file = make().string();
  const Finished shown = run({"report", file, "--format", "json"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_TRUE(shows_harmlessly(shown.out));
  EXPECT_EQ(json::parse(shown.out)["warnings"][0], hostile_utf8());
}

TEST_F(HostileRecord, UnknownPattern_IsRefusedAndItsNameIsEscaped) {
  const std::string file = make().string();
  json document = json::parse(read_file(file));
  document["plan"]["pattern"] = hostile_utf8();
  write_file(file, document.dump());
  const Finished refused = run({"report", file});
  EXPECT_EQ(refused.status, flawed);
  EXPECT_TRUE(shows_harmlessly(refused.err)) << refused.err;
}

TEST_F(HostileRecord, WordsOfTheCommandLine_AreEscapedInMessages) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"report", hostile},
                                                {"patterns", hostile},
                                                {hostile},
                                                {"--target", "sim", "--pattern", hostile}}) {
    const Finished refused = run(words);
    EXPECT_NE(refused.status, 0) << words.front();
    EXPECT_TRUE(shows_harmlessly(refused.err) || harmless(refused.err)) << words.front();
  }
}

}  // namespace
}  // namespace radosload::test
