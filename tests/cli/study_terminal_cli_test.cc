// Studies whose terminal closes, in each of their phases: with SIGHUP they end as after Ctrl-C,
// without it they go on; and what was measured is kept, so that they can be continued.

#include <chrono>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cli/study_cli.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/process.h"
#include "support/wait_for.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Where a study is when its terminal closes.
struct StudyMoment {
  const char* name = "";
  const char* shown = "";       // what the terminal shows then; empty: it is in the journal
  const char* in_journal = "";  // a line of it
  std::string target = {};
  std::string warmup = {};
  std::string time = {};
  double share = 0;          // of the capacity, which is found first
  std::string command = {};  // of a phase
  double second_cell_s = 0;  // when a probe begins its second cell
  unsigned measured = 0;     // cells that are measured by then
};

void PrintTo(const StudyMoment& moment, std::ostream* out) {
  *out << moment.name;
}

class DeadTerminalOfAStudy : public StudyCli, public testing::WithParamInterface<StudyMoment> {
 protected:
  void SetUp() override {
    const StudyMoment& moment = GetParam();
    json document = moment.command.empty() ? study("", 1) : with_phases(moment.command);
    document["plan"]["options"] = {"--warmup", moment.warmup, "--time", moment.time};
    for (json& arm : document["plan"]["arms"]) arm["options"] = options_of(moment.target);
    document["plan"]["capacity_share"] = moment.share;
    if (!moment.command.empty()) document["cells"] = {document["cells"][0], document["cells"][6]};
    document["cells"][1]["at_s"] = moment.second_cell_s;
    m_file = saved(document);
  }
  // Its terminal closes at the moment; how it ended.
  Finished closed(Sink terminal) const {
    const StudyMoment& moment = GetParam();
    Process process({.words = {radosload_path(), "study", "--resume", m_file, "--yes"},
                     .env = env(),
                     .err = terminal});
    if (*moment.shown != '\0') {
      EXPECT_TRUE(process.wait_for_output(moment.shown));
    } else {
      EXPECT_TRUE(process.wait_for(std::string(moment.in_journal) + " in the journal",
                                   [&] { return contains(journal(), moment.in_journal); }));
    }
    process.hang_up();
    return process.wait();
  }
  std::string journal() const {
    const auto path = lines_of(m_file);
    return std::filesystem::exists(path) ? read_file(path) : "";
  }
  json kept() const {
    const Finished shown = run({"report", m_file, "--json"});
    EXPECT_EQ(shown.status, 0) << shown.err;
    return json::parse(shown.out, nullptr, false);
  }

  std::string m_file;

 private:
  static json options_of(const std::string& target) {
    if (target == "null") return {"--target", "null"};
    return {"--target", "sim", "--sim", "threads=1,latency=const:" + target};
  }
};

TEST_P(DeadTerminalOfAStudy, WithSighup_EndsItLikeCtrlCAndKeepsWhatWasMeasured) {
  const Finished done = closed(Sink::own_terminal);
  EXPECT_EQ(done.status, interrupted);
  EXPECT_THAT(done.out, HasSubstr("is slow slower than fast?"));
  const json document = kept();
  EXPECT_EQ(document["study_id"], "y20261125-050000000-abcd");
  EXPECT_EQ(document["cells"].size(), 2U);
  EXPECT_TRUE(document["open"].is_null()) << "the end of the cell is in the journal";
  EXPECT_EQ(document["tally"]["measured"], GetParam().measured);
  const Finished rest = resume(m_file, {"--yes", "--json"});
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(json::parse(rest.out)["tally"]["measured"], 2);
}

TEST_P(DeadTerminalOfAStudy, WithoutSighup_GoesOnToItsEnd) {
  const Finished done = closed(Sink::terminal);
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.out, HasSubstr("is slow slower than fast?"));
  const json document = kept();
  EXPECT_EQ(document["tally"]["measured"], 2);
  EXPECT_TRUE(document["open"].is_null());
}

INSTANTIATE_TEST_SUITE_P(
    Each, DeadTerminalOfAStudy,
    testing::Values(
        StudyMoment{.name = "capacity",
                    .shown = "capacity of fast",
                    .target = "5ms",
                    .warmup = "0",
                    .time = "3",
                    .share = 0.5},
        StudyMoment{
            .name = "warm_up", .shown = "warm-up ", .target = "5ms", .warmup = "3", .time = "1"},
        StudyMoment{
            .name = "measure", .shown = "measure ", .target = "5ms", .warmup = "0", .time = "3"},
        StudyMoment{.name = "measure_of_null",
                    .shown = "measure ",
                    .target = "null",
                    .warmup = "0",
                    .time = "3"},
        // What was measured counts although the drain is cut short.
        StudyMoment{.name = "drain",
                    .shown = "drain ",
                    .target = "3s",
                    .warmup = "0",
                    .time = "4",
                    .measured = 1},
        StudyMoment{.name = "command_of_a_phase",
                    .shown = "phase after: sleep 3",
                    .target = "5ms",
                    .warmup = "0",
                    .time = "1",
                    .command = "sleep 3",
                    .measured = 1},
        StudyMoment{.name = "between_the_cells_of_a_probe",
                    .shown = "",
                    .in_journal = "\"done\"",
                    .target = "5ms",
                    .warmup = "0",
                    .time = "1",
                    .second_cell_s = 6,
                    .measured = 1}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace radosload::test
