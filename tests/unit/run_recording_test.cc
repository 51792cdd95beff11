// What of a run its journal keeps.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "engine/sim_loop.h"
#include "prepare/engine_plan.h"
#include "record/journal.h"
#include "run/measure.h"
#include "run/recording.h"
#include "support/files.h"
#include "support/sim_run.h"
#include "target/sim_target.h"

namespace radosload::run {
namespace {

using std::chrono::seconds;

class Deaf final : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string& text) override { ADD_FAILURE() << text; }
};

// A run of three seconds on twenty OSDs of equal speed, from its plan to its journal.
record::JournalContents journal_of(const RunPlan& plan) {
  const test::TemporaryFolder folder;
  const OutputOptions output{
      .store = *record::Store::open(folder.path()), .file = {}, .program = "radosload test"};
  Deaf silence;
  base::Interrupts interrupts;
  const std::string run_id = "20261121-040012-9f3a";
  Recording recording(plan, prepare::header_for(plan, output.program, run_id, {}), output, silence);
  engine::SimLoop loop;
  target::SimTarget target(*target::parse_sim("latency=const:1ms,osds=20"), 1, {&loop});
  Pass pass{.plan = test::plan_for("randread4k,qd=64", seconds(3)), .name = "measure"};
  recording.follow(pass);
  const Stage stage{.control = &loop, .lanes = {&loop}};
  auto end = run_pass(std::move(pass), target, stage, interrupts, silence);
  if (!end) throw std::runtime_error(end.error().message());
  recording.finish(*end);
  return *record::read_journal(output.store->journal_path(run_id));
}

// How many OSDs each full second of the journal knows.
std::set<std::size_t> osds_in_seconds(const record::JournalContents& journal) {
  std::set<std::size_t> counts;
  for (const auto& line : journal.lines) {
    const auto* const interval = std::get_if<record::Interval>(&line);
    if (interval == nullptr || interval->length < seconds(1)) continue;
    std::set<std::int32_t> osds;
    for (const auto& cell : interval->osds) osds.insert(cell.osd);
    counts.insert(osds.size());
  }
  return counts;
}

TEST(Recording, OfPinnedOsdsEverySecondIsKept) {
  RunPlan plan;
  plan.pins.osds = "0-19";
  EXPECT_EQ(osds_in_seconds(journal_of(plan)), std::set<std::size_t>{20});
}

TEST(Recording, WithoutPinsTheWorstOsdsOfASecondAreKept) {
  EXPECT_EQ(osds_in_seconds(journal_of(RunPlan{})), std::set<std::size_t>{record::worst_osds});
}

}  // namespace
}  // namespace radosload::run
