// `radosload help` and --help, and the man pages and completion that the build makes of them.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"
#include "support/places.h"
#include "support/process.h"

namespace radosload::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

const std::string pages = in_build("pages");

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The commands that --help lists: those that have a help of their own.
std::set<std::string> commands() {
  std::set<std::string> names;
  for (const std::string& line : lines_of(radosload({"--help"}).out)) {
    if (!line.starts_with("  ") || line.size() < 3 || line[2] == ' ' || line[2] == '-') continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    if (name != "radosload") names.insert(name);
  }
  return names;
}

std::set<std::string> options(const std::string& command) {
  const std::string help = radosload({command, "--help"}).out;
  const std::regex option("\n  (    |-[a-zA-Z], )(--[a-z-]+)");
  std::set<std::string> names;
  for (std::sregex_iterator i(help.begin(), help.end(), option), end; i != end; ++i) {
    names.insert((*i)[2]);
  }
  return names;
}

// Columns that a terminal needs for it, in UTF-8.
std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void expect_80_columns(const std::string& text, const std::string& of) {
  EXPECT_GT(text.size(), 100U) << of;
  for (const std::string& line : lines_of(text))
    EXPECT_LE(columns_of(line), 80U) << of << ": " << line;
}

// The words that a Tab at the end of the line offers.
std::vector<std::string> completed(const std::string& line, const std::string& before = ":") {
  const std::string script = "source '" + pages + "/radosload.bash'; " +
                             (before.empty() ? ":" : before) +
                             "; COMP_LINE=$1 COMP_POINT=${#1}; _radosload 2>/dev/null; "
                             "printf '%s\\n' \"${COMPREPLY[@]}\"";
  const TemporaryFolder empty;  // in which no file has a name that fits
  const Finished done = run({.words = {"bash", "-c", script, "bash", line},
                             .env = {{"XDG_STATE_HOME", nowhere("state")}},
                             .directory = empty.path().string()});
  EXPECT_EQ(done.status, 0) << done.err;
  auto offered = lines_of(done.out);
  if (offered == std::vector<std::string>{""}) offered.clear();
  return offered;
}

TEST(HelpCli, TopicsAndCommandsAreListedAndExplained) {
  const Finished listed = radosload({"help"});
  EXPECT_EQ(listed.status, 0);
  for (const char* const name : {"patterns", "config", "exit", "run", "cleanup"}) {
    EXPECT_THAT(listed.out, HasSubstr(std::string("  ") + name));
  }
  EXPECT_THAT(radosload({"help", "patterns"}).out, HasSubstr("zipf"));
  EXPECT_THAT(radosload({"help", "config"}).out, HasSubstr("[cluster]"));
  EXPECT_EQ(radosload({"help", "cleanup"}).out, radosload({"cleanup", "--help"}).out);
}

TEST(HelpCli, AnUnknownTopicIsAUsageErrorThatNamesTheNearest) {
  const Finished done = radosload({"help", "patern"});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.err, HasSubstr("did you mean 'patterns'?"));
}

TEST(HelpCli, TheProgramsOwnHelpIsShortAndHasExamples) {
  const Finished done = radosload({"--help"});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.out, HasSubstr("Examples:"));
  EXPECT_LE(lines_of(done.out).size(), 45U);
}

TEST(HelpCli, EveryCommandAndTopic_FitsIn80Columns) {
  std::set<std::string> names = commands();
  ASSERT_GE(names.size(), 12U);
  for (const std::string& line : lines_of(radosload({"help"}).out)) {
    const bool entry = line.starts_with("  ") && line.size() > 2 && line[2] != ' ';
    if (entry) names.insert(line.substr(2, line.find(' ', 2) - 2));
  }
  ASSERT_THAT(names, IsSupersetOf({"run", "pinning", "trace-format", "exit"}));
  expect_80_columns(radosload({"--help"}).out, "--help");
  expect_80_columns(radosload({"help"}).out, "help");
  expect_80_columns(radosload({"patterns"}).out, "patterns");
  expect_80_columns(radosload({"patterns", "etcd-wal"}).out, "patterns etcd-wal");
  for (const std::string& name : names) expect_80_columns(radosload({"help", name}).out, name);
}

TEST(HelpCli, EveryCommand_HasItsOwnExamplesAndNoTextOfTheParser) {
  std::set<std::string> examples;
  for (const std::string& name : commands()) {
    const std::string help = radosload({name, "--help"}).out;
    const std::size_t begin = help.find("\nExamples:\n");
    ASSERT_NE(begin, std::string::npos) << name;
    EXPECT_TRUE(examples.insert(help.substr(begin)).second) << name << " has those of another";
    const std::string of_it = name == "run" ? "radosload --pool" : "radosload " + name;
    EXPECT_THAT(help.substr(begin), HasSubstr(of_it));
    for (const char* const raw : {":{", " TEXT", " INT", " UINT", " FLOAT", ":TEXT", ":INT",
                                  ":UINT", ":FLOAT", "Excludes", "OPTIONS"}) {
      EXPECT_THAT(help, testing::Not(HasSubstr(raw))) << name;
    }
  }
}

TEST(HelpCli, Replicas_ListsOnlyOptionsThatItAccepts) {
  const std::string help = radosload({"replicas", "--help"}).out;
  for (const char* const refused :
       {"--target", "--sim", "--threads", "suite", "list of values", "may be a list"}) {
    EXPECT_THAT(help, testing::Not(HasSubstr(refused)));
  }
  EXPECT_THAT(help, HasSubstr("[randwrite4k,"));
}

TEST(HelpCli, OfARun_ChoosesTheLoadBeforeTheOutput) {
  const std::string help = radosload({"run", "--help"}).out;
  const std::size_t output = help.find("\nOutput:");
  ASSERT_NE(output, std::string::npos);
  for (const char* const title : {"Choice of OSDs:", "Many clients as one load:", "Safety:"}) {
    EXPECT_LT(help.find(title), output) << title;
  }
  EXPECT_GT(help.find("--slowest N"), output);
  EXPECT_THAT(help, HasSubstr("[none]"));
}

TEST(HelpCli, ReportAndCompare_NameStudies) {
  EXPECT_THAT(radosload({"report", "--help"}).out, HasSubstr("a run, series, study or timing"));
  EXPECT_THAT(radosload({"compare", "--help"}).out, HasSubstr("or one study"));
}

TEST(HelpCli, EveryVariableThatIsRead_IsInItsTopic) {
  const std::string help = radosload({"help", "environment"}).out;
  for (const char* const name : {"CEPH_CONF", "CEPH_ARGS", "RADOSLOAD_CONFIG", "XDG_STATE_HOME",
                                 "XDG_RUNTIME_DIR", "TMPDIR", "NO_COLOR", "TERM"}) {
    EXPECT_THAT(help, HasSubstr(std::string("  ") + name));
  }
  const std::string files = radosload({"help", "files"}).out;
  for (const char* const folder : {"/runs", "/series", "/studies", "/times", "/schema"}) {
    EXPECT_THAT(files, HasSubstr(folder));
  }
}

TEST(HelpCli, Default_FollowsTheTextOfItsOption) {
  const std::string help = radosload({"run", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("[1m]"));
  EXPECT_THAT(radosload({"status", "--help"}).out, HasSubstr("--format text|json"));
}

TEST(HelpCli, TheVersion_NamesTheCommitAndLibrados) {
  const Finished done = radosload({"--version"});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.out, testing::MatchesRegex(
                            "radosload [0-9.]+ [(]commit ([0-9a-f]+|unknown), librados .+[)]\n"));
}

TEST(PagesCli, ManPagesAndCompletionHaveWhatHelpHas) {
  const std::set<std::string> names = commands();
  ASSERT_THAT(names, IsSupersetOf({"run", "patterns", "status", "help"}));
  EXPECT_THAT(completed("radosload "), testing::UnorderedElementsAreArray(names));
  for (const std::string& name : names) {
    const std::string page = read_file(pages + "/radosload-" + name + ".1");
    const auto offered = completed("radosload " + name + " --");
    const std::set<std::string> known = options(name);
    EXPECT_FALSE(known.empty()) << name;
    for (const std::string& option : known) {
      EXPECT_THAT(page,
                  HasSubstr("\\fB" + std::regex_replace(option, std::regex("-"), "\\-") + "\\fR"));
      EXPECT_THAT(offered, testing::Contains(option)) << name;
    }
  }
}

TEST(PagesCli, PagesAreFreeOfWarnings) {
  for (const auto& entry : std::filesystem::directory_iterator(pages)) {
    if (!std::regex_match(entry.path().extension().string(), std::regex("[.][157]"))) continue;
    const Finished done = run(
        {.words = {"man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", entry.path().string()},
         .env = {{"MANWIDTH", "80"}, {"MANROFFSEQ", ""}}});
    EXPECT_EQ(done.status, 0) << entry.path();
    EXPECT_EQ(done.err, "") << entry.path();
  }
}

TEST(PagesCli, CompletionOffersValuesAndKeys) {
  EXPECT_THAT(completed("radosload sta"), ElementsAre("status"));
  EXPECT_THAT(completed("radosload --patt"), ElementsAre("--pattern"));
  EXPECT_THAT(completed("radosload --pattern randwrite"),
              ElementsAre("randwrite4k", "randwrite4k-qd1"));
  EXPECT_THAT(completed("radosload --pattern randrw4k,ob"),
              ElementsAre("randrw4k,object-size=", "randrw4k,objects="));
  EXPECT_THAT(completed("radosload run --format js"), ElementsAre("json"));
  EXPECT_THAT(completed("radosload run --format=fio"), ElementsAre("fio-json"))
      << "readline keeps what stands before the =";
  EXPECT_THAT(completed("radosload run --dist z"), ElementsAre("zipf"));
  EXPECT_THAT(completed("radosload status --format "), ElementsAre("text", "json"));
  EXPECT_THAT(completed("radosload patterns etcd"), ElementsAre("etcd-wal"));
  EXPECT_THAT(completed("radosload help conf"), ElementsAre("config"));
  EXPECT_THAT(completed("radosload run --pool "), testing::IsEmpty());
}

TEST(PagesCli, CompletionOffersSavedRunsAndFiles) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "radosload" / "runs");
  write_file(folder.path() / "radosload/runs/20260102-030405-abcd.json", "{}");
  const std::string here = "export XDG_STATE_HOME=" + folder.path().string();
  EXPECT_THAT(completed("radosload compare 2026", here), ElementsAre("20260102-030405-abcd"));
  EXPECT_THAT(completed("radosload compare la", here), ElementsAre("last"));
  const std::string file = folder.with("ceph.conf", "");
  const std::string cut = file.substr(0, file.size() - 3);
  EXPECT_THAT(completed("radosload status --conf " + cut), ElementsAre(file));
}

}  // namespace
}  // namespace radosload::test
