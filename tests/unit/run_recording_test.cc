// What of a run its journal keeps; and what becomes of the record when the disk fails it.
#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <sys/resource.h>
#include <thread>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "engine/sim_loop.h"
#include "prepare/engine_plan.h"
#include "record/journal.h"
#include "run/measure.h"
#include "run/recording.h"
#include "support/files.h"
#include "support/sim_run.h"
#include "support/wait_for.h"
#include "target/sim_target.h"

namespace radosload::run {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

class NoteList final : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string& text) override { lines.push_back(text); }
  std::vector<std::string> lines;
};

// Files cannot grow beyond so many bytes while it lives, as on a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    m_handler = ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = m_before;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &m_before);
    ::signal(SIGXFSZ, m_handler);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  FullDisk(FullDisk&&) = delete;
  FullDisk& operator=(FullDisk&&) = delete;

 private:
  rlimit m_before{};
  void (*m_handler)(int) = nullptr;
};

constexpr const char* recorded_run = "20261124-120000-abcd";

struct Recorded {
  RunResult result;
  std::vector<std::string> notes;
};

// A run of three seconds, with this output.
Recorded recorded_with(
    const OutputOptions& output, const std::function<void(Pass&)>& change = [](Pass&) {}) {
  NoteList notes;
  base::Interrupts interrupts;
  const RunPlan plan;
  Recording recording(plan, prepare::header_for(plan, "radosload test", recorded_run, {}), output,
                      notes);
  engine::SimLoop loop;
  target::SimTarget target(*target::parse_sim("latency=const:1ms"), 1, {&loop});
  Pass pass{.plan = test::plan_for("randread4k,qd=4", seconds(3)), .name = "measure"};
  change(pass);
  recording.follow(pass);
  const Stage stage{.control = &loop, .lanes = {&loop}};
  const auto end = run_pass(std::move(pass), target, stage, interrupts, notes);
  return {.result = recording.finish(end.value()), .notes = std::move(notes.lines)};
}

OutputOptions kept_in(const test::TemporaryFolder& folder) {
  return {.store = *record::Store::open(folder.path() / "runs"),
          .file = {},
          .program = "radosload test"};
}

// What was measured is in the result, wherever it could not be kept.
void expect_whole(const RunResult& result) {
  EXPECT_EQ(result.record.timeline.size(), 4U) << "three seconds and the drain";
  EXPECT_GT(result.record.measured_flow.completed, 1000U);
  EXPECT_EQ(result.record.status, record::RunStatus::complete);
}

TEST(RecordingOutput, StoreThatWorks_HasTheRecordAndNothingIsNoted) {
  const test::TemporaryFolder folder;
  const OutputOptions output = kept_in(folder);
  const Recorded run = recorded_with(output);
  EXPECT_EQ(run.result.exit, Exit::measured);
  EXPECT_EQ(run.result.saved_as, output.store->record_path(recorded_run).string());
  EXPECT_EQ(output.store->load(recorded_run).value().measured_flow,
            run.result.record.measured_flow);
  EXPECT_THAT(run.notes, IsEmpty());
}

// The prefill took so long until now.
record::RunRecord marked_in_prefill(const test::TemporaryFolder& folder, Time prefill) {
  const OutputOptions output = kept_in(folder);
  NoteList notes;
  const RunPlan plan;
  LiveFiles files(recorded_run, output, notes);
  const auto marked = record::send_mark(output.store->marks_path(recorded_run),
                                        {.at = std::chrono::steady_clock::now(), .text = "fan on"});
  if (!marked) throw std::runtime_error(marked.error().message());
  std::this_thread::sleep_for(prefill);
  Recording recording(plan, prepare::header_for(plan, "radosload test", recorded_run, {}), output,
                      notes, files, true);
  Pass pass{.plan = test::plan_for("randread4k,qd=4", seconds(3)), .name = "measure"};
  recording.follow(pass);
  // In real time, as marks are.
  const auto start = std::chrono::steady_clock::now();
  pass.on_event({.at = Time(0), .kind = "phase", .text = "measure"});
  const auto tick = [&] {
    record::Interval interval;
    interval.length = std::chrono::steady_clock::now() - start;
    pass.on_interval(interval);
    return recording.so_far().events.size() >= 3;
  };
  const auto read = test::wait_for("the mark to be read", tick);
  if (!read) throw std::runtime_error(read.message());
  return recording.so_far();
}

TEST(RecordingPrefill, MarkDuringThePrefill_IsBeforeTheMeasuredPhase) {
  const test::TemporaryFolder folder;
  const record::RunRecord run = marked_in_prefill(folder, std::chrono::milliseconds(3500));
  ASSERT_GE(run.events.size(), 3U);
  EXPECT_EQ(run.events[0].text, "prefill");
  EXPECT_LE(run.events[0].at, std::chrono::milliseconds(-3500));
  EXPECT_EQ(run.events[1].text, "fan on");
  EXPECT_GE(run.events[1].at, run.events[0].at);
  // Longer ago than a mark of a run without a prefill may be.
  EXPECT_LT(run.events[1].at, std::chrono::milliseconds(-3200));
  EXPECT_EQ(run.events[2].kind, "phase");
}

TEST(RecordingPrefill, OneThatFailsLeavesNoFiles) {
  const test::TemporaryFolder folder;
  const OutputOptions output = kept_in(folder);
  Deaf silence;
  {
    const LiveFiles files(recorded_run, output, silence);
    EXPECT_EQ(output.store->live_runs(), std::vector<std::string>{recorded_run});
  }
  EXPECT_TRUE(std::filesystem::is_empty(output.store->folder()));
}

TEST(RecordingOutput, NoPlaceAtAll_SavesNothingAndIsNotFlawed) {
  const Recorded run = recorded_with({});
  expect_whole(run.result);
  EXPECT_EQ(run.result.exit, Exit::measured);
  EXPECT_EQ(run.result.saved_as, "");
  EXPECT_THAT(run.notes, IsEmpty());
}

TEST(RecordingOutput, FolderOfTheStoreIsGone_RunsWithoutAJournalAndIsFlawed) {
  const test::TemporaryFolder folder;
  const OutputOptions output = kept_in(folder);
  std::filesystem::remove_all(output.store->folder());
  const Recorded run = recorded_with(output);
  expect_whole(run.result);
  EXPECT_EQ(run.result.exit, Exit::flawed);
  EXPECT_EQ(run.result.saved_as, "");
  EXPECT_THAT(run.notes, ElementsAre(HasSubstr("the run has no journal"),
                                     HasSubstr("the record is not saved")));
}

TEST(RecordingOutput, DiskOfTheStoreIsFull_IsReportedOnceForTheJournalAndOnceForTheRecord) {
  const test::TemporaryFolder folder;
  const OutputOptions output = kept_in(folder);
  const FullDisk full(64);
  const Recorded run = recorded_with(output);
  expect_whole(run.result);
  EXPECT_EQ(run.result.exit, Exit::flawed);
  EXPECT_EQ(run.result.saved_as, "");
  EXPECT_THAT(run.notes, ElementsAre(HasSubstr("a crash would lose its results"),
                                     HasSubstr("the record is not saved")));
  EXPECT_FALSE(std::filesystem::exists(output.store->record_path(recorded_run)))
      << "half a record is none";
}

TEST(RecordingOutput, DiskOfTheNamedFileIsFull_KeepsTheRecordInTheStore) {
  const test::TemporaryFolder folder;
  OutputOptions output = kept_in(folder);
  output.file = "/dev/full";
  const Recorded run = recorded_with(output);
  expect_whole(run.result);
  EXPECT_EQ(run.result.exit, Exit::flawed) << "it is not where it was to be";
  EXPECT_EQ(run.result.saved_as, output.store->record_path(recorded_run).string());
  EXPECT_TRUE(output.store->load(recorded_run));
  EXPECT_THAT(run.notes, ElementsAre(HasSubstr("the record is not saved to this file")));
}

TEST(RecordingOutput, FolderOfTheNamedFileIsMissing_AndNoStore_LeavesWhatIsShown) {
  const test::TemporaryFolder folder;
  OutputOptions output;
  output.file = folder.path() / "missing" / "record.json";
  const Recorded run = recorded_with(output);
  expect_whole(run.result);
  EXPECT_EQ(run.result.exit, Exit::flawed);
  EXPECT_EQ(run.result.saved_as, "");
  EXPECT_THAT(run.notes, ElementsAre(HasSubstr("the record is not saved to this file"),
                                     HasSubstr("this output is the only copy")));
}

TEST(RecordingOutput, NamedFile_HasTheRecordAndTheStoreHasNoJournalLeft) {
  const test::TemporaryFolder folder;
  OutputOptions output = kept_in(folder);
  output.file = folder.path() / "record.json";
  const Recorded run = recorded_with(output);
  EXPECT_EQ(run.result.exit, Exit::measured);
  EXPECT_EQ(run.result.saved_as, output.file->string());
  EXPECT_TRUE(record::load_record(*output.file));
  EXPECT_FALSE(std::filesystem::exists(output.store->journal_path(recorded_run)));
}

// An alarm after one second.
void trouble(Pass& pass) {
  pass.health = [](Time now, Time) {
    observe::HealthWatch::Finding finding;
    if (now >= seconds(1)) finding.alarm = "1 full osd(s)";
    return finding;
  };
}

TEST(RecordingEnd, AlarmThatEndsTheRun_IsAFlawAndAWarningWithItsReason) {
  const Recorded run = recorded_with({}, trouble);
  EXPECT_EQ(run.result.exit, Exit::flawed);
  EXPECT_EQ(run.result.record.status, record::RunStatus::interrupted);
  EXPECT_THAT(run.result.record.warnings,
              ElementsAre("the run stopped: 1 full osd(s); with --push-through it continues"));
}

TEST(RecordingEnd, AlarmThatWasPushedThrough_IsAWarningAndNoFlaw) {
  const Recorded run = recorded_with({}, [](Pass& pass) {
    trouble(pass);
    pass.ends = end_conditions(true);
  });
  EXPECT_EQ(run.result.exit, Exit::measured);
  EXPECT_THAT(run.result.record.warnings, ElementsAre("1 full osd(s); the run continued"));
}

TEST(RecordingEnd, WarmUpThatUsesUpAllOperations_IsAFlawWithAdvice) {
  NoteList notes;
  const OutputOptions output;
  Recording recording(RunPlan{}, {}, output, notes);
  PassEnd end;
  end.end.ended_by = record::EndedBy::exhausted;
  end.unmeasured = {.submitted = 500, .completed = 500};
  const RunResult result = recording.finish(end);
  ASSERT_EQ(result.record.warnings.size(), 1U);
  EXPECT_THAT(result.record.warnings[0], HasSubstr("used up all 500 operations"));
  EXPECT_THAT(result.record.warnings[0], HasSubstr("--warmup 0"));
  EXPECT_EQ(result.exit, Exit::flawed) << "nothing was measured";
}

TEST(RecordingEnd, Signal_GivesTheStatusOfAnInterruptedRun) {
  NoteList notes;
  const OutputOptions output;
  Recording recording(RunPlan{}, {}, output, notes);
  PassEnd end;
  end.end.ended_by = record::EndedBy::sigterm;
  EXPECT_EQ(recording.finish(end).exit, Exit::interrupted);
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
