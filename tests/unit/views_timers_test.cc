// A saved timing: read back it is what was written, and whatever a document holds, reading it
// either works or says why not.
#include <algorithm>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/files.h"
#include "support/places.h"
#include "views/timers_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::vector<std::string> timer_names = {"scrub", "peering", "compact", "bench", "backfill"};

json recorded_timing(const std::string& timer) {
  return json::parse(
      test::read_file(test::in_source("tests/fixtures/documents/time-" + timer + ".json")));
}

SavedTiming timing(const json& document) {
  return timers_from_json(document.dump(), "one.json").value();
}

TEST(SavedTimings, EveryTimerReadsBackAsItWasWritten) {
  for (const std::string& timer : timer_names) {
    SCOPED_TRACE(timer);
    const json document = recorded_timing(timer);
    const SavedTiming read = timing(document);
    EXPECT_EQ(json::parse(timers_json(read.shown, read.session)), document);
    EXPECT_THAT(timers_text(read.shown, read.session, "/store/t1.json"),
                ::testing::AllOf(StartsWith("time "), HasSubstr("saved     /store/t1.json")));
  }
}

TEST(SavedTimings, CsvHasTheSameColumnsForAllTimersAndARowForEachMeasurement) {
  std::string columns;
  for (const std::string& timer : timer_names) {
    const SavedTiming read = timing(recorded_timing(timer));
    const std::string csv = timers_csv(read.shown, read.session);
    const std::string first = csv.substr(0, csv.find('\n'));
    if (columns.empty()) columns = first;
    EXPECT_EQ(first, columns);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'),
              static_cast<std::ptrdiff_t>(read.session.rows.size()) + 1);
    EXPECT_THAT(csv.substr(csv.find('\n') + 1), StartsWith(read.shown.id + "," + timer));
  }
  EXPECT_THAT(columns, StartsWith("id,timer,deep,osd,round,began,elapsed_s,failure,"));
  json compact = recorded_timing("compact");
  compact["rows"][0]["failure"] = "no \"answer\", in time";
  const SavedTiming read = timing(compact);
  EXPECT_THAT(
      timers_csv(read.shown, read.session),
      ::testing::AllOf(HasSubstr("\"no \"\"answer\"\", in time\""),
                       HasSubstr(",304939008,304939008,0.124,408.5,3010.125,700.5,61020.5,")));
}

TEST(SavedTimings, Compaction_ShowsProbedReadsOrThatNoneWereProbed) {
  json document = recorded_timing("compact");
  const auto text = [&] {
    const SavedTiming read = timing(document);
    return timers_text(read.shown, read.session);
  };
  EXPECT_THAT(text(), ::testing::AllOf(HasSubstr("Reads of 4 KiB in pool ssd"), HasSubstr("61.02"),
                                       HasSubstr("1 read failed")));
  document["rows"][0]["compact"]["probe"] = nullptr;
  EXPECT_THAT(text(), HasSubstr("not probed; --pool POOL"));
  // As it was before reads were probed.
  document["rows"][0]["compact"].erase("probe");
  EXPECT_THAT(text(), HasSubstr("not probed"));
}

TEST(SavedTimings, ListRow_ShowsWhatIsMissing) {
  json document = recorded_timing("compact");
  const auto row = [&] { return timers_list_row(timing(document)); };
  EXPECT_EQ(row().type(), "timing");
  EXPECT_EQ(row().pattern, "time compact");
  EXPECT_EQ(row().status, "complete");
  EXPECT_EQ(row().steps_done, 1U);
  EXPECT_EQ(row().measured, Time(std::chrono::milliseconds(150)));
  // Killed before the second OSD.
  document["turns"].push_back({{"osd", 1}, {"round", 1}});
  EXPECT_EQ(row().status, "incomplete");
  EXPECT_EQ(row().steps, 2U);
  const SavedTiming half = timing(document);
  EXPECT_EQ(json::parse(timers_json(half.shown, half.session))["complete"], false);
  EXPECT_THAT(timers_text(half.shown, half.session), HasSubstr("1 of 2 measurements"));
  document["rows"][0]["failure"] = "no answer";
  EXPECT_EQ(row().errors, 1U);
  EXPECT_EQ(row().steps_done, 0U);
  document["interrupted"] = true;
  EXPECT_EQ(row().status, "interrupted");
}

// Every value of a document in turn becomes one of another type, or goes.
void spoil(const json& whole, const json::json_pointer& at, int& tried) {
  const json& here = whole.at(at);
  if (here.is_structured()) {
    for (const auto& [key, value] : here.items()) spoil(whole, at / key, tried);
  }
  if (at.empty()) return;
  for (const json& other : {json(), json(true), json(-1), json(1e300), json("x"), json::array({1}),
                            json::object(), json(18446744073709551615ULL)}) {
    json changed = whole;
    changed[at] = other;
    const auto read = timers_from_json(changed.dump(), "one.json");
    ++tried;
    if (!read) {
      EXPECT_EQ(read.error().subject, "one.json");
      continue;
    }
    static_cast<void>(timers_text(read->shown, read->session));
    static_cast<void>(timers_csv(read->shown, read->session));
    static_cast<void>(timers_json(read->shown, read->session));
    static_cast<void>(timers_list_row(*read));
  }
}

TEST(SavedTimings, DamagedDocuments_AreReadOrRefusedWithTheirFile) {
  int tried = 0;
  for (const std::string& timer : timer_names) {
    const json document = recorded_timing(timer);
    spoil(document, json::json_pointer(), tried);
    const std::string text = document.dump();
    for (std::size_t i = 0; i < text.size(); i += 7) {
      EXPECT_FALSE(timers_from_json(text.substr(0, i), "one.json"));
    }
  }
  EXPECT_GT(tried, 500);
  EXPECT_FALSE(timers_from_json(R"({"schema": "radosload.run/1"})", "one.json"));
}

}  // namespace
}  // namespace radosload::views
