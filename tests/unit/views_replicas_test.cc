#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "unit/osd_support.h"
#include "unit/widest_line.h"
#include "views/replicas_text.h"

#include <nlohmann/json.hpp>

namespace radosload::views {
namespace {

using nlohmann::json;
using placement::testing::recorded;
using stats::Effect;
using stats::Member;
using stats::TailTime;
using stats::Verdict;
using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Effect factor(double estimate, double low, double high) {
  return {.estimate = std::log(estimate), .low = std::log(low), .high = std::log(high)};
}

Member member(std::int32_t id, Verdict told, const Effect& effect) {
  return {.ids = {id}, .groups = 12, .operations = 9000, .told = told, .effect = effect};
}

// osd.2 of four is slow.
ReplicaStudy study() {
  ReplicaStudy study;
  study.record.header.run_id = "r1";
  study.record.grade.value = record::GradeValue::clean;
  study.saved_as = "/tmp/r1.json";
  study.sets.pool = "hdd";
  study.osds = recorded("18.2.7");
  study.replicas = {.told = {.members = {member(0, Verdict::alike, factor(1.0, 0.95, 1.05)),
                                         member(1, Verdict::unclear, factor(1.1, 0.9, 1.3)),
                                         member(2, Verdict::slow, factor(3.1, 2.6, 3.7)),
                                         member(3, Verdict::alike, factor(1.0, 0.95, 1.05))},
                             .peers = {{0, 1, 2, 3}},
                             .groups = 16,
                             .operations = 12'345},
                    .p99 = TailTime{milliseconds(40)},
                    .p99_without = {TailTime{milliseconds(41)}, TailTime{milliseconds(42)},
                                    TailTime{milliseconds(9)}, std::nullopt},
                    .pool_pgs = 16,
                    .set_size = 3,
                    .left_out = {.moved = 7}};
  return study;
}

ReplicaStudy nobody() {
  ReplicaStudy study = views::study();
  study.replicas.told.members[2].told = Verdict::alike;
  study.replicas.told.members[2].effect = factor(1, 0.95, 1.05);
  study.replicas.told.members[1].told = Verdict::alike;
  study.replicas.told.members[1].effect = factor(1, 0.9, 1.1);
  return study;
}

TEST(ReplicasText, SlowOsd_IsNamedInATableAndInASentence) {
  const std::string text = replicas_text(study());
  EXPECT_THAT(text,
              HasSubstr("12,345 writes on 16 of the pool's 16 PGs, each on 3 OSDs; p99 40 ms"));
  EXPECT_THAT(text, HasSubstr("x3.10 (x2.60 to x3.70)"));
  EXPECT_THAT(text, HasSubstr("7 writes on PGs that moved"));
  EXPECT_THAT(text, HasSubstr("inconclusive"));
  EXPECT_THAT(replicas_verdict(study()).front(),
              AllOf(HasSubstr("osd.2 is slow: with it in the acting set a write takes 3.1 times as "
                              "long as with another OSD (2.6 to 3.7)."),
                    HasSubstr("Without it the pool's p99 would be 9 ms in place of 40 ms.")));
  EXPECT_LE(widest_line(text), 130U);
}

TEST(ReplicasText, LostWrites_AreReportedAndAPercentileAmongThemIsABound) {
  EXPECT_THAT(replicas_text(study()), Not(HasSubstr("lost")));
  ReplicaStudy losing = study();
  losing.replicas.lost = 321;
  losing.replicas.p99 = TailTime{.time = std::chrono::seconds(8), .beyond = true};
  losing.replicas.p99_without[0] = losing.replicas.p99;
  const std::string text = replicas_text(losing);
  EXPECT_THAT(text, HasSubstr("321 writes cancelled, timed out or never answered: they count"));
  EXPECT_THAT(text, HasSubstr("p99 > 8 s"));
  EXPECT_THAT(replicas_verdict(losing).front(),
              HasSubstr("Without it the pool's p99 would be 9 ms in place of > 8 s."));
  const json said = json::parse(replicas_json(losing));
  EXPECT_EQ(said["lost"], 321);
  EXPECT_EQ(said["p99_us"], nullptr);
  EXPECT_EQ(said["osds"][0]["p99_us_without"], nullptr);
  EXPECT_EQ(said["osds"][2]["p99_us_without"], 9'000);
}

TEST(ReplicasText, NoSlowOsd_TextNamesWhatItCouldMiss) {
  EXPECT_EQ(replicas_verdict(nobody()).front(),
            "No slow OSD found: none makes writes longer by more than +10 %.");
  ReplicaStudy wide = nobody();
  wide.replicas.told.members[1].effect = factor(1.2, 0.8, 1.8);
  EXPECT_THAT(replicas_verdict(wide).front(),
              AllOf(HasSubstr("by 20 % or more"), HasSubstr("up to +80 %")));
}

TEST(ReplicasText, OsdsAlwaysTogether_AreNamedTogether) {
  ReplicaStudy pair = study();
  pair.replicas.told.members[2].ids = {2, 5};
  EXPECT_THAT(replicas_verdict(pair).front(),
              AllOf(HasSubstr("osd.2 or osd.5 is slow"),
                    HasSubstr("with them in the acting set a write takes 3.1 times as long as with "
                              "2 other OSDs (2.6 to 3.7)"),
                    HasSubstr("does not show which"), HasSubstr("Without them")));
}

TEST(ReplicasText, Effect_NamesItsReference) {
  std::istringstream words(replicas_text(study()));
  std::string text;
  for (std::string word; words >> word;) text += word + " ";
  EXPECT_THAT(text, AllOf(HasSubstr("against the average of OSDs neither slow nor fast"),
                          HasSubstr("OSDs that are always together count as one")));
}

TEST(ReplicasText, PoolOfSizeOne_TextHasNoOtherReplicas) {
  ReplicaStudy alone = study();
  alone.replicas.set_size = 1;
  EXPECT_THAT(replicas_verdict(alone).front(), HasSubstr("on it a write takes 3.1 times"));
}

TEST(ReplicasText, OsdsThatCannotBeCompared_AreReported) {
  EXPECT_THAT(replicas_text(study()), Not(HasSubstr("within these groups")));
  ReplicaStudy hosts = study();
  hosts.replicas.told.peers = {{0, 1}, {2, 3}};
  EXPECT_THAT(replicas_text(hosts), HasSubstr("osd.0,osd.1; osd.2,osd.3"));
}

TEST(ReplicasText, OsdsThatCouldNotBeJudged_AreReported) {
  ReplicaStudy unsure = nobody();
  unsure.replicas.told.members[0].told = Verdict::scarce;
  unsure.replicas.told.members[3].told = Verdict::inseparable;
  const auto said = replicas_verdict(unsure);
  EXPECT_THAT(said.at(1), HasSubstr("Too few PGs to judge: osd.0"));
  EXPECT_THAT(said.at(2), HasSubstr("Not identifiable: osd.3; the acting sets"));
}

TEST(ReplicasText, DisturbedRun_TextAdvisesToRepeatIt) {
  ReplicaStudy moved = study();
  moved.record.grade.value = record::GradeValue::contaminated;
  EXPECT_THAT(replicas_verdict(moved).back(), HasSubstr("repeat it"));
}

TEST(ReplicasJson, KeysThatScriptsRelyOn) {
  const json said = json::parse(replicas_json(study()));
  EXPECT_EQ(said["schema"], "radosload.replicas/1");
  EXPECT_EQ(said["slow"], json::array({2}));
  EXPECT_EQ(said["peers"], json::parse("[[0,1,2,3]]"));
  EXPECT_EQ(said["p99_us"], 40'000);
  const json& osd = said["osds"][2];
  EXPECT_EQ(osd["verdict"], "slow");
  EXPECT_EQ(osd["p99_us_without"], 9'000);
  EXPECT_NEAR(osd["effect"]["low"].get<double>(), 2.6, 1e-9);
  EXPECT_EQ(osd["hosts"], json::array({"node1"}));
  EXPECT_EQ(said["osds"][3]["p99_us_without"], nullptr);
  EXPECT_EQ(said["left_out"]["moved"], 7);
  EXPECT_FALSE(said["text"].empty());
}

}  // namespace
}  // namespace radosload::views
