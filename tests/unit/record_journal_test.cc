#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/file.h"
#include "record/journal.h"
#include "record/run_log.h"
#include "support/files.h"
#include "support/wait_for.h"
#include "unit/record_support.h"

namespace radosload::record {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using test::TemporaryFolder;
using testing::a_header;
using testing::folded;
using testing::footer_for;
using testing::interval_of;
using testing::runs;

Interval an_interval(Time start) {
  std::vector<Slot> finished(50);
  for (std::size_t i = 0; i < finished.size(); ++i) {
    finished[i].op.osd = static_cast<std::int32_t>(i % 20);
    finished[i].phase = Phase::measure;
    finished[i].completed = std::chrono::microseconds(100 + i);
  }
  return interval_of(finished, start);
}

RC_GTEST_PROP(Journal, FoldingTheFileIsFoldingTheRun, ()) {
  const std::vector<Interval> intervals = *runs();
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  auto journal = JournalWriter::create(path);
  RC_ASSERT(journal.has_value());
  RunLog log(a_header(), std::move(*journal), worst_osds);
  for (const Interval& interval : intervals) log.add(interval);
  log.add(Event{.at = std::chrono::milliseconds(1500), .kind = "stuck", .text = "osd.3: 2 ops"});
  log.finish(footer_for(intervals));
  RC_ASSERT(!log.take_error().has_value());

  const auto contents = read_journal(path);
  RC_ASSERT(contents.has_value());
  RC_ASSERT(!contents->torn);
  const auto record = fold_journal(*contents, path.string());
  RC_ASSERT(record.has_value());
  RC_ASSERT(*record == log.record());
  RC_ASSERT(*record == folded(intervals));
}

RC_GTEST_PROP(Journal, EveryLineReadsBack, ()) {
  const std::vector<Interval> intervals = *runs();
  RunFooter footer = footer_for(intervals);
  footer.counters = {{.osd = 3, .kind = "wal", .from = Time(1), .to = Time(7), .ours = 5},
                     {.osd = 5, .missing = "osd.5 was restarted"}};
  footer.counters[0].growth.times["kv_sync"] = {.count = 3, .seconds = 0.1};
  footer.counters[0].growth.counts["op"] = 6;
  std::vector<JournalLine> lines = {a_header(), Event{.at = Time(5), .kind = "a", .text = "\n\"é"},
                                    footer,
                                    Warmup{.length = Time(7), .settled = false, .trouble = "x"}};
  lines.insert(lines.end(), intervals.begin(), intervals.end());
  for (const JournalLine& line : lines) {
    const std::string text = encode_line(line);
    RC_ASSERT(text.find('\n') == text.size() - 1);
    const auto again = decode_line(text, "x");
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == line);
  }
}

TEST(Journal, LineWithoutItsContents_IsRefused) {
  for (const char* const kind : {"header", "interval", "event", "footer", "warmup"}) {
    EXPECT_FALSE(decode_line(std::string("{\"") + kind + "\": null}", "x")) << kind;
  }
}

// Twenty OSDs, of which a journal's second keeps sixteen: what is published must not suffer.
TEST(Journal, ReducedSecondsDoNotReduceTheRecord) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  const std::vector<Interval> intervals = {an_interval(seconds(0)), an_interval(seconds(1))};
  RunLog log(a_header(), std::move(*JournalWriter::create(path)), worst_osds);
  for (const Interval& interval : intervals) log.add(interval);
  log.finish(footer_for(intervals));
  const auto record = fold_journal(*read_journal(path), "x");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->osds, log.record().osds);
  EXPECT_EQ(record->osds.size(), 20U);
  EXPECT_FALSE(record->osds_partial);
  EXPECT_EQ(record->timeline[0].osds.size(), 16U);
}

TEST(Journal, WithoutAFooterTheRecordIsIncomplete) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  auto journal = JournalWriter::create(path);
  ASSERT_TRUE(journal);
  (*journal)->append(a_header());
  Interval reduced = an_interval(seconds(0));
  keep_worst(reduced, worst_osds);
  (*journal)->append(reduced);
  (*journal)->append(an_interval(seconds(1)));
  (*journal)->close();
  const auto record = fold_journal(*read_journal(path), "x");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->status, RunStatus::incomplete);
  EXPECT_EQ(record->measured, seconds(2));
  EXPECT_EQ(record->measured_flow.completed, 100U);
  EXPECT_TRUE(record->osds_partial);
  EXPECT_EQ(conservation_violation(*record), std::nullopt);
}

std::string three_lines() {
  return encode_line(a_header()) + encode_line(an_interval(seconds(0))) +
         encode_line(an_interval(seconds(1)));
}

RC_GTEST_PROP(Journal, ATornEndCostsOnlyTheTornLine, ()) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  const std::string text = three_lines();
  const auto size = *rc::gen::inRange<std::size_t>(0, text.size());
  std::ofstream(path) << text.substr(0, size);
  const auto contents = read_journal(path);
  RC_ASSERT(contents.has_value());
  const auto whole = static_cast<std::size_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
  RC_ASSERT(contents->lines.size() == whole);
  RC_ASSERT(contents->torn == (size > 0 && text[size - 1] != '\n'));
}

TEST(Journal, ZerosOfAPowerCutAreATornEnd) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  std::ofstream(path) << three_lines() << std::string(4096, '\0');
  const auto contents = read_journal(path);
  ASSERT_TRUE(contents);
  EXPECT_EQ(contents->lines.size(), 3U);
  EXPECT_TRUE(contents->torn);
}

// The record of a journal with these lines, of which a disk has lost some.
RunRecord folded_lines(const std::vector<std::string>& lines) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  std::ofstream file(path);
  for (const std::string& line : lines) file << line;
  file.close();
  const auto contents = read_journal(path);
  if (!contents) throw std::runtime_error(contents.error().message());
  const auto record = fold_journal(*contents, "x");
  if (!record) throw std::runtime_error(record.error().message());
  return *record;
}

TEST(Journal, HoleInTheMiddle_BothSidesAreKeptAndTheGapIsReported) {
  const std::vector<Interval> intervals = {an_interval(seconds(0)), an_interval(seconds(1)),
                                           an_interval(seconds(2)), an_interval(seconds(3))};
  const RunRecord record =
      folded_lines({encode_line(a_header()), encode_line(intervals[0]), "{\"interval\": 1}\n",
                    std::string(100, '\0') + "\n", encode_line(intervals[3]),
                    encode_line(footer_for(intervals))});
  EXPECT_EQ(record.status, RunStatus::complete);
  ASSERT_EQ(record.timeline.size(), 2U);
  EXPECT_EQ(record.timeline[1].start, seconds(3));
  EXPECT_EQ(total_of(record.kinds).ops(), 100U);
  ASSERT_EQ(record.warnings.size(), 2U) << "behind the run's own one";
  const std::string& said = record.warnings[1];
  EXPECT_NE(said.find("lines 3 to 4 of the journal"), std::string::npos) << said;
  EXPECT_NE(said.find("between 1 s and 3 s"), std::string::npos) << said;
  EXPECT_EQ(record.grade.value, GradeValue::contaminated);
  EXPECT_EQ(record.grade.reasons, std::vector<std::string>{said});
}

TEST(Journal, HoleWithoutAFooter_IsReportedInAnIncompleteRecord) {
  const RunRecord record =
      folded_lines({encode_line(a_header()), "gone\n", encode_line(an_interval(seconds(1))),
                    "gone\n", encode_line(Event{}), "torn"});
  EXPECT_EQ(record.status, RunStatus::incomplete);
  EXPECT_EQ(total_of(record.kinds).ops(), 50U);
  ASSERT_EQ(record.warnings.size(), 2U);
  EXPECT_NE(record.warnings[0].find("before 1 s"), std::string::npos) << record.warnings[0];
  EXPECT_NE(record.warnings[1].find("after 2 s"), std::string::npos) << record.warnings[1];
}

TEST(Journal, AHoleBetweenSecondsThatMeet_TakesNoSecondAway) {
  const RunRecord record =
      folded_lines({encode_line(a_header()), encode_line(an_interval(seconds(0))), "an event?\n",
                    encode_line(an_interval(seconds(1)))});
  ASSERT_EQ(record.warnings.size(), 1U);
  EXPECT_NE(record.warnings[0].find("no second of the run is missing"), std::string::npos);
}

// Any line but the header may be lost: the others are all there.
RC_GTEST_PROP(Journal, LostLine_LosesOnlyThatLine, ()) {
  const std::vector<Interval> intervals = *runs();
  std::vector<std::string> lines = {encode_line(a_header())};
  for (const Interval& interval : intervals) lines.push_back(encode_line(interval));
  lines.push_back(encode_line(footer_for(intervals)));
  const auto lost = *rc::gen::inRange<std::size_t>(1, lines.size());
  lines[lost][lines[lost].size() / 2] = '\1';
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  std::ofstream file(path);
  for (const std::string& line : lines) file << line;
  file.close();
  const auto contents = read_journal(path);
  RC_ASSERT(contents.has_value());
  RC_ASSERT(contents->lines.size() == lines.size() - 1);
  const bool last = lost + 1 == lines.size();
  RC_ASSERT(contents->torn == last);
  RC_ASSERT(contents->holes.size() == (last ? 0U : 1U));
}

TEST(Journal, WithoutItsFirstLine_ThereIsNothingToFold) {
  EXPECT_THROW(folded_lines({"gone\n", encode_line(a_header())}), std::runtime_error);
}

TEST(Journal, WithoutAHeaderThereIsNothingToFold) {
  EXPECT_FALSE(fold_journal({}, "x"));
  EXPECT_FALSE(fold_journal({.lines = {an_interval(seconds(0))}}, "x"));
}

TEST(Journal, AnExistingFileIsNotOverwritten) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  std::ofstream(path) << "mine";
  const auto journal = JournalWriter::create(path);
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().errnum, EEXIST);
}

TEST(Journal, LockedJournal_HasALiveWriter) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  auto journal = JournalWriter::create(path);
  ASSERT_TRUE(journal);
  EXPECT_TRUE(has_live_writer(path));
  (*journal)->close();
  EXPECT_FALSE(has_live_writer(path));
}

// kill -9: what was appended is in the file, and nobody holds the lock any more.
TEST(Journal, AKilledProcessLeavesWhatItAppended) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  const pid_t child = fork();
  if (child == 0) {
    auto journal = JournalWriter::create(path);
    (*journal)->append(a_header());
    (*journal)->append(an_interval(seconds(0)));
    pause();
    _exit(0);
  }
  const auto lines = [&] {
    const auto contents = read_journal(path);
    return contents ? contents->lines.size() : 0;
  };
  EXPECT_TRUE(test::wait_for("two lines of the journal", [&] { return lines() >= 2; }));
  EXPECT_TRUE(has_live_writer(path));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(lines(), 2U);
  EXPECT_FALSE(has_live_writer(path));
}

// A full disk, played by a limit on the size of files.
TEST(Journal, AFullDiskEndsTheJournalOnceAndAtAWholeLine) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.jsonl";
  const std::string first = encode_line(a_header());
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit tight = before;
  tight.rlim_cur = first.size() + 100;

  auto journal = JournalWriter::create(path);
  ASSERT_TRUE(journal);
  setrlimit(RLIMIT_FSIZE, &tight);
  (*journal)->append(a_header());
  (*journal)->append(an_interval(seconds(0)));
  (*journal)->append(an_interval(seconds(1)));
  (*journal)->close();
  setrlimit(RLIMIT_FSIZE, &before);

  const auto error = (*journal)->take_error();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errnum, EFBIG);
  EXPECT_NE(error->message().find("cannot write the journal"), std::string::npos);
  EXPECT_FALSE((*journal)->take_error());
  EXPECT_EQ(*read_file(path), first);
}

}  // namespace
}  // namespace radosload::record
