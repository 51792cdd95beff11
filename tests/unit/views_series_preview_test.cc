// The dry run of a series as text and as JSON.
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "plan/patterns.h"
#include "views/series_preview.h"

#include <nlohmann/json.hpp>

namespace radosload::views {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct ShownSeries {
  record::Series series;
  std::vector<prepare::StepsPreview> groups;

  ShownSeries() {
    series.title = "randread4k,qd=1:16";
    for (const char* const depth : {"1", "16"}) {
      record::SeriesStep step;
      step.name = std::string("qd=") + depth;
      step.plan.pool = "hdd";
      step.plan.pattern =
          plan::parse_pattern(std::string("randread4k,size=64M,object-size=1M,qd=") + depth)
              .value();
      series.steps.push_back(step);
    }
    prepare::StepsPreview group;
    group.preview.header.plan = series.steps[0].plan;
    group.preview.header.environment.fsid = "11111111-2222";
    group.preview.layout.objects = 64;
    group.preview.layout.object_size = Bytes{1U << 20U};
    group.preview.warnings = {"osd.3 is down"};
    group.steps = {0, 1};
    groups.push_back(group);
  }
  SeriesPreview shown(std::optional<Time> length = {}) const {
    return {.series = series, .groups = groups, .length = length};
  }
};

TEST(SeriesPreviewText, PlaceClusterAndDataAreThoseOfTheFirstGroup) {
  const ShownSeries planned;
  const std::string text = series_preview_text(planned.shown());
  EXPECT_THAT(text, HasSubstr("pool hdd"));
  EXPECT_THAT(text, HasSubstr("11111111-2222"));
  EXPECT_THAT(text, HasSubstr("64 objects of 1 MiB, for all 2 steps"));
  EXPECT_THAT(text, HasSubstr("osd.3 is down"));
}

TEST(SeriesPreviewText, Length_IsShownWhenEveryStepHasOne) {
  const ShownSeries planned;
  EXPECT_THAT(series_preview_text(planned.shown()), Not(HasSubstr("plus the time for writing")));
  EXPECT_THAT(series_preview_text(planned.shown(std::chrono::minutes(2))),
              HasSubstr("plus the time for writing"));
}

TEST(SeriesPreviewJson, NamesEveryStepAndWhichPreviewItHas) {
  const ShownSeries planned;
  const auto json = nlohmann::json::parse(series_preview_json(planned.shown()));
  EXPECT_EQ(json["schema"], "radosload.series-preview/1");
  EXPECT_TRUE(json["length_s"].is_null());
  ASSERT_EQ(json["steps"].size(), 2U);
  EXPECT_EQ(json["steps"][1]["name"], "qd=16");
  EXPECT_EQ(json["previews"][0]["steps"], nlohmann::json::array({0, 1}));
}

}  // namespace
}  // namespace radosload::views
