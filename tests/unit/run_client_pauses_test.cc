// What a client that did not run means for a run: a share of what its operations waited, its grade,
// and its slowest operations.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "run/client_pauses.h"

namespace radosload::run {
namespace {

using record::GradeValue;
using record::PauseCause;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

watch::ClientWitness::Seen seen(const std::vector<record::Pause>& pauses) {
  watch::ClientWitness::Seen all;
  for (const record::Pause& pause : pauses) {
    all.pauses.add(pause);
    all.squares += radosload::seconds(pause.length) * radosload::seconds(pause.length);
  }
  return all;
}

// 60 s of one operation after the other.
constexpr Waiting closed = {.measured = seconds(60), .sum_s = 60, .mean_s = 0.001};

// All in one, as in a record.
record::Grade together(const std::vector<record::Grade>& grades) {
  record::Grade all{.value = GradeValue::unwatched, .reasons = {}};
  for (const record::Grade& grade : grades) {
    all.value = std::max(all.value, grade.value);
    all.reasons.insert(all.reasons.end(), grade.reasons.begin(), grade.reasons.end());
  }
  return all;
}

record::Grade grade_with(const std::vector<record::Pause>& pauses, const Waiting& waiting) {
  record::ClientLoad load;
  add_witness(seen(pauses), waiting, load);
  return together(grades_of(load, waiting));
}

TEST(ClientPauses, StopOf3sIn60s_ContaminatesWithTimeAndCause) {
  const auto grade = grade_with({{.from = seconds(12), .length = milliseconds(2990)}}, closed);
  EXPECT_EQ(grade.value, GradeValue::contaminated);
  EXPECT_THAT(grade.reasons,
              ElementsAre("this client did not run for 2.99 s at 12 s (it was stopped, or had no "
                          "CPU): 5.0 % of what its operations waited"));
}

TEST(ClientPauses, HalfACpu_ContaminatesByTheLimitOfTheCgroup) {
  std::vector<record::Pause> pauses;
  for (int i = 0; i < 600; ++i) {
    pauses.push_back({.from = milliseconds(100 * i),
                      .length = milliseconds(i == 7 ? 60 : 50),
                      .cause = PauseCause::throttled});
  }
  const auto all = seen(pauses);
  EXPECT_EQ(all.pauses.longest.size(), record::Pauses::most_listed);
  const auto grade = grade_with(pauses, closed);
  EXPECT_EQ(grade.value, GradeValue::contaminated);
  EXPECT_THAT(grade.reasons,
              ElementsAre("this client did not run 600 times, for 30 s in all, at most 60 ms "
                          "at 1 s (the limit of its cgroup for CPU time was reached): 50.0 % of "
                          "what its operations waited"));
}

TEST(ClientPauses, ShortOnesAreNotedAndVeryShortOnesAreNot) {
  const auto noted = grade_with({{.from = seconds(1), .length = seconds(1)}}, closed);
  EXPECT_EQ(noted.value, GradeValue::unwatched) << "it makes no grade worse";
  EXPECT_THAT(noted.reasons, ElementsAre(HasSubstr("1.7 % of what")));
  EXPECT_THAT(grade_with({{.from = seconds(1), .length = milliseconds(500)}}, closed).reasons,
              IsEmpty());
  EXPECT_THAT(grade_with({}, closed).reasons, IsEmpty());
  const Waiting brief = {.measured = seconds(1), .sum_s = 1, .mean_s = 0.001};
  const auto hiccup = grade_with({{.from = Time(0), .length = milliseconds(100)}}, brief);
  EXPECT_EQ(hiccup.value, GradeValue::unwatched);
  EXPECT_THAT(hiccup.reasons, ElementsAre(HasSubstr("10.0 % of what")));
}

// 100 operations a second of 10 ms each: 1 s of 60 s holds 100 more, which wait half of it each.
TEST(ClientPauses, InAnOpenLoopWhatBecomesDueWaitsAlso) {
  const Waiting open = {.measured = seconds(60), .sum_s = 60, .mean_s = 0.01, .open = true};
  const auto all = seen({{.from = seconds(10), .length = seconds(1)}});
  EXPECT_DOUBLE_EQ(share_in_pauses(all, open), 1 / 60.0 + 1 / (2 * 60 * 0.01));
  EXPECT_DOUBLE_EQ(share_in_pauses(all, closed), 1 / 60.0);
  EXPECT_DOUBLE_EQ(share_in_pauses(seen({{.from = Time(0), .length = seconds(50)}}), open), 1);
}

TEST(ClientPauses, ThreadsThatWaitForACpu_AreNotedAndContaminate) {
  const auto reasons_of = [](double wait_s) {
    record::ClientLoad load{.cpu_wait = Time(static_cast<Time::rep>(wait_s * 1e9))};
    return together(grades_of(load, closed));
  };
  EXPECT_THAT(reasons_of(4).reasons, IsEmpty()) << "beside OSDs on the same machine";
  EXPECT_THAT(reasons_of(9).reasons, ElementsAre(HasSubstr("for 15 % of what its operations")));
  EXPECT_EQ(reasons_of(9).value, GradeValue::unwatched);
  EXPECT_EQ(reasons_of(20).value, GradeValue::contaminated);
}

TEST(ClientPauses, SlowOperationsThatWaitedInOne_NameNoOsd) {
  const auto all = seen({{.from = seconds(10), .length = seconds(2)}});
  const record::Waited on_osd{.where = record::Wait::queue, .longest = milliseconds(900)};
  const auto op = [](Time at, Time service, Time response) {
    return record::SlowOp{.object = "object", .at = at, .service = service, .response = response};
  };
  std::vector<record::SlowOp> slowest = {op(milliseconds(9900), seconds(3), seconds(3)),
                                         op(seconds(9), seconds(6), seconds(6)),
                                         // Sent after the pause, due in it.
                                         op(seconds(12), milliseconds(1), milliseconds(1501)),
                                         op(seconds(30), seconds(1), seconds(1))};
  for (const std::size_t i : {0U, 1U, 3U}) slowest[i].waited = on_osd;
  blame_pauses(all.pauses, slowest);
  EXPECT_EQ(slowest[0].waited->where, record::Wait::client);
  EXPECT_EQ(slowest[0].waited->longest, seconds(2));
  EXPECT_EQ(slowest[1].waited, on_osd) << "most of its time was outside";
  EXPECT_EQ(slowest[2].waited->where, record::Wait::client);
  EXPECT_EQ(slowest[3].waited, on_osd);
}

}  // namespace
}  // namespace radosload::run
