// What a study that is continued takes from its document and what from the command line: commands
// of a file, and the connection to the cluster.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/study_cli.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/places.h"
#include "support/process.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class StudyRights : public StudyCli {
 protected:
  // What the file could run leaves this behind.
  std::string witness() const { return (m_state.path() / "witness").string(); }
  json with_commands(std::size_t count, const std::string& end = "") const {
    json document = with_phases("");
    json& phases = document["plan"]["phases"];
    for (std::size_t i = phases.size(); i < count; ++i) {
      phases.push_back({{"name", "more" + std::to_string(i)}, {"command", json()}});
    }
    for (std::size_t i = 0; i < phases.size(); ++i) {
      phases[i]["command"] = "touch " + witness() + " number " + std::to_string(i) + "." + end;
    }
    return document;
  }
};

TEST_F(StudyRights, AFileWithSeveralCommands_ShowsEachOfThemBeforeYesPermitsAll) {
  json document = with_phases("touch second");
  document["plan"]["phases"][0]["command"] =
      // NOLINTNEXTLINE(misc-misleading-bidirectional): it would hide what stands before it
      "touch " + witness() + "\n  harmless: all is well\x1b[2J\u202e";
  document["plan"]["works"] = {
      {{"name", "peering"},
       {"what", "timer"},
       {"words", {"peering", "--limit", "20s", "--restart-cmd=touch third {osd}"}}},
      {{"name", "again"},
       {"what", "timer"},
       {"words", {"peering", "--restart-cmd", "touch fourth {osd}"}}}};
  document["plan"]["arms"][0]["options"] = {"--pool", "hdd", "--osd", "0"};
  document["plan"]["options"] = json::array();
  const Finished done = resume(saved(document));
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, HasSubstr("the file has 4 commands, which a file cannot permit:\n"));
  EXPECT_THAT(done.err, HasSubstr("\n    phase before: touch " + witness() +
                                  "\\u000a  harmless: all is well\\u001b[2J\\u202e\n"));
  EXPECT_THAT(done.err, HasSubstr("\n    phase after: touch second\n"));
  EXPECT_THAT(done.err, HasSubstr("\n    restart of peering: touch third {osd}\n"));
  EXPECT_THAT(done.err, HasSubstr("\n    restart of again: touch fourth {osd}\n"));
  EXPECT_THAT(done.err, AllOf(HasSubstr("run all of them, add --yes"), Not(HasSubstr("\x1b"))));
  EXPECT_FALSE(std::filesystem::exists(witness()));
}

TEST_F(StudyRights, MoreCommandsThanFit_AreCounted) {
  const Finished fits = resume(saved(with_commands(20)));
  EXPECT_THAT(fits.err, AllOf(HasSubstr("number 19."), Not(HasSubstr("more\n"))));
  EXPECT_THAT(fits.err, Not(HasSubstr("in full")));
  const std::string file = saved(with_commands(25));
  const Finished done = resume(file);
  EXPECT_EQ(done.status, refused) << done.err;
  EXPECT_THAT(done.err, AllOf(HasSubstr("the file has 25 commands"), HasSubstr("number 19."),
                              Not(HasSubstr("number 20.")), HasSubstr("\n    and 5 more\n")));
  EXPECT_THAT(done.err, HasSubstr("'radosload report " + file + " --json' shows them in full"));
  EXPECT_THAT(run({"report", file, "--json"}).out, HasSubstr("number 24."));
  EXPECT_FALSE(std::filesystem::exists(witness()));
}

TEST_F(StudyRights, ALongCommand_IsCutAndSaysByHowMuch) {
  std::string end;
  for (int i = 0; i < 5000; ++i) end += "\u00e4";
  const Finished done = resume(saved(with_commands(2, end)));
  EXPECT_EQ(done.status, refused);
  EXPECT_THAT(done.err, AllOf(HasSubstr("number 1."), HasSubstr("bytes more\n"),
                              HasSubstr("shows them in full"), Not(HasSubstr("\\x"))));
  EXPECT_LT(done.err.size(), 2000U);
}

// They would be ignored: the study has its own.
TEST_F(StudyRights, AConnectionOnTheCommandLine_IsRefusedForASavedStudyAndTakenForAFile) {
  const std::string file = m_state.with("sims.yaml", study_file(3));
  ASSERT_EQ(run({"study", file, "--no-progress"}).status, 0);
  const std::string id = json::parse(run({"list", "--json"}).out)["entries"][0]["id"];
  const std::string path = (m_state.path() / "radosload" / "studies" / (id + ".json")).string();
  const std::vector<std::vector<std::string>> connections = {{"--conf", nowhere("mine.conf")},
                                                             {"-c", nowhere("mine.conf")},
                                                             {"--keyring", nowhere("keyring")},
                                                             {"--name", "client.me"},
                                                             {"--id", "me"},
                                                             {"--mon-host", "10.0.0.1"},
                                                             {"--cluster", "other"},
                                                             {"--connect-timeout", "9s"}};
  for (const auto& words : connections) {
    for (const std::string& name : {id, std::string("last")}) {
      const Finished done = resume(name, words);
      EXPECT_EQ(done.status, usage) << words[0] << done.err;
      const std::string option = words[0] == "-c" ? "--conf" : words[0];
      EXPECT_THAT(done.err, HasSubstr("but " + option + " is given"));
      EXPECT_THAT(done.err, HasSubstr("--resume " + path)) << "where it is taken";
    }
    EXPECT_EQ(resume(path, words).status, 0) << words[0];
  }
  EXPECT_EQ(resume(id, {"--conf", nowhere("mine.conf"), "--dry-run"}).status, usage);
  EXPECT_EQ(resume(id).status, 0);
}

TEST_F(StudyRights, AConnectionOfTheEnvironmentOrAConfigFile_IsNoWordBesideResume) {
  const std::string file = m_state.with("sims.yaml", study_file(3));
  ASSERT_EQ(run({"study", file, "--no-progress"}).status, 0);
  auto with_defaults = env();
  with_defaults["CEPH_CONF"] = nowhere("ceph.conf");
  with_defaults["CEPH_ARGS"] = "--id me";
  with_defaults["RADOSLOAD_CONFIG"] =
      m_state.with("radosload.conf", "[cluster]\nconf = " + nowhere("mine.conf") + "\nid = me\n");
  const Finished done = radosload({"study", "--resume", "last", "--no-progress"}, with_defaults);
  EXPECT_EQ(done.status, 0) << done.err;
}

}  // namespace
}  // namespace radosload::test
