// `radosload mark`: events that a user puts into live runs.

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"
#include "support/process.h"
#include "support/wait_for.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class MarkCli : public ::testing::Test {
 protected:
  Finished run(std::vector<std::string> words) {
    return radosload(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }
  // In real time, until it is interrupted.
  Launch long_run() const {
    return {
        .words = {radosload_path(), "--target", "sim", "--sim", "latency=const:1ms", "--threads",
                  "1", "--pattern", "randread4k", "--time", "60", "--warmup", "0", "--json"},
        .env = {{"XDG_STATE_HOME", m_state.path().string()}}};
  }

  TemporaryFolder m_state;
};

TEST_F(MarkCli, ALiveRunGetsTheEventWithItsTime_AndItIsShown) {
  Process process(long_run());
  ASSERT_TRUE(process.wait_for_output("    2 "));
  const Finished marked = run({"mark", "restart", "osd.3", "--json"});
  ASSERT_EQ(marked.status, 0) << marked.err;
  const json answer = json::parse(marked.out);
  ASSERT_EQ(answer["runs"].size(), 1U);
  EXPECT_EQ(answer["text"], "restart osd.3");
  ASSERT_TRUE(process.wait_for_output("mark: restart osd.3"));
  // Of its last moments.
  const std::string id = answer["runs"][0];
  ASSERT_EQ(run({"mark", "--run", id.substr(0, 18), "the end"}).status, 0);
  process.signal(SIGINT);
  const Finished done = process.wait();
  const json record = json::parse(done.out);
  std::vector<std::string> texts;
  for (const json& event : record["events"]) {
    if (event["kind"] != "mark") continue;
    texts.push_back(event["text"]);
    EXPECT_GT(event["t_s"].get<double>(), 1.5);
    EXPECT_LE(event["t_s"].get<double>(), record["last_answer_s"].get<double>());
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"restart osd.3", "the end"}));
  EXPECT_THAT(run({"report", "last"}).out, HasSubstr("restart osd.3"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(m_state.path())) {
    EXPECT_NE(entry.path().extension(), ".marks") << "it goes with the run";
  }
}

TEST_F(MarkCli, WithoutALiveRun_IsAnError) {
  const Finished done = run({"mark", "anything"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.err, HasSubstr("no run of this user is being measured on this machine"));
  EXPECT_EQ(run({"mark", "--run", "2026", "anything"}).status, 1);
  EXPECT_EQ(run({"mark", "a\nb"}).status, 2);
  EXPECT_EQ(run({"mark"}).status, 2);
}

}  // namespace
}  // namespace radosload::test
