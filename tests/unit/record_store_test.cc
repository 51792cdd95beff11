#include <array>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "record/journal.h"
#include "record/record_codec.h"
#include "record/run_log.h"
#include "record/store.h"
#include "support/files.h"
#include "support/wait_for.h"
#include "unit/record_support.h"

namespace radosload::record {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using test::TemporaryFolder;
using testing::a_header;

constexpr std::chrono::system_clock::time_point moment{seconds(1'795'233'612)};

TEST(Store, RunIdsSortByTimeAndNameIt) {
  EXPECT_EQ(make_run_id(moment, 0xabc9f3a), "20261121-040012000-9f3a");
  EXPECT_EQ(make_run_id(moment + std::chrono::microseconds(7999), 3), "20261121-040012007-0003");
  EXPECT_TRUE(is_run_id(make_run_id(moment, 0xabcd)));
  EXPECT_TRUE(is_run_id("20261121-040012-9f3a")) << "as earlier versions made them";
  for (const char* const other :
       {"", ".", "..", "../../x", "20261121-040012-9f3", "x", "20261121-040012-9f3a5",
        "20261121-040012-9F3a", "20261121/040012-9f3a", "2026112a-040012-9f3a",
        "20261121-0400123-9f3a", "20261121-04001234-9f3a"}) {
    EXPECT_FALSE(is_run_id(other)) << other;
  }
  EXPECT_EQ(iso_time(moment), "2026-11-21T04:00:12Z");
}

// Their random parts are in the opposite order.
TEST(Store, TwoRunsOfOneSecond_LastIsTheLaterOne) {
  const TemporaryFolder temp;
  const Store store = *Store::open(temp.path());
  const std::string earlier = make_run_id(moment + std::chrono::milliseconds(80), 0xffff);
  const std::string later = make_run_id(moment + std::chrono::milliseconds(90), 0);
  for (const std::string& run_id : {earlier, later}) {
    RunHeader header = a_header();
    header.run_id = run_id;
    ASSERT_TRUE(store.publish(Folder(header).record()));
  }
  EXPECT_EQ(store.list()->run_ids, (std::vector<std::string>{later, earlier}));
  EXPECT_EQ(store.load("last")->header.run_id, later);
}

TEST(Store, RunsOfOneMoment_HaveIdsInTheirOrder) {
  std::string before = make_run_id(distinct_moment(moment), 0xffff);
  for (int i = 0; i < 100; ++i) {
    const std::string next = make_run_id(distinct_moment(moment), 0);
    EXPECT_LT(before, next);
    before = next;
  }
}

TEST(Store, LiesBelowTheStateFolder) {
  EXPECT_EQ(store_folder("/state", "/home/u"), fs::path("/state/radosload/runs"));
  EXPECT_EQ(store_folder(nullptr, "/home/u"), fs::path("/home/u/.local/state/radosload/runs"));
  EXPECT_EQ(store_folder("", "/home/u"), fs::path("/home/u/.local/state/radosload/runs"));
  EXPECT_EQ(store_folder("not/absolute", "/home/u"),
            fs::path("/home/u/.local/state/radosload/runs"));
}

TEST(Store, WithoutAHome_ErrorSaysWhatToDo) {
  const auto folder = store_folder(nullptr, nullptr);
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message().find("HOME"), std::string::npos);
  EXPECT_NE(folder.error().message().find("--save none"), std::string::npos);
}

TEST(Store, IsMadeForItsOwnerOnly) {
  const TemporaryFolder temp;
  const auto store = Store::open(temp.path() / "a" / "b");
  ASSERT_TRUE(store);
  EXPECT_EQ(fs::status(store->folder()).permissions(), fs::perms::owner_all);
  std::ofstream(temp.path() / "file") << "x";
  const auto blocked = Store::open(temp.path() / "file" / "c");
  ASSERT_FALSE(blocked);
  EXPECT_EQ(blocked.error().errnum, ENOTDIR);
}

RunRecord named(const std::string& run_id) {
  RunHeader header = a_header();
  header.run_id = run_id;
  return Folder(header).record();
}

TEST(Store, PublishesListsAndLoads) {
  const TemporaryFolder temp;
  const Store store = *Store::open(temp.path());
  for (const char* run_id : {"20261120-000000-aaaa", "20261121-000000-bbbb"}) {
    ASSERT_TRUE(store.publish(named(run_id)));
  }
  const std::vector<std::string> newest_first = {"20261121-000000-bbbb", "20261120-000000-aaaa"};
  EXPECT_EQ(store.list()->run_ids, newest_first);
  EXPECT_EQ(store.load("last")->header.run_id, newest_first[0]);
  EXPECT_EQ(store.load("20261120")->header.run_id, newest_first[1]);
  EXPECT_EQ(store.load("20261120-000000-aaaa"), named(newest_first[1]));
  EXPECT_EQ(store.load(store.record_path(newest_first[1]).string()), named(newest_first[1]));
  EXPECT_EQ(store.load("2026").error().exit, Exit::usage);
  EXPECT_EQ(store.load("1999").error().exit, Exit::usage);
  EXPECT_EQ(store.load("/none.json").error().errnum, ENOENT);
}

TEST(Store, PublishingLeavesNoDrafts) {
  const TemporaryFolder temp;
  const Store store = *Store::open(temp.path());
  ASSERT_TRUE(store.publish(named("a")));
  ASSERT_TRUE(store.publish(named("a")));
  EXPECT_EQ(std::distance(fs::directory_iterator(temp.path()), fs::directory_iterator()), 1);
}

constexpr const char* killed_id = "20261121-000000-0001";

RunHeader header_of(const std::string& run_id) {
  RunHeader header = a_header();
  header.run_id = run_id;
  return header;
}

// As kill -9 leaves it.
void leave_journal(const Store& store, const std::string& run_id, const RunHeader& header) {
  Slot slot;
  slot.phase = Phase::measure;
  std::ofstream(store.journal_path(run_id))
      << encode_line(header) << encode_line(testing::interval_of({slot})) << "{\"inter";
}

TEST(Store, RecoversOnlyJournalsOfKilledRuns) {
  const TemporaryFolder temp;
  const Store store = *Store::open(temp.path());
  const std::string empty = "20261121-000000-0002";
  const std::string headless = "20261121-000000-0003";
  const std::string done = "20261121-000000-0004";
  const std::string live = "20261121-000000-0005";
  leave_journal(store, killed_id, header_of(killed_id));
  std::ofstream(store.journal_path(empty)) << "";
  std::ofstream(store.journal_path(headless)) << encode_line(Event{});
  std::ofstream(store.journal_path(done)) << encode_line(header_of(done));
  ASSERT_TRUE(store.publish(named(done)));
  auto writer = JournalWriter::create(store.journal_path(live));
  ASSERT_TRUE(writer);
  (*writer)->append(header_of(live));
  const auto written = [&] { return fs::file_size(store.journal_path(live)) > 0; };
  ASSERT_TRUE(test::wait_for("a journal that can be recovered", written));

  const auto listing = store.list();
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->run_ids, (std::vector<std::string>{done, killed_id}));
  ASSERT_EQ(listing->unreadable.size(), 1U);
  EXPECT_EQ(listing->unreadable[0].run_id, headless);
  EXPECT_NE(listing->unreadable[0].error.message().find(headless + ".jsonl"), std::string::npos);
  const auto record = store.load(killed_id);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->status, RunStatus::incomplete);
  EXPECT_EQ(record->measured_flow.completed, 1U);
}

// Whoever asks for a record first makes it.
TEST(Store, AKilledRun_IsFoundByEveryNameThatARunHas) {
  for (const std::string name : {"last", "20261121", killed_id}) {
    const TemporaryFolder temp;
    const Store store = *Store::open(temp.path());
    leave_journal(store, killed_id, header_of(killed_id));
    const auto record = store.load(name);
    ASSERT_TRUE(record) << name << ": " << record.error().message();
    EXPECT_EQ(record->header.run_id, killed_id);
  }
}

TEST(Store, LastRunIsUnreadable_IsReportedAndNoOlderRunIsShown) {
  const TemporaryFolder temp;
  const Store store = *Store::open(temp.path());
  ASSERT_TRUE(store.publish(named("20261120-000000-aaaa")));
  std::ofstream(store.journal_path(killed_id)) << encode_line(Event{});
  const auto record = store.load("last");
  ASSERT_FALSE(record);
  EXPECT_NE(record.error().message().find(killed_id), std::string::npos);
  EXPECT_TRUE(store.load("20261120"));
}

TEST(Store, NoRunIsSaved_ErrorNamesTheReason) {
  const TemporaryFolder temp;
  const auto record = Store::open(temp.path())->load("last");
  ASSERT_FALSE(record);
  EXPECT_NE(record.error().message().find("cannot find the run last: no run is saved yet"),
            std::string::npos);
}

TEST(Store, BeginningOfNoIdOrOfSeveral_ErrorSaysWhich) {
  const TemporaryFolder temp;
  const Store store = *Store::open(temp.path());
  ASSERT_TRUE(store.publish(named("20261120-000000-aaaa")));
  ASSERT_TRUE(store.publish(named("20261120-000000-bbbb")));
  EXPECT_NE(store.load("2025").error().message().find("no saved run ID starts with '2025'"),
            std::string::npos);
  EXPECT_NE(store.load("2026").error().message().find("2 run IDs start with '2026'"),
            std::string::npos);
}

// It decided under which name the record was written, inside the store or outside.
TEST(Store, JournalWhoseRunDiffersFromItsName_WritesNothing) {
  for (const std::string claimed :
       {"../../escaped", "../20261121-000000-0009", "20261121-000000-0009", "", ".."}) {
    const TemporaryFolder temp;
    const Store store = *Store::open(temp.path() / "a" / "b");
    leave_journal(store, killed_id, header_of(claimed));
    const auto listing = store.list();
    ASSERT_TRUE(listing);
    EXPECT_TRUE(listing->run_ids.empty()) << claimed;
    EXPECT_EQ(listing->unreadable.size(), 1U) << claimed;
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(temp.path())) {
      files += entry.is_regular_file() ? 1U : 0U;
    }
    EXPECT_EQ(files, 1U) << claimed;
  }
  const TemporaryFolder temp;
  const Store store = *Store::open(temp.path());
  leave_journal(store, "notes", header_of("notes"));
  EXPECT_EQ(store.list()->unreadable.size(), 1U);
}

// Renamed over, /dev/null would be a file from then on.
TEST(Store, SavedToAPipe_PipeStays) {
  const TemporaryFolder temp;
  const fs::path pipe = temp.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  const auto saved = save_record(pipe, named("r1"), Existing::refuse);
  std::array<char, 65536> bytes;
  const ssize_t got = ::read(reader, bytes.data(), bytes.size());
  ::close(reader);
  ASSERT_TRUE(saved) << saved.error().message();
  EXPECT_TRUE(fs::is_fifo(pipe));
  ASSERT_GT(got, 0);
  EXPECT_EQ(std::string(bytes.data(), static_cast<std::size_t>(got)), to_json(named("r1")));
}

// Killed in its prefill; one of a moment ago may be about to get its writer.
TEST(Store, OldEmptyJournals_AreRemoved) {
  const TemporaryFolder temp;
  const Store store = *Store::open(temp.path());
  const std::string before = make_run_id(moment, 1);
  const std::string now = make_run_id(moment, 2);
  for (const std::string& run : {before, now}) {
    test::write_file(store.journal_path(run), "");
    test::write_file(store.marks_path(run), "{}\n");
  }
  fs::last_write_time(store.journal_path(before),
                      fs::file_time_type::clock::now() - std::chrono::minutes(2));
  EXPECT_TRUE(store.list()->run_ids.empty());
  EXPECT_FALSE(fs::exists(store.journal_path(before)));
  EXPECT_FALSE(fs::exists(store.marks_path(before)));
  EXPECT_TRUE(fs::exists(store.journal_path(now)));
  EXPECT_TRUE(fs::exists(store.marks_path(now)));
}

}  // namespace
}  // namespace radosload::record
