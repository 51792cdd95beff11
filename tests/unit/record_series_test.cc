// The document of a series: what is written reads back, what does not belong to it is refused, and
// two processes cannot go on with it at once.
#include <filesystem>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/record_codec.h"
#include "record/series.h"
#include "record/series_store.h"
#include "support/files.h"
#include "unit/record_support.h"

#include <nlohmann/json.hpp>

namespace radosload::record {
namespace {

namespace fs = std::filesystem;
using plan::testing::plan_of;
using test::TemporaryFolder;

SeriesStep step(const std::string& qd, StepState state = StepState::missing) {
  SeriesStep one{.name = "qd=" + qd,
                 .settings = {{"qd", qd}},
                 .plan = plan_of(R"({"pool":"hdd","qd":)" + qd +
                                 R"(,"seed":7,"time":"20s","conf":"/etc/ceph/ceph.conf"})"),
                 .state = state,
                 .reason = {},
                 .record = {}};
  return one;
}

Series a_series() {
  return {.id = "s20261121-040012-9f3a",
          .started = "2026-11-21T04:00:12Z",
          .program = "radosload 0.1.0",
          .title = "randrw4k,qd=1:4:16",
          .suite = "",
          .steps = {step("1"), step("4"), step("16")}};
}

RC_GTEST_PROP(SeriesCodec, EverySeries_ReadsBack, ()) {
  Series series = a_series();
  series.suite = *rc::gen::element<std::string>("", "kbench");
  series.steps[0].record = testing::folded(*testing::runs());
  series.steps[0].state = *rc::gen::element(StepState::done, StepState::interrupted);
  series.steps[1].state = StepState::failed;
  series.steps[1].reason = "cannot connect to the cluster: no";
  series.steps[2].state = *rc::gen::element(StepState::missing, StepState::begun);
  const auto back = series_from_json(to_json(series), "here");
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == series);
}

TEST(SeriesCodec, KeysThatScriptsRelyOn) {
  Series series = a_series();
  series.steps[0].record = testing::folded({testing::interval_of({})});
  series.steps[0].state = StepState::done;
  const auto json = nlohmann::json::parse(to_json(series));
  EXPECT_EQ(json["schema"], "radosload.series/1");
  EXPECT_EQ(json["series_id"], series.id);
  EXPECT_EQ(json["status"], "incomplete");
  EXPECT_EQ(json["steps_done"], 1);
  ASSERT_EQ(json["steps"].size(), 3U);
  EXPECT_EQ(json["steps"][0]["settings"]["qd"], "1");
  EXPECT_EQ(json["steps"][0]["state"], "done");
  EXPECT_EQ(json["steps"][0]["record"]["schema"], "radosload.run/1");
  EXPECT_EQ(json["steps"][1]["plan"]["qd"], 4);
  EXPECT_EQ(json["steps"][1]["record"], nullptr);
}

TEST(SeriesCodec, OtherDocument_ErrorNamesTheFile) {
  Series series = a_series();
  series.steps[0].state = StepState::done;  // without a record
  Series uneven = a_series();
  uneven.steps[1].settings.emplace_back("bs", "4k");
  const std::string run = to_json(Folder(testing::a_header()).record());
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[1]"), run, to_json(series), to_json(uneven),
        to_json(a_series()).substr(0, 200)}) {
    const auto read = series_from_json(text, "/tmp/x.json");
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message().find("/tmp/x.json"), std::string::npos);
  }
}

TEST(SeriesPlan, TheSameStepsAgree) {
  const Series series = a_series();
  EXPECT_TRUE(check_same_plan(series, series.steps));
  auto planned = series.steps;
  planned[1].plan = plan_of(R"({"pool":"hdd","qd":4,"seed":0,"time":"20s","conf":"elsewhere"})");
  EXPECT_TRUE(check_same_plan(series, planned))
      << "how the cluster is reached, and a seed still to be drawn, do not count";
}

TEST(SeriesPlan, OtherPlan_IsRefusedWithTheDifference) {
  const Series series = a_series();
  const auto said = [&](const std::vector<SeriesStep>& planned) {
    const auto same = check_same_plan(series, planned);
    if (same) return std::string("the same");
    EXPECT_EQ(same.error().exit, Exit::usage);
    return same.error().message();
  };
  auto planned = series.steps;
  planned.pop_back();
  EXPECT_NE(said(planned).find("it has 3 steps, but 2 are requested now"), std::string::npos);
  planned = series.steps;
  planned[2] = step("32");
  EXPECT_NE(said(planned).find("its step 3 is qd=16, but qd=32 is requested"), std::string::npos);
  for (const auto& [plan, message] : std::vector<std::pair<const char*, const char*>>{
           {R"({"pool":"ssd","qd":4,"seed":7,"time":"20s"})", "pool was hdd and is now ssd"},
           {R"({"pool":"hdd","qd":4,"seed":7,"time":"30s"})", "time was 20s and is now 30s"},
           {R"({"pool":"hdd","qd":4,"seed":8,"time":"20s"})", "seed was 7 and is now 8"},
           {R"({"pool":"hdd","qd":4,"seed":7})", "time was 20s and is now 1m"},
           {R"({"pool":"hdd","qd":4,"seed":7,"time":"20s","image":["a"]})",
            "image was not set and is now a"}}) {
    planned = series.steps;
    planned[1].plan = plan_of(plan);
    EXPECT_NE(said(planned).find(message), std::string::npos) << said(planned);
  }
}

TEST(SeriesStore, FindsByIdBeginningLastAndPath) {
  const TemporaryFolder temp;
  const Store runs = *Store::open(temp.path() / "runs");
  const SeriesStore store = *SeriesStore::beside(runs);
  ASSERT_TRUE(store.create());
  Series older = a_series();
  older.id = "s20261120-000000-aaaa";
  for (const Series& series : {older, a_series()}) {
    ASSERT_TRUE(save_series(store.document_path(series.id), series, Existing::refuse));
  }
  EXPECT_EQ(store.list(), (std::vector<std::string>{a_series().id, older.id}));
  EXPECT_EQ(store.find("last"), store.document_path(a_series().id));
  EXPECT_EQ(store.find("s20261120"), store.document_path(older.id));
  EXPECT_EQ(store.find("/some/where.json"), fs::path("/some/where.json"));
  EXPECT_EQ(store.find("s2026").error().exit, Exit::usage);
  EXPECT_EQ(store.find("s1999").error().exit, Exit::usage);
  EXPECT_EQ(load_series(*store.find("last")), a_series());
  EXPECT_TRUE(holds_series(*store.find("last")));
  EXPECT_FALSE(holds_series(temp.path()));
  EXPECT_FALSE(holds_series(temp.with("run.json", R"({"schema":"radosload.run/1"})")));
  EXPECT_TRUE(runs.list()->run_ids.empty()) << "series are no runs";
}

TEST(SeriesStore, LockedSeries_IsRefusedToOtherProcesses) {
  const TemporaryFolder temp;
  const fs::path document = temp.path() / "s.json";
  {
    const auto first = SeriesLock::acquire(document);
    ASSERT_TRUE(first);
    const auto second = SeriesLock::acquire(document);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().exit, Exit::refused);
  }
  EXPECT_TRUE(SeriesLock::acquire(document));
  EXPECT_TRUE(fs::is_empty(temp.path())) << "a lock leaves nothing behind";
  EXPECT_EQ(SeriesLock::acquire(temp.path() / "none" / "s.json").error().errnum, ENOENT);
}

}  // namespace
}  // namespace radosload::record
