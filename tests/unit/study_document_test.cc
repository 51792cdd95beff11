// What is kept of a study: the document, its lines, and reading both.

#include <chrono>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "study/cell_figures.h"
#include "unit/study_support.h"

namespace radosload::study {
namespace {

using testing::HasSubstr;

StudyDocument full_document() {
  StudyPlan plan = plan_of_test(2, Order::abba);
  plan.options = {"--time", "10s"};
  plan.load = {.rate = "100", .capacity_share = 0.6};
  plan.phases = {{.name = "before", .command = ""}, {.name = "after", .command = "make it so"}};
  plan.probe = Probe{.every = std::chrono::minutes(5), .for_time = std::chrono::hours(1)};
  plan.require_clean = true;
  plan.keep_objects = true;
  plan.works.push_back({.what = Work::What::timer, .name = "scrub", .words = {"scrub", "--deep"}});
  StudyDocument document = document_of_test(plan);
  document.capacity = 1234.5;
  document.remarks = {"drives differ"};
  document.phases = {{.phase = "before", .at = "2026-11-25T05:00:00Z"}};
  document.tries = {{.cell = 1,
                     .began = "2026-11-25T05:00:01Z",
                     .state = TryState::contaminated,
                     .reason = "a scrub ran",
                     .runs = {"r1"},
                     .figures = {{"w IOPS", 0.1 + 0.2, false}, {"w p99_us", 3, true}}}};
  document.open = OpenTry{.cell = 2, .began = "2026-11-25T05:00:02Z", .process = "h b 1 2"};
  return document;
}

TEST(StudyDocument, Everything_ReadsBack) {
  const StudyDocument document = full_document();
  const auto read = study_from_json(study_json(document), "", "test");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, document);
}

// Studies that are older than the key kept their objects, and continue so.
TEST(StudyDocument, WithoutTheKeyKeepObjects_ItKeepsThem) {
  StudyDocument document = full_document();
  document.plan.keep_objects = false;
  std::string text = study_json(document);
  const auto key = text.find("\"keep_objects\"");
  ASSERT_NE(key, std::string::npos);
  text.erase(key, text.find(',', key) - key + 1);
  const auto read = study_from_json(text, "", "test");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(read->plan.keep_objects);
}

TEST(StudyDocument, Lines_AreAppliedInTheirOrder) {
  const StudyDocument document = full_document();
  StudyDocument bare = document;
  bare.tries.clear();
  bare.phases.clear();
  bare.open.reset();
  bare.capacity = 0;
  const std::string lines = capacity_line(1234.5) + line_of(document.phases[0]) +
                            line_of(OpenTry{.cell = 1, .began = "x", .process = ""}) +
                            line_of(document.tries[0]) + line_of(*document.open);
  const auto read = study_from_json(study_json(bare), lines, "test");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, document);
}

TEST(StudyDocument, TornLastLine_IsIgnoredAndAnyOtherBrokenOneIsAnError) {
  const StudyDocument document = full_document();
  const std::string text = study_json(document);
  EXPECT_TRUE(study_from_json(text, R"({"try":{"cell":0)", "test"));
  const auto broken = study_from_json(text, "{\"open\":{}}\n", "test");
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message(), HasSubstr("line 1 of what happened"));
  const auto beyond =
      study_from_json(text, line_of(OpenTry{.cell = 999, .began = "x", .process = ""}), "test");
  ASSERT_FALSE(beyond);
  EXPECT_THAT(beyond.error().message(), HasSubstr("there is no cell 999"));
}

TEST(StudyDocument, OtherDocuments_AreRefusedWithAReason) {
  for (const char* const text :
       {"", "[]", "{}", R"({"schema":"radosload.run/1"})", "{\"schema\":3}"}) {
    const auto read = study_from_json(text, "", "file.json");
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message(), HasSubstr("file.json"));
    EXPECT_NE(read.error().reason, "");
  }
}

TEST(StudyDocument, PrimaryMetric_MayLackItsUnitAndItsLoad) {
  StudyDocument document = document_of_test();
  document.tries = {{.cell = 0,
                     .began = "",
                     .state = TryState::done,
                     .reason = "",
                     .runs = {},
                     .figures = {{"w IOPS", 1, false}, {"w p99_us", 3, true}}}};
  for (const auto& [said, meant] :
       {std::pair{"p99", "w p99_us"}, std::pair{"w p99", "w p99_us"}, std::pair{"iops", "w IOPS"},
        std::pair{"w IOPS", "w IOPS"}, std::pair{"sponge", "sponge"}}) {
    document.plan.primary = said;
    EXPECT_EQ(rules_of_study(document).primary, meant);
  }
}

TEST(StudyDocument, ProbesOfAnHour_AreOneFigure) {
  StudyPlan plan = plan_of_test();
  plan.probe = Probe{.every = std::chrono::minutes(20), .for_time = std::chrono::hours(2)};
  StudyDocument document = document_of_test(plan, units_of_test(1, 1));
  for (std::size_t i = 0; i < document.cells.size(); ++i) {
    const double value = i % 2 == 0 ? 10 : 1000;
    document.tries.push_back({.cell = i,
                              .began = "",
                              .state = TryState::done,
                              .reason = "",
                              .runs = {},
                              .figures = {{"w IOPS", value, false}}});
  }
  const auto arms = arms_of_study(document, Counted::all);
  ASSERT_EQ(arms.size(), 1U);
  EXPECT_EQ(arms[0].figures.size(), 4U);  // two arms, two hours
}

}  // namespace
}  // namespace radosload::study
