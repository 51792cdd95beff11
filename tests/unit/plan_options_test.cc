// The table of options: every row reads what it writes, and a plan survives its JSON.
#include <set>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "plan/options.h"
#include "plan/plan_codec.h"
#include "unit/plan_support.h"

namespace radosload::plan {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using testing::plan_of;
using testing::plans;

RunPlan usual_plan() {
  return plan_of(R"({"pool":"hdd","pattern":"randrw4k"})");
}

RC_GTEST_PROP(PlanOptions, EveryRow_ReadsBackItsOwnText, ()) {
  const RunPlan plan = *plans();
  for (const Option& option : options()) {
    if (!option.recorded()) continue;
    const auto text = option.get(plan);
    if (!text) continue;
    RunPlan again = plan;
    const auto set = set_option(option, again, *text);
    if (!set) RC_FAIL(set.error().message());
    if (again != plan) RC_FAIL(std::string(option.name) + " of " + *text);
  }
}

// Nothing of a plan is without a row.
RC_GTEST_PROP(PlanOptions, Plan_ReadsBackFromJson, ()) {
  const RunPlan plan = *plans();
  const Json json = Json::parse(plan_json(plan).dump());
  const auto back = plan_from(json);
  if (!back) RC_FAIL(back.error().message());
  RC_ASSERT(*back == plan);
  RC_ASSERT(plan_json(*back) == json);
}

TEST(PlanOptions, EveryNamedPattern_ReadsBack) {
  for (const NamedPattern& named : catalogue()) {
    RunPlan plan;
    plan.pattern = named.defaults;
    EXPECT_EQ(*plan_from(plan_json(plan)), plan) << named.defaults.name;
  }
  const RunPlan none;
  EXPECT_EQ(*plan_from(plan_json(none)), none) << "that of a run whose pattern nobody knows";
}

TEST(PlanOptions, SavedPlanWithoutAnOption_HasItsDefault) {
  const RunPlan plan = usual_plan();
  const Json whole = plan_json(plan);
  for (const Option& option : options()) {
    if (!option.recorded() || option.name == "pattern") continue;
    Json json = whole;
    ASSERT_EQ(json.erase(std::string(option.name)), 1U) << option.name;
    const auto read = plan_from(json);
    ASSERT_TRUE(read) << option.name << ": " << read.error().message();
    RunPlan expected = plan;
    if (option.name == "pool") expected.pool.clear();
    EXPECT_EQ(*read, expected) << option.name;
  }
  EXPECT_EQ(*plan_from(Json::object()), RunPlan());
}

TEST(PlanOptions, UnknownKey_ErrorNamesIt) {
  const auto refusal = [](const char* key, const Json& value) {
    Json json = plan_json(usual_plan());
    json[key] = value;
    const auto plan = plan_from(json);
    return plan ? std::string("read") : plan.error().message();
  };
  EXPECT_THAT(refusal("tape", "t1"), HasSubstr("the option 'tape', which this version"));
  EXPECT_THAT(refusal("no-verify", true), HasSubstr("'no-verify'")) << "a short form has no value";
  EXPECT_THAT(refusal("target", "tape"), HasSubstr("target is 'tape': unknown value"));
  EXPECT_THAT(refusal("pattern", "nosuch"), HasSubstr("pattern is 'nosuch': there is no pattern"));
  EXPECT_THAT(refusal("qd", 0), HasSubstr("qd is '0'"));
  EXPECT_THAT(refusal("seed", -1), HasSubstr("seed is '-1'"));
  EXPECT_THAT(refusal("time", Json::object()), HasSubstr("time is {}"));
  EXPECT_THAT(refusal("image", Json::array({1})), HasSubstr("image is [1]"));
  for (const Json& json : {Json(), Json(7), Json::array({1})}) EXPECT_FALSE(plan_from(json));
}

TEST(PlanOptions, ValuesAreWrittenAsScriptsExpectThem) {
  RunPlan plan = usual_plan();
  plan.seed = 18446744073709551615U;
  plan.images.names = {"a", "b"};
  const Json json = plan_json(plan);
  EXPECT_EQ(json["pool"], "hdd");
  EXPECT_EQ(json["bs"], "4k");
  EXPECT_EQ(json["object-size"], "4M");
  EXPECT_EQ(json["time"], "1m");
  EXPECT_EQ(json["connect-timeout"], "15s");
  EXPECT_EQ(json["read"], plan.pattern.read_percent);
  EXPECT_EQ(json["flush"], false);
  EXPECT_EQ(json["clients"], 1);
  EXPECT_EQ(json["seed"], 18446744073709551615U);
  EXPECT_EQ(json["image"], Json::array({"a", "b"}));
  EXPECT_EQ(json["namespace"], "radosload");
  EXPECT_TRUE(json["rate"].is_null()) << "of a closed loop";
  EXPECT_TRUE(json["objects"].is_null()) << "of a pattern of data";
}

TEST(PlanOptions, RowsAreComplete) {
  std::set<std::string_view> names;
  for (const Option& option : options()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name << " is there twice";
    EXPECT_EQ(find_option(option.name), &option);
    EXPECT_EQ(option.help.empty(), option.group == Group::hidden) << option.name;
    if (option.recorded()) continue;
    const Option* const means = find_option(option.short_for);
    ASSERT_NE(means, nullptr) << option.name;
    EXPECT_TRUE(means->recorded() && names.contains(means->name)) << "it stands behind that";
  }
  EXPECT_EQ(find_option("tape"), nullptr);
}

TEST(PlanOptions, ShortFormsSetWhatTheyStandFor) {
  RunPlan plan;
  ASSERT_TRUE(set_option(*find_option("id"), plan, "load"));
  EXPECT_EQ(plan.cluster.name, "client.load");
  plan.sim = "latency=exp:1ms";
  ASSERT_TRUE(set_option(*find_option("threads"), plan, "2"));
  EXPECT_EQ(plan.sim, "latency=exp:1ms,threads=2");
  EXPECT_FALSE(set_option(*find_option("threads"), plan, "two"));
}

TEST(PlanOptions, UnreadableValue_ErrorNamesTheOption) {
  RunPlan plan;
  const auto refusal = [&](const char* name, const char* text) {
    const auto set = set_option(*find_option(name), plan, text);
    if (set) return std::string("taken");
    EXPECT_EQ(set.error().exit, Exit::usage);
    return set.error().message();
  };
  EXPECT_THAT(refusal("time", "soon"),
              HasSubstr("cannot use --time soon: it is not a duration\n  write 30s"));
  EXPECT_THAT(refusal("time", "1:2"), HasSubstr("--time 1:2: it takes one value, not a list"));
  EXPECT_THAT(refusal("ops", "few"), HasSubstr("it is not a whole number"));
  EXPECT_THAT(refusal("clients", "0"), HasSubstr("from 1 to"));
  EXPECT_THAT(refusal("target", "tape"), HasSubstr("write rados, null, sim, rbd, block or cephfs"));
  EXPECT_EQ(plan, RunPlan()) << "and nothing has changed";
}

std::string label_refusal(const std::string& text) {
  RunPlan plan;
  const auto set = set_option(*find_option("label"), plan, text);
  if (set) return {};
  EXPECT_EQ(set.error().exit, Exit::usage);
  return set.error().message();
}

TEST(PlanOptions, Labels_AreKeptByKeyAndTheLastOfAKeyHolds) {
  RunPlan plan;
  ASSERT_TRUE(set_option(*find_option("label"), plan, "rack=3,host=n1,rack=4,expr=a=b"));
  EXPECT_EQ(plan.labels, (Labels{{"expr", "a=b"}, {"host", "n1"}, {"rack", "4"}}));
  EXPECT_EQ(plan_json(plan)["label"], Json::array({"expr=a=b", "host=n1", "rack=4"}));
  EXPECT_EQ(find_option("label")->matters, Matters::no) << "comparisons ignore them";
}

TEST(PlanOptions, Labels_OutOfTheirLimitsAreRefused) {
  EXPECT_THAT(label_refusal("rack"), HasSubstr("--label rack: 'rack' is not key=value"));
  EXPECT_THAT(label_refusal("a:b"), HasSubstr("is not key=value"));
  EXPECT_THAT(label_refusal("=3"), HasSubstr("'' is not a key of a label"));
  EXPECT_THAT(label_refusal("ra ck=3"), HasSubstr("letters, digits"));
  EXPECT_THAT(label_refusal("rack="), HasSubstr("the label 'rack' has no value"));
  EXPECT_THAT(label_refusal("rack=a\nb"), HasSubstr("without control characters"));
  EXPECT_THAT(label_refusal("rack=\xff"), HasSubstr("without control characters"));
  EXPECT_EQ(label_refusal("r=" + std::string(200, 'x')), "");
  EXPECT_THAT(label_refusal("r=" + std::string(201, 'x')), HasSubstr("1 to 200 bytes"));
  EXPECT_EQ(label_refusal(std::string(64, 'k') + "=x"), "");
  EXPECT_THAT(label_refusal(std::string(65, 'k') + "=x"), HasSubstr("is not a key"));
  std::string many;
  for (int i = 0; i < 33; ++i) many += "k" + std::to_string(i) + "=v,";
  EXPECT_THAT(label_refusal(many), HasSubstr("33 labels are given\n  give a run at most 32"));
}

TEST(PlanOptions, RunnablePlan_IsCompleteAndConsistent) {
  EXPECT_TRUE(check_runnable(usual_plan()));
  EXPECT_FALSE(check_runnable(plan_of(R"({"pool":"hdd"})"))) << "no pattern";
  EXPECT_FALSE(check_runnable(plan_of(R"({"pattern":"randrw4k"})"))) << "no pool";
  EXPECT_FALSE(check_runnable(
      plan_of(R"({"pool":"hdd","pattern":"randrw4k","bs":"4M","object-size":"1M"})")));
}

}  // namespace
}  // namespace radosload::plan
