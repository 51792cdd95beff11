// Runs and clean-ups whose terminal closes, or to whom several signals come: they end in order, and
// leave nothing that is not said.

#include <csignal>
#include <ostream>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/runs.h"
#include "support/stdout_commands.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using testing::HasSubstr;

class DeadTerminalOnACluster : public Runs {
 protected:
  Launch on(Sink terminal, std::vector<std::string> words) const {
    Launch given = launch(std::move(words));
    given.err = terminal;
    return given;
  }
  // What removes the objects of a run that has ended.
  std::vector<std::string> cleanup_of(const std::string& size) const {
    const Finished kept =
        run("ssd", "randread4k,object-size=16k,size=" + size, {"--keep", "--format", "json"});
    EXPECT_EQ(kept.status, 0) << kept.err;
    EXPECT_NE(names_in("ssd"), "");
    return {"cleanup", "--yes", "--pool",
            "ssd",     "--run", nlohmann::json::parse(kept.out)["run_id"].get<std::string>()};
  }
};

using Words = std::vector<std::string>;

// A phase, what the terminal shows of it, and what makes it outlast the test, or lets it end.
struct Phase {
  const char* name;
  const char* progress;
  std::string pattern;
  Words endless;
  Words brief;
  std::string
      record;  // the status in the record of a run that gets SIGHUP then; empty: it has none
};

void PrintTo(const Phase& phase, std::ostream* out) {
  *out << phase.name;
}

class DeadTerminalInAPhase : public DeadTerminalOnACluster,
                             public testing::WithParamInterface<Phase> {
 protected:
  Finished closed(Sink terminal, const Words& more) const {
    const Phase& phase = GetParam();
    Process process(on(terminal, words("ssd", phase.pattern, more)));
    EXPECT_TRUE(process.wait_for_output(phase.progress));
    process.hang_up();
    return process.wait();
  }
  std::string last_status() const {
    const Finished shown = test::run(launch({"report", "last", "--format", "json"}));
    return shown.status == 0 ? nlohmann::json::parse(shown.out)["status"].get<std::string>() : "";
  }
};

TEST_P(DeadTerminalInAPhase, WithSighupTheRunEndsLikeCtrlC) {
  const Finished done = closed(Sink::own_terminal, GetParam().endless);
  EXPECT_EQ(done.status, interrupted);
  EXPECT_EQ(last_status(), GetParam().record);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_P(DeadTerminalInAPhase, WithoutSighupTheRunReachesItsEnd) {
  const Finished done = closed(Sink::terminal, GetParam().brief);
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.out, HasSubstr("IOPS"));
  EXPECT_EQ(last_status(), "complete");
  EXPECT_EQ(names_in("ssd"), "");
}

INSTANTIATE_TEST_SUITE_P(
    Each, DeadTerminalInAPhase,
    testing::Values(Phase{"prefill",
                          "prefill ",
                          "randrw4k,size=24M",
                          {"--prefill-rate", "100k"},
                          {"--prefill-rate", "8M"},
                          ""},
                    Phase{"warm_up",
                          "warm-up ",
                          "randrw4k,size=8M",
                          {"--warmup", "10m"},
                          // Time: the warm-up lasts until the terminal has closed.
                          {"--warmup", "4"},
                          "interrupted"},
                    Phase{"measure",
                          "measure ",
                          "randrw4k,size=8M",
                          until_ended(),
                          // Time: the run lasts until the terminal has closed.
                          {"--time", "4"},
                          "interrupted"},
                    Phase{"image",
                          "measure ",
                          "randrw4k,size=8M",
                          until_ended({"--create", "16M"}),
                          // Time: the run lasts until the terminal has closed.
                          {"--create", "16M", "--time", "4"},
                          "interrupted"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST_F(DeadTerminalOnACluster, UnwritableStderr_CleanupSucceeds) {
  for (const Sink nobody : {Sink::nobody, Sink::full, Sink::closed}) {
    EXPECT_EQ(test::run(on(nobody, cleanup_of("4M"))).status, 0);
  }
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(DeadTerminalOnACluster, TerminalCloses_NextCleanupRemovesTheRest) {
  const auto cleanup = cleanup_of("64M");  // for so long that it can be interrupted
  Process process(on(Sink::own_terminal, cleanup));
  ASSERT_TRUE(process.wait_for_output("cleanup: "));
  process.hang_up();
  const int status = process.wait().status;
  EXPECT_TRUE(status == interrupted || status == 0) << status;
  EXPECT_EQ(radosload_here(cleanup).status, 0);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(DeadTerminalOnACluster, SecondSignal_SkipsTheCleanUpAndTheResultIsShown) {
  // So many names that looking for them all takes long.
  Process process(launch(words("ssd", "randwrite4k,object-size=4k,size=128M", until_ended())));
  ASSERT_TRUE(await_second(process, 2));
  process.signal(SIGINT);
  ASSERT_TRUE(process.wait_for_output("clean up: "));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.out, HasSubstr("IOPS")) << "the result is shown all the same";
  EXPECT_THAT(done.err, HasSubstr("stopped the cleanup"));
  expect_cleanup_finds_the_rest("ssd", done);
}

TEST_F(DeadTerminalOnACluster, FullStdout_IsReportedByClusterCommands) {
  for (const auto& command : commands_of_a_cluster()) {
    Launch given = launch(command);
    given.out = Sink::full;
    const Finished done = test::run(std::move(given));
    EXPECT_EQ(done.status, flawed) << testing::PrintToString(command) << done.err;
    EXPECT_THAT(done.err, HasSubstr("cannot write the result to stdout"))
        << testing::PrintToString(command);
    EXPECT_THAT(done.err, HasSubstr("ENOSPC")) << testing::PrintToString(command);
  }
  EXPECT_EQ(names_in("ssd"), "");
}

}  // namespace
}  // namespace radosload::test
