// What is written of a study reads back to the same one; and the studies that are shipped.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "study/study_file.h"

namespace radosload::study {
namespace {

using ::testing::HasSubstr;

rc::Gen<std::string> some_names() {
  return rc::gen::element<std::string>("a", "null", "yes", "1.5", "~", "a b", "x: y", "# z",
                                       "\xc3\xbc", "ec-2+1", "-", "'", "\"", "a\\b", "{x}", "[",
                                       "*p", "&q", "!r", "%s", "@t", "`u", "| v", "> w", "? x");
}

std::vector<std::string> one_of_words(const std::vector<std::vector<std::string>>& all) {
  return *rc::gen::elementOf(all);
}

template <typename T, typename Make>
std::vector<T> distinct(std::size_t most, Make make) {
  std::vector<T> all;
  const auto count = *rc::gen::inRange<std::size_t>(0, most + 1);
  for (std::size_t i = 0; i < count; ++i) {
    T one = make();
    one.name += std::to_string(i);
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<std::string> some_options() {
  return one_of_words({{},
                       {"--pool", "p"},
                       {"--pool", "a b'c\"d", "--osd", "0-3,kind=db"},
                       {"--time", "10s", "--warmup", "auto", "--allow-unhealthy=no"},
                       {"--label", "a=1", "--label", "b=x y"},
                       {"--pool", "--qd=2", "--time", "10s"},
                       {"--dist", "--1"},
                       {"--label", "--a=1", "--label", "b=2"},
                       {"--id", "admin", "--cluster", "ceph", "--qd", "4"}});
}

StudyPlan some_plan() {
  StudyPlan plan;
  plan.name = *some_names();
  plan.question = *rc::gen::element<std::string>("", "Is it?", "a\nb: c", "tab\tand \\ and \"");
  plan.arms = distinct<Arm>(4, [] { return Arm{*some_names(), some_options()}; });
  plan.works = distinct<Work>(4, [] {
    return Work{Work::What::pattern, *some_names(),
                one_of_words({{"randread4k"},
                              {"randwrite4k,qd=16,bs=8k", "--clients", "2"},
                              {"randread4k", "--label", "--a=1", "--clients", "2"},
                              {"randread4k,dist=zipf:1.1"}})};
  });
  const auto timers = distinct<Work>(2, [] {
    return Work{Work::What::timer, "t " + *some_names(),
                one_of_words({{"scrub", "--deep"},
                              {"bench", "--bs", "4k"},
                              {"peering", "--restart-cmd", "ssh a 'x' {osd}"}})};
  });
  plan.works.insert(plan.works.end(), timers.begin(), timers.end());
  plan.options = some_options();
  plan.rounds = *rc::gen::inRange(1U, 100U);
  plan.order = *rc::gen::element(Order::shuffled, Order::abba, Order::listed);
  plan.seed = *rc::gen::arbitrary<std::uint64_t>();
  plan.load = *rc::gen::element(Load{}, Load{"500/s", 0}, Load{"5,poisson", 0}, Load{"", 0.6},
                                Load{"", 0.123456789});
  plan.phases = distinct<Phase>(3, [] {
    return Phase{*some_names(), *rc::gen::element<std::string>("", "do it", "a: 'b' # c\nd")};
  });
  if (*rc::gen::arbitrary<bool>())
    plan.probe = Probe{std::chrono::minutes(5), std::chrono::hours(24)};
  plan.require_clean = *rc::gen::arbitrary<bool>();
  plan.keep_objects = *rc::gen::arbitrary<bool>();
  plan.primary = *rc::gen::element<std::string>("", "a: b IOPS", "x p99_us");
  plan.threshold = *rc::gen::element(0.05, 0.025, 0.1, 1.0 / 3, 0.07);
  plan.level = *rc::gen::element(0.95, 0.9, 0.999, 2.0 / 3);
  return plan;
}

RC_GTEST_PROP(StudyText, ReadsBackToTheSameStudy, ()) {
  const StudyPlan plan = some_plan();
  const std::string text = study_text(plan);
  const auto again = read_study(text, "x.yaml");
  if (!again) RC_FAIL(again.error().message() + "\n" + text);
  if (*again != plan) RC_FAIL("another study from\n" + text + "which is\n" + study_text(*again));
}

// ---- the studies that are shipped ----

TEST(ShippedStudies, AllFiveAreFoundReadAndFit) {
  const std::vector<std::string> names = {"before-after", "pool-matrix", "ssd-metadata",
                                          "sync-writes", "wal-vs-db"};
  EXPECT_EQ(study_names(), names);
  for (const std::string& name : names) {
    const auto path = find_study(name);
    ASSERT_TRUE(path) << path.error().message();
    const auto plan = read_study_file(*path);
    ASSERT_TRUE(plan) << plan.error().message();
    EXPECT_EQ(plan->name, name);
    EXPECT_FALSE(plan->question.empty()) << name;
    EXPECT_FALSE(plan->primary.empty()) << name;
    const auto checked = check_study(*plan, name);
    EXPECT_TRUE(checked) << checked.error().message();
    const auto again = read_study(study_text(*plan), name);
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(*again, *plan) << name;
  }
}

TEST(ShippedStudies, AnUnknownNameIsRefusedWithTheNearest) {
  const auto path = find_study("wal-vs-bd");
  ASSERT_FALSE(path);
  EXPECT_EQ(path.error().exit, Exit::usage);
  EXPECT_THAT(path.error().message(), HasSubstr("did you mean wal-vs-db?"));
  EXPECT_EQ(find_study("a/b").value(), "a/b");
  EXPECT_EQ(find_study("b.yaml").value(), "b.yaml");
}

}  // namespace
}  // namespace radosload::study
