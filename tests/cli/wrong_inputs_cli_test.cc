// Every wrong command line of wrong_inputs.txt: the real program must answer with the exit status
// and the message that stand there. The files that these lines name are in wrong_inputs_files.txt.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"
#include "support/places.h"
#include "support/process.h"

namespace radosload::test {
namespace {

namespace fs = std::filesystem;

struct WrongInput {
  std::string line;  // for a shell
  int status = 0;
  std::string message;
};

using Sections = std::map<std::string, std::vector<WrongInput>>;

std::string test_file(const std::string& name) {
  return read_file(in_source("tests/cli/" + name));
}

// "## TITLE" begins a section; "$ LINE", "= STATUS" and the message follow each other.
Sections read_sections() {
  Sections sections;
  std::string title;
  std::istringstream stream(test_file("wrong_inputs.txt"));
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("## ")) {
      title = line.substr(3);
    } else if (line.starts_with("$ ")) {
      sections[title].push_back({.line = line.substr(2), .message = {}});
    } else if (line.starts_with("= ")) {
      sections[title].back().status = std::stoi(line.substr(2));
    } else if (!line.empty() && !title.empty()) {
      sections[title].back().message += line + "\n";
    }
  }
  return sections;
}

std::vector<std::string> titles() {
  std::vector<std::string> all;
  for (const auto& [title, inputs] : read_sections()) all.push_back(title);
  return all;
}

// "== NAME", then the lines of the file.
void write_files(const fs::path& folder) {
  std::map<std::string, std::string> files;
  std::string name;
  std::istringstream stream(test_file("wrong_inputs_files.txt"));
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("== ")) {
      name = line.substr(3);
    } else if (!name.empty()) {
      files[name] += line + "\n";
    }
  }
  for (const auto& [path, text] : files) {
    fs::create_directories((folder / path).parent_path());
    write_file(folder / path, text);
  }
}

std::string with_tilde(std::string text, const std::string& home) {
  for (std::size_t at = text.find(home); at != std::string::npos; at = text.find(home, at)) {
    text.replace(at, home.size(), "~");
  }
  return text;
}

class WrongInputs : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { write_files(m_home.path()); }

  Finished enter(const std::string& line) {
    const std::string home = m_home.path().string();
    const std::string search =
        fs::path(radosload_path()).parent_path().string() + ":" + std::getenv("PATH");
    return run({.words = {"bash", "-c", line},
                .env = {{"PATH", search},
                        {"HOME", home},
                        {"XDG_STATE_HOME", home},
                        {"XDG_CONFIG_HOME", ""},
                        {"RADOSLOAD_CONFIG", "/dev/null"},
                        {"CEPH_CONF", ""},
                        {"CEPH_ARGS", ""},
                        {"CEPH_KEYRING", ""}},
                .directory = home});
  }

  TemporaryFolder m_home;
};

// The file with the messages that the program gives today; everything else in it stays.
std::string rewritten(const std::function<Finished(const std::string&)>& enter,
                      const std::string& home) {
  std::string text;
  bool skipping = false;
  std::istringstream stream(test_file("wrong_inputs.txt"));
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line.starts_with("#")) skipping = false;
    if (!skipping) text += line + "\n";
    if (!line.starts_with("$ ")) continue;
    const Finished done = enter(line.substr(2));
    text += "= " + std::to_string(done.status) + "\n" + with_tilde(done.err, home);
    skipping = true;
  }
  return text;
}

TEST_P(WrongInputs, EachGetsItsStatusAndMessage) {
  if (std::getenv("RADOSLOAD_UPDATE_GOLDEN") != nullptr) {
    const auto by_shell = [this](const std::string& line) { return enter(line); };
    write_file(in_source("tests/cli/wrong_inputs.txt"),
               rewritten(by_shell, m_home.path().string()));
  }
  const auto sections = read_sections();
  for (const WrongInput& input : sections.at(GetParam())) {
    const Finished done = enter(input.line);
    EXPECT_EQ(done.status, input.status) << input.line;
    EXPECT_EQ(with_tilde(done.err, m_home.path().string()), input.message) << input.line;
    EXPECT_EQ(done.out, "") << input.line;
  }
}

std::string name_of_section(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::erase(name, ' ');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Every, WrongInputs, testing::ValuesIn(titles()), name_of_section);

// What was tried or is wrong in the first line, what to do in the next; at most three lines.
TEST(WrongInputsFile, HasAtLeast80EntriesAndEachMessageSaysWhatToDo) {
  std::size_t count = 0;
  for (const auto& [title, inputs] : read_sections()) {
    for (const WrongInput& input : inputs) {
      ++count;
      const auto lines = std::count(input.message.begin(), input.message.end(), '\n');
      EXPECT_GE(lines, 2) << input.line;
      EXPECT_LE(lines, 3) << input.line;
      EXPECT_THAT(input.message, testing::StartsWith("radosload: ")) << input.line;
      EXPECT_THAT(input.message, testing::HasSubstr("\n  ")) << input.line;
      EXPECT_NE(input.status, 0) << input.line;
    }
  }
  EXPECT_GE(count, 80U);
}

}  // namespace
}  // namespace radosload::test
