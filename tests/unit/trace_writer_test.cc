#include "trace/trace_writer.h"

#include <array>
#include <atomic>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "support/files.h"
#include "support/wait_for.h"
#include "unit/trace_support.h"

namespace radosload::trace {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using testing::a_row;
using ::testing::HasSubstr;
using testing::rows_in;
using testing::some_rows;
using testing::TraceFixture;

class Trace : public TraceFixture {};

// ---- the header ----

RC_GTEST_PROP(TraceHeader, ReadsBackAndIsAlwaysAsLong, (std::uint64_t any, bool ended)) {
  const auto measured = *rc::gen::maybe(
      rc::gen::map(rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max()),
                   [](std::int64_t ns) { return Time(ns); }));
  const std::uint64_t rows = any >> 7U;  // more would not fit a file
  const std::optional<Time> length = measured ? std::optional<Time>(*measured) : std::nullopt;
  const std::string text = encode_trace_header(rows, ended, length);
  RC_ASSERT(text.size() == trace_header_bytes);
  RC_ASSERT(text.back() == '\n');
  const auto header = parse_trace_header(text, "x");
  RC_ASSERT(header.has_value());
  RC_ASSERT(header->rows == rows);
  RC_ASSERT(header->ended == ended);
  RC_ASSERT(header->measured == length);
  RC_ASSERT(header->data_begin == trace_header_bytes);
}

std::string refusal(std::string_view file) {
  const auto header = parse_trace_header(file, "a.npy");
  return header ? "" : header.error().message();
}

TEST(TraceHeader, OtherFile_IsRefusedWithTheReason) {
  const std::string good = encode_trace_header(3, false);
  std::string other = good;
  other.replace(other.find("submit_ns"), 9, "summit_ns");
  std::string wide = good;
  wide.replace(wide.find("<i4"), 3, "<i8");
  std::string endless = good;
  endless[9] = '\xff';
  EXPECT_THAT(refusal("PK"), HasSubstr("not a .npy file"));
  EXPECT_THAT(refusal(""), HasSubstr("not a .npy file"));
  EXPECT_THAT(refusal(good.substr(0, 300)), HasSubstr("ends inside its header"));
  EXPECT_THAT(refusal(other), HasSubstr("not those of a trace"));
  EXPECT_THAT(refusal(wide), HasSubstr("not those of a trace"));
  EXPECT_THAT(refusal(endless), HasSubstr("too long"));
  EXPECT_THAT(refusal(encode_trace_header(~std::uint64_t{0}, false)), HasSubstr("more rows"));
  EXPECT_THAT(refusal(other), HasSubstr("a.npy"));
}

// As numpy.save writes what somebody has selected from a trace.
TEST(TraceHeader, HeaderOfNumPy_IsUnderstood) {
  std::string words = encode_trace_header(3, false).substr(10);
  words.replace(words.find("  "), words.rfind("3") - words.find("  "), "");
  words.resize(words.find('}') + 1);
  words.resize(384 - 10 - 1, ' ');
  const std::string text = std::string("\x93NUMPY\x01\x00\x76\x01", 10) + words + "\n";
  const auto header = parse_trace_header(text, "x");
  ASSERT_TRUE(header) << header.error().message();
  EXPECT_EQ(header->rows, 3U);
  EXPECT_EQ(header->data_begin, 384U);
  EXPECT_TRUE(header->ended) << "whoever saved it has saved all of it";
}

// ---- rings ----

TEST(TraceRing, FullRing_EndsTheTraceAndCountsDroppedRows) {
  std::atomic<bool> ended{false};
  TraceRing ring(8, ended);
  TraceRing other(8, ended);
  for (std::int64_t i = 0; i < 8; ++i) ring.add(a_row(i));
  EXPECT_FALSE(ended);
  ring.add(a_row(8));
  EXPECT_TRUE(ended);
  ring.release(4);
  ring.add(a_row(9));
  other.add(a_row(10));
  EXPECT_EQ(ring.given(), 10U);
  EXPECT_EQ(other.given(), 1U);
  EXPECT_EQ(other.size(), 0U) << "a trace with a gap would tell lies";
  ASSERT_EQ(ring.size(), 4U);
  EXPECT_EQ(ring.front().front(), a_row(4));
}

TEST(TraceRing, AfterTheLoad_AFullOneIsWaitedFor) {
  std::atomic<bool> ended{false};
  TraceRing ring(8, ended);
  std::int64_t taken = 0;
  std::thread reader([&] {
    while (taken < 1000 && !ended) {
      const auto front = ring.front();
      for (const TraceRow& row : front) EXPECT_EQ(row, a_row(taken++));
      ring.release(front.size());
      std::this_thread::yield();
    }
  });
  for (std::int64_t i = 0; i < 1000; ++i) ring.add_after_the_load(a_row(i));
  reader.join();
  EXPECT_FALSE(ended);
  EXPECT_EQ(ring.given(), 1000U);
  // Once a trace has ended nothing is waited for.
  ended = true;
  for (std::int64_t i = 0; i < 100; ++i) ring.add_after_the_load(a_row(i));
  EXPECT_EQ(ring.given(), 1100U);
}

TEST(TraceRing, WrapsAroundWithoutLosingARow) {
  std::atomic<bool> ended{false};
  TraceRing ring(8, ended);
  std::int64_t taken = 0;
  for (std::int64_t i = 0; i < 1000; ++i) {
    ring.add(a_row(i));
    if (i % 5 != 4) continue;
    while (ring.size() > 0) {
      const auto front = ring.front();
      for (const TraceRow& row : front) EXPECT_EQ(row, a_row(taken++));
      ring.release(front.size());
    }
  }
  EXPECT_EQ(taken, 1000);
  EXPECT_FALSE(ended);
}

// ---- the writer ----

// Read while the writer lives, and gone with it, also when the process is killed.
TEST_F(Trace, TraceThatIsNotKept_HasNoName) {
  auto writer = TraceWriter::create_unnamed(m_folder.path()).value();
  EXPECT_FALSE(writer->named());
  EXPECT_TRUE(fs::is_empty(m_folder.path()));
  writer->begin(1);
  for (const TraceRow& row : some_rows(1000)) writer->ring(0).add(row);
  EXPECT_TRUE(writer->close().whole);
  EXPECT_EQ(rows_in(writer->path()), some_rows(1000));
  EXPECT_TRUE(fs::is_empty(m_folder.path()));
  const auto nowhere = TraceWriter::create_unnamed(m_folder.path() / "none");
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error().message(), HasSubstr("TMPDIR"));
}

TEST_F(Trace, EveryRowOfEveryLaneIsInTheFile) {
  constexpr std::size_t lanes = 3;
  constexpr std::int64_t each = 100'000;
  auto writer = TraceWriter::create(path());
  ASSERT_TRUE(writer) << writer.error().message();
  (*writer)->begin(lanes);
  std::vector<std::thread> threads;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    threads.emplace_back([&ring = (*writer)->ring(lane), lane] {
      for (std::int64_t i = 0; i < each; ++i) {
        TraceRow row = a_row(i);
        row.client = static_cast<std::uint8_t>(lane);
        ring.add(row);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const TraceEnd end = (*writer)->close();
  EXPECT_FALSE((*writer)->take_error());
  EXPECT_TRUE(end.whole);
  EXPECT_EQ(end.operations, lanes * each);
  EXPECT_EQ(end.rows, end.operations);
  EXPECT_EQ(fs::file_size(path()), trace_header_bytes + end.rows * sizeof(TraceRow));
  EXPECT_TRUE(TraceFile::open(path())->ended());
  // Of each lane in its order.
  std::array<std::int64_t, lanes> next{};
  for (TraceRow row : rows_in(path())) {
    const std::uint8_t lane = std::exchange(row.client, std::uint8_t{0});
    EXPECT_EQ(row, a_row(next.at(lane)++));
  }
}

TEST_F(Trace, BufferIsFull_TraceEndsWithAnError) {
  auto writer = TraceWriter::create(path(), Bytes{1});
  ASSERT_TRUE(writer);
  (*writer)->begin(1);
  TraceRing& ring = (*writer)->ring(0);
  // Faster than it is emptied, however fast that is.
  std::int64_t given = 0;
  const auto limit = std::chrono::steady_clock::now() + seconds(20);
  std::optional<Error> error;
  while (!error && std::chrono::steady_clock::now() < limit) {
    for (int i = 0; i < 5000; ++i) ring.add(a_row(given++));
    error = (*writer)->take_error();
  }
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message(), HasSubstr("slower than the load"));
  const TraceEnd end = (*writer)->close();
  EXPECT_FALSE(end.whole);
  EXPECT_EQ(end.operations, static_cast<std::uint64_t>(given));
  EXPECT_LT(end.rows, end.operations);
  EXPECT_EQ(rows_in(path()), some_rows(static_cast<std::int64_t>(end.rows))) << "without a gap";
  EXPECT_FALSE(TraceFile::open(path())->ended());
}

// A full disk, played by a limit on the size of files.
TEST_F(Trace, AFullDiskEndsItAtAWholeRow) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit tight = before;
  tight.rlim_cur = trace_header_bytes + 5 * sizeof(TraceRow) + 20;

  auto writer = TraceWriter::create(path());
  ASSERT_TRUE(writer);
  (*writer)->begin(1);
  setrlimit(RLIMIT_FSIZE, &tight);
  for (std::int64_t i = 0; i < 100; ++i) (*writer)->ring(0).add(a_row(i));
  const TraceEnd end = (*writer)->close();
  setrlimit(RLIMIT_FSIZE, &before);

  const auto error = (*writer)->take_error();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errnum, EFBIG);
  EXPECT_THAT(error->message(), HasSubstr("cannot write the trace"));
  EXPECT_FALSE((*writer)->take_error());
  EXPECT_FALSE(end.whole);
  EXPECT_EQ(end.operations, 100U);
  EXPECT_EQ(end.rows, 5U);
  EXPECT_EQ(fs::file_size(path()), trace_header_bytes + 5 * sizeof(TraceRow));
  EXPECT_EQ(rows_in(path()), some_rows(5));
  EXPECT_FALSE(TraceFile::open(path())->ended());
}

TEST_F(Trace, NothingMeasured_FileIsRemoved) {
  {
    auto writer = TraceWriter::create(path());
    ASSERT_TRUE(writer);
    EXPECT_TRUE(fs::exists(path()));
    (*writer)->begin(2);
  }
  EXPECT_FALSE(fs::exists(path()));
}

TEST_F(Trace, AnExistingFileIsNotOverwritten) {
  std::ofstream(path()) << "mine";
  const auto writer = TraceWriter::create(path());
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().errnum, EEXIST);
  EXPECT_EQ(writer.error().exit, Exit::refused);
  EXPECT_EQ(test::read_file(path()), "mine");
}

// kill -9: what it has told of by then is there, for NumPy too, which goes by the header.
TEST_F(Trace, AKilledProcessLeavesWhatItHasWritten) {
  const pid_t child = fork();
  if (child == 0) {
    auto writer = TraceWriter::create(path());
    (*writer)->begin(1);
    for (std::int64_t i = 0; i < 1000; ++i) (*writer)->ring(0).add(a_row(i));
    pause();
    _exit(0);
  }
  const auto told = [&] {
    std::ifstream file(path());
    std::string begin(trace_header_bytes, '\0');
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    const auto header = parse_trace_header(begin, "x");
    return header ? header->rows : 0;
  };
  EXPECT_TRUE(test::wait_for("1000 rows in the header",
                             [&] { return test::Seen(told() >= 1000, std::to_string(told())); }));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(told(), 1000U);
  EXPECT_EQ(rows_in(path()), some_rows(1000));
  EXPECT_FALSE(TraceFile::open(path())->ended());
}

}  // namespace
}  // namespace radosload::trace
