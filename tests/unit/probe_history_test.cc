#include <cerrno>
#include <fstream>
#include <sstream>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "probe/history.h"
#include "probe/missing_lines.h"
#include "support/files.h"

namespace radosload::probe {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using std::chrono::microseconds;
using ::testing::HasSubstr;

// 2026-11-26T00:00:00Z
constexpr Time first_day = std::chrono::seconds(1795651200);
constexpr Time day = hours(24);

Visit visit_of(std::int32_t osd, Time read) {
  Visit visit{.target = {.osd = osd, .device_class = "hdd"}};
  visit.of(Kind::read) = {.typical = read, .answered = 1};
  visit.of(Kind::write) = {.typical = 2 * read, .answered = 1};
  return visit;
}

Round round_at(Time at) {
  return {.at = at, .took = std::chrono::milliseconds(412), .visits = {visit_of(3, Time(8123000))}};
}

HistoryHeader header() {
  return {.pool = "hdd", .nspace = "radosload", .started = "2026-11-26T00:00:00Z"};
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<Round> rounds_in(const fs::path& folder) {
  std::vector<Round> rounds;
  const auto files = history_files(folder);
  EXPECT_TRUE(files);
  const auto read = read_history(*files, [&](const HistoryLine& line) {
    if (const auto* const round = std::get_if<Round>(&line)) rounds.push_back(*round);
  });
  EXPECT_TRUE(read);
  return rounds;
}

class ProbeHistory : public ::testing::Test {
 protected:
  fs::path folder() const { return m_place.path() / "history"; }
  History open(const Retention& retention = {}) const {
    auto history = History::open(folder(), header(), retention);
    EXPECT_TRUE(history) << history.error().message();
    return *std::move(history);
  }

 private:
  test::TemporaryFolder m_place;
};

TEST(ProbeHistoryCodec, VisitsAndChangesOfAWholePool_ReadBack) {
  Round round{.at = first_day};
  round.visits = {visit_of(whole_pool, Time(8123000))};
  round.visits[0].target.device_class = "";
  const auto read = decode_history_line(encode(round));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(std::get<Round>(*read).visits, round.visits);
  for (const std::int32_t osd : {whole_pool, class_of_osds}) {
    const Change change{.osd = osd, .ratio = 1.5};
    const auto again = decode_history_line(encode(change));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(std::get<Change>(*again).osd, osd);
  }
}

TEST(ProbeHistoryCodec, Round_ReadsBack) {
  Round round = round_at(first_day);
  round.missed = 2;
  round.notes = {"the wall clock jumped by +3600 s"};
  round.without_pgs = {7, 9};
  Visit failed{.target = {.osd = 4, .device_class = "a \"class\"\xff"}};
  failed.of(Kind::read) = {.failed = 1, .rc = -110};
  round.visits.push_back(failed);
  const auto read = decode_history_line(encode(round));
  ASSERT_TRUE(read) << read.error().message();
  Round expected = round;
  expected.visits[1].target.device_class = "a \"class\"\xEF\xBF\xBD";  // what JSON can hold
  EXPECT_EQ(std::get<Round>(*read), expected);
}

TEST(ProbeHistoryCodec, FailedRound_ReadsBack) {
  const Round round{.at = first_day, .error = "cannot reach the mons\n"};
  EXPECT_EQ(std::get<Round>(*decode_history_line(encode(round))), round);
}

TEST(ProbeHistoryCodec, FailedFigures_AreNullAndNotZero) {
  Visit failed{.target = {.osd = 4, .device_class = "hdd"}};
  failed.of(Kind::read) = {.failed = 1, .rc = -110};
  EXPECT_THAT(encode(Round{.at = first_day, .visits = {failed}}),
              HasSubstr("[4,null,null,1,0,-110]"));
}

RC_GTEST_PROP(ProbeHistoryCodec, AnyChange_ReadsBack, ()) {
  const auto number = [](int most) { return *rc::gen::inRange(0, most); };
  const bool of_class = *rc::gen::arbitrary<bool>();
  const Change change{.found = first_day + microseconds(number(1000000)),
                      .since = first_day - microseconds(number(1000000)),
                      .osd = of_class ? -1 : number(100000),
                      .device_class = of_class ? "hdd" : "",
                      .kind = *rc::gen::element(Kind::read, Kind::write),
                      .ratio = number(10000) / 1000.0,
                      .before = microseconds(number(1000000)),
                      .after = microseconds(number(1000000)),
                      .peers = static_cast<std::uint32_t>(number(10000)),
                      .probes = static_cast<std::uint32_t>(number(120))};
  const auto read = decode_history_line(encode(change));
  RC_ASSERT(read.has_value());
  RC_ASSERT(std::get<Change>(*read) == change);
}

TEST(ProbeHistoryCodec, InvalidLines_AreRefused) {
  for (const char* const line :
       {"", "{", "[]", "3", R"({"schema":"radosload.run/1"})", R"({"at":"yesterday"})",
        R"({"at":"2026-11-26T00:00:00Z","osds":[]})",
        R"({"at":"2026-11-26T00:00:00Z","osds":{"hdd":[[1]]}})",
        R"({"at":"2026-11-26T00:00:00Z","osds":{"hdd":[[-1,1,1]]}})",
        R"({"at":"2026-11-26T00:00:00Z","osds":{"hdd":[[1,-5,1]]}})",
        R"({"at":"2026-11-26T00:00:00Z","osds":{"hdd":[[1,1e300,1]]}})",
        R"({"at":"2026-11-26T00:00:00Z","osds":{"hdd":[[1,18446744073709551615,1]]}})",
        R"({"at":"2026-11-26T00:00:00Z","osds":{"hdd":[["1",1,1]]}})",
        R"({"at":"2026-11-26T00:00:00Z","notes":[1]})",
        R"({"at":"2026-11-26T00:00:00Z","missed":-1})", R"({"change":1})",
        R"({"change":{"found":"2026-11-26T00:00:00Z","since":"2026-11-26T00:00:00Z","osd":1,)"
        R"("kind":"trim","ratio":1}})"}) {
    EXPECT_FALSE(decode_history_line(line)) << line;
  }
}

TEST_F(ProbeHistory, WhatWasAppended_IsReadBackInOrder) {
  {
    History history = open();
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(history.append(round_at(first_day + i * hours(1))));
  }
  const auto rounds = rounds_in(folder());
  ASSERT_EQ(rounds.size(), 5U);
  EXPECT_EQ(rounds[4].at, first_day + hours(4));
  EXPECT_EQ(rounds[0].visits[0].of(Kind::read).typical, Time(8123000));
}

// What a process leaves that is killed while it writes.
TEST_F(ProbeHistory, LineTornAtAnyByte_LosesThatRoundOnly) {
  {
    History history = open();
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(history.append(round_at(first_day + i * hours(1))));
  }
  const fs::path file = history_files(folder())->front();
  const std::string whole = text_of(file);
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t size = last; size < whole.size(); ++size) {
    fs::resize_file(file, last);
    std::ofstream(file, std::ios::app) << whole.substr(last, size - last);
    EXPECT_EQ(rounds_in(folder()).size(), 1U) << "read while it is torn";
    History history = open();
    ASSERT_TRUE(history.append(round_at(first_day + hours(2))));
    ASSERT_EQ(rounds_in(folder()).size(), 2U) << size - last;
    EXPECT_EQ(rounds_in(folder()).back().at, first_day + hours(2));
  }
}

TEST_F(ProbeHistory, EachDayHasAFile_AlsoWhenTheClockJumpsBack) {
  History history = open();
  for (const Time at : {first_day, first_day + hours(1), first_day + day, first_day,
                        first_day + 400 * day, first_day + day}) {
    ASSERT_TRUE(history.append(round_at(at)));
  }
  std::vector<std::string> names;
  const auto files = *history_files(folder());
  for (const auto& file : files) names.push_back(file.filename().string());
  EXPECT_THAT(names, ::testing::ElementsAre("000001-2026-11-26.jsonl", "000002-2026-11-27.jsonl",
                                            "000003-2026-11-26.jsonl", "000004-2027-12-31.jsonl",
                                            "000005-2026-11-27.jsonl"));
  EXPECT_EQ(rounds_in(folder()).size(), 6U) << "a jump removes nothing";
  EXPECT_EQ(rounds_in(folder()).back().at, first_day + day);
}

TEST_F(ProbeHistory, OldDays_AreRemoved) {
  History history = open({.days = 3});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(history.append(round_at(first_day + i * day)));
  const auto rounds = rounds_in(folder());
  ASSERT_EQ(rounds.size(), 3U);
  EXPECT_EQ(rounds[0].at, first_day + 7 * day);
}

TEST_F(ProbeHistory, BeyondItsSize_TheOldestAreRemovedAndTheYoungestStays) {
  History history = open({.bytes = Bytes{700}});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(history.append(round_at(first_day + i * day)));
  const auto files = *history_files(folder());
  std::uintmax_t bytes = 0;
  for (const auto& file : files) bytes += fs::file_size(file);
  EXPECT_LE(bytes, 700U + fs::file_size(files.back()));
  EXPECT_LT(files.size(), 10U);
  EXPECT_EQ(rounds_in(folder()).back().at, first_day + 9 * day);
  History tiny = [&] {
    fs::rename(folder(), folder().string() + ".moved");
    return open({.bytes = Bytes{1}});
  }();
  ASSERT_TRUE(tiny.append(round_at(first_day)));
  EXPECT_EQ(rounds_in(folder()).size(), 1U);
}

TEST_F(ProbeHistory, OtherFilesOfTheFolder_Stay) {
  History history = open({.days = 1});
  for (const char* const name : {"notes.txt", "1-2026-11-26.jsonl", "000001-2026-11-26.json"}) {
    std::ofstream(folder() / name) << "mine\n";
  }
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(history.append(round_at(first_day + i * day)));
  for (const char* const name : {"notes.txt", "1-2026-11-26.jsonl", "000001-2026-11-26.json"}) {
    EXPECT_EQ(text_of(folder() / name), "mine\n") << name;
  }
}

TEST_F(ProbeHistory, SecondWriter_IsRefusedUntilTheFirstEnds) {
  {
    const History history = open();
    const auto second = History::open(folder(), header(), {});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().exit, Exit::refused);
    EXPECT_THAT(second.error().message(), HasSubstr("another 'radosload probe'"));
  }
  EXPECT_TRUE(History::open(folder(), header(), {}));
}

TEST_F(ProbeHistory, HistoryOfAnotherPool_IsRefused) {
  ASSERT_TRUE(open().append(round_at(first_day)));
  HistoryHeader other = header();
  other.pool = "ssd";
  const auto refused = History::open(folder(), other, {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("pool 'hdd'"));
}

TEST_F(ProbeHistory, UnreadableLines_AreCountedAndLeftOut) {
  ASSERT_TRUE(open().append(round_at(first_day)));
  const fs::path file = history_files(folder())->front();
  std::ofstream(file, std::ios::app) << "{\"at\":7}\nnonsense\n" << encode(round_at(first_day));
  std::uint64_t rounds = 0;
  const auto reading = read_history({file}, [&](const HistoryLine& line) {
    if (std::holds_alternative<Round>(line)) ++rounds;
  });
  ASSERT_TRUE(reading);
  EXPECT_EQ(rounds, 2U);
  EXPECT_EQ(reading->unreadable, 2U);
  EXPECT_THAT(reading->problem, HasSubstr("'at'"));
}

TEST_F(ProbeHistory, LatestFiles_HaveAsManyRoundsAsAreWanted) {
  History history = open();
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 3; ++j) {
      ASSERT_TRUE(history.append(round_at(first_day + i * day + j * hours(1))));
    }
  }
  EXPECT_EQ(latest_files(folder(), 1)->size(), 1U);
  EXPECT_EQ(latest_files(folder(), 4)->size(), 2U);
  EXPECT_EQ(latest_files(folder(), 1000)->size(), 6U);
  EXPECT_TRUE(latest_files(folder() / "nowhere", 4)->empty());
}

// On an all but full disk, lines that are shorter by a few digits fit.
TEST(MissingLines, DiskIsAllButFull_IsSaidOnceAndOnceMoreWhenThereIsSpace) {
  const Status full = fail({.attempt = "write to", .subject = "history", .errnum = ENOSPC});
  MissingLines lines;
  EXPECT_EQ(lines.note({}), std::nullopt);
  const auto first = lines.note(full);
  ASSERT_TRUE(first);
  EXPECT_THAT(*first, HasSubstr("cannot write to history"));
  for (std::uint64_t i = 0; i < MissingLines::lines_that_show_space - 1; ++i) {
    EXPECT_EQ(lines.note({}), std::nullopt);
  }
  EXPECT_EQ(lines.note(full), std::nullopt);
  for (std::uint64_t i = 0; i < MissingLines::lines_that_show_space - 1; ++i) {
    EXPECT_EQ(lines.note({}), std::nullopt);
  }
  EXPECT_EQ(lines.note({}), "the history is written again; missing lines: 2");
  EXPECT_EQ(lines.note({}), std::nullopt);
  EXPECT_TRUE(lines.note(full)) << "a new time without space";
}

}  // namespace
}  // namespace radosload::probe
