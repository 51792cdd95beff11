// Marks on their way from `radosload mark` into a run.
#include <fstream>
#include <sys/stat.h>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "record/journal.h"
#include "record/marks.h"
#include "record/run_record.h"
#include "record/store.h"
#include "support/files.h"
#include "support/wait_for.h"
#include "unit/record_support.h"

namespace radosload::record {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using std::chrono::steady_clock;
using ::testing::HasSubstr;

Mark mark_at(int second, const std::string& text) {
  return {.at = steady_clock::time_point(seconds(second)), .text = text};
}

class Marks : public ::testing::Test {
 protected:
  std::unique_ptr<MarkInbox> open() {
    auto inbox = MarkInbox::create(m_path);
    if (!inbox) throw std::runtime_error(inbox.error().message());
    return *std::move(inbox);
  }
  std::string refusal(const std::string& text) const {
    const auto sent = send_mark(m_path, mark_at(1, text));
    return sent ? std::string() : sent.error().message();
  }

  test::TemporaryFolder m_folder;
  fs::path m_path = m_folder.path() / "20261121-040012000-9f3a.marks";
};

TEST_F(Marks, AreReadOnceInOrderDuringTheRun) {
  const auto inbox = open();
  ASSERT_TRUE(send_mark(m_path, mark_at(1, "one")));
  ASSERT_TRUE(send_mark(m_path, mark_at(2, "zw\u00f6lf \"2\"")));
  std::vector<Mark> taken;
  const auto all_taken = [&] {
    for (Mark& mark : inbox->take()) taken.push_back(std::move(mark));
    return taken.size() >= 2;
  };
  ASSERT_TRUE(test::wait_for("both marks", all_taken));
  EXPECT_EQ(taken, (std::vector<Mark>{mark_at(1, "one"), mark_at(2, "zw\u00f6lf \"2\"")}));
  EXPECT_TRUE(inbox->close().empty());
}

TEST_F(Marks, OfTheLastSecond_AreReadAtTheEndAndTheFileIsRemoved) {
  const auto inbox = open();
  ASSERT_TRUE(send_mark(m_path, mark_at(1, "late")));
  EXPECT_EQ(inbox->close(), (std::vector<Mark>{mark_at(1, "late")}));
  EXPECT_FALSE(fs::exists(m_path));
  EXPECT_THAT(refusal("later"), HasSubstr("it has just ended"));
  EXPECT_FALSE(fs::exists(m_path)) << "sending makes no file";
}

TEST_F(Marks, TheirFileIsForItsOwnerOnly_AndNotMadeTwice) {
  const auto inbox = open();
  EXPECT_EQ(fs::status(m_path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(MarkInbox::create(m_path).error().errnum, EEXIST);
}

TEST_F(Marks, ASymbolicLinkOrAPipeIsRefused) {
  const fs::path precious = m_folder.path() / "precious";
  std::ofstream(precious) << "content";
  fs::create_symlink(precious, m_path);
  EXPECT_NE(refusal("text"), "");
  EXPECT_EQ(test::read_file(precious), "content");
  EXPECT_FALSE(MarkInbox::create(m_path)) << "nor does a run use it";
  fs::remove(m_path);
  ASSERT_EQ(::mkfifo(m_path.c_str(), 0600), 0);
  EXPECT_NE(refusal("text"), "") << "and it does not wait for a reader";
}

TEST_F(Marks, TextsThatDoNotFitOnALineAreUsageErrors) {
  const auto inbox = open();
  EXPECT_THAT(refusal(""), HasSubstr("the text is empty\n  write one line of at most 200 bytes"));
  EXPECT_THAT(refusal("  "), HasSubstr("empty"));
  EXPECT_THAT(refusal("a\nb"), HasSubstr("control characters"));
  EXPECT_THAT(refusal("\x1b[2J"), HasSubstr("control characters"));
  EXPECT_THAT(refusal("\xff"), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal(std::string(201, 'x')), HasSubstr("201 bytes"));
  EXPECT_EQ(refusal(std::string(200, 'x')), "");
  EXPECT_EQ(check_mark("").error().exit, Exit::usage);
  EXPECT_EQ(inbox->close().size(), 1U);
}

TEST_F(Marks, LinesThatRadosloadHasNotWrittenAreLeftOut) {
  const auto inbox = open();
  std::ofstream(m_path, std::ios::app)
      << "not json\n[]\n{\"at_ns\": \"1\", \"text\": \"a\"}\n{\"at_ns\": 1}\n"
      << R"({"at_ns": 1, "text": "a\u001b[2J"})"
      << "\n"
      << R"({"at_ns": -1, "text": "a"})"
      << "\n";
  ASSERT_TRUE(send_mark(m_path, mark_at(3, "good")));
  std::ofstream(m_path, std::ios::app) << "{\"at_ns\": 1, \"te";
  EXPECT_EQ(inbox->close(), (std::vector<Mark>{mark_at(3, "good")}));
}

TEST_F(Marks, BeyondTheLimitOfARunAreRefusedAndNotRead) {
  const auto inbox = open();
  std::ofstream(m_path, std::ios::app) << std::string(most_mark_bytes - 10, '\n');
  EXPECT_THAT(refusal("one more"), HasSubstr("its marks fill 64 KiB, the limit"));
  std::ofstream(m_path, std::ios::app) << "0123456789"
                                       << R"({"at_ns": 1, "text": "a"})"
                                       << "\n";
  EXPECT_TRUE(inbox->close().empty());
}

TEST(MarkEvents, Mark_IsAnEventAtItsTime) {
  Folder folder(testing::a_header());
  folder.add(Event{.at = seconds(1), .kind = "phase", .text = "measure"});
  folder.add(Event{.at = seconds(5), .kind = "health", .text = "slow"});
  folder.add(Event{.at = seconds(5), .kind = "mark", .text = "second"});
  folder.add(Event{.at = seconds(4), .kind = "mark", .text = "first"});
  std::string order;
  for (const Event& event : folder.record().events) order += event.text + " ";
  EXPECT_EQ(order, "measure first slow second ");
}

TEST(MarkEvents, LiveRunsAreThoseWhoseJournalIsBeingWritten) {
  const test::TemporaryFolder temp;
  const Store store = *Store::open(temp.path());
  const std::string live = "20261121-040012001-0001";
  const std::string killed = "20261121-040012002-0002";
  const auto writer = JournalWriter::create(store.journal_path(live));
  ASSERT_TRUE(writer);
  RunHeader header = testing::a_header();
  header.run_id = killed;
  std::ofstream(store.journal_path(killed)) << encode_line(header);
  std::ofstream(store.marks_path(killed)) << "";
  EXPECT_EQ(*store.live_runs(), std::vector<std::string>{live});
  ASSERT_TRUE(store.list());
  EXPECT_FALSE(fs::exists(store.marks_path(killed))) << "it goes when the run is recovered";
}

}  // namespace
}  // namespace radosload::record
