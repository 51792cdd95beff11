// The joint record is the record that one process would have made of all operations.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "session/joint.h"

namespace radosload::session {
namespace {

using record::Interval;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Time second = seconds(1);

// A second in which operations with these latencies were sent and answered.
Interval second_with(Time start, const std::vector<std::uint64_t>& latencies) {
  Interval interval;
  interval.start = start;
  interval.length = second;
  record::Cell& cell = record::cell_for(interval.kinds, no_osd, OpKind::read);
  for (const std::uint64_t ns : latencies) {
    cell.latency.add(ns, ns);
    ++interval.measured.submitted;
    ++interval.measured.completed;
    ++cell.finished.ops;
    cell.finished.bytes += 4096;
    cell.bytes += 4096;
  }
  if (latencies.empty()) interval.kinds.clear();
  for (const std::uint64_t ns : latencies) {
    const auto osd = static_cast<std::int32_t>(ns % 3);
    record::cell_for(interval.osds, osd, OpKind::read).latency.add(ns, ns);
  }
  return interval;
}

MemberLines member_with(std::string who, const std::vector<std::vector<std::uint64_t>>& by_second,
                        bool ends = true) {
  MemberLines member{.who = std::move(who), .lines = {}, .missing = {}};
  record::RunHeader header;
  header.plan.pattern.name = "randread4k";
  header.plan.extent.time = second * static_cast<int>(by_second.size());
  member.lines.emplace_back(header);
  record::RunFooter footer;
  footer.ended_by = record::EndedBy::time;
  Time at{0};
  for (const auto& latencies : by_second) {
    const Interval interval = second_with(at, latencies);
    footer.measured_flow += interval.measured;
    member.lines.emplace_back(record::packed(interval));
    at += second;
  }
  footer.measured = footer.last_answer = at;
  if (ends) member.lines.emplace_back(footer);
  return member;
}

JointPlan plan_of_all() {
  JointPlan joint{.session = "s", .run_id = "20261125-090000000-abcd", .plan = {}, .ended = {}};
  joint.plan.pattern.name = "randread4k";
  return joint;
}

using Latencies = std::vector<std::vector<std::uint64_t>>;  // by second

Result<record::RunRecord> joint_record(const JointPlan& plan, std::vector<MemberLines> members) {
  JointRecord joint(plan);
  for (MemberLines& member : members) joint.add(std::move(member));
  return std::move(joint).finish();
}

RC_GTEST_PROP(SessionJoint, PartsTogetherAreTheWholeBitForBit, ()) {
  const auto length = *rc::gen::inRange<std::size_t>(1, 6);
  const auto members = *rc::gen::inRange<std::size_t>(1, 6);
  Latencies whole(length);
  std::vector<Latencies> parts(members, Latencies(length));
  for (std::size_t at = 0; at < length; ++at) {
    const auto latencies = *rc::gen::container<std::vector<std::uint64_t>>(
        rc::gen::inRange<std::uint64_t>(1, 1U << 30U));
    for (const std::uint64_t ns : latencies) {
      whole[at].push_back(ns);
      parts[*rc::gen::inRange<std::size_t>(0, members)][at].push_back(ns);
    }
  }
  std::vector<MemberLines> lines;
  for (std::size_t i = 0; i < members; ++i) {
    lines.push_back(member_with("m" + std::to_string(i), parts[i]));
  }
  const auto joint = joint_record(plan_of_all(), lines).value();
  const auto one = joint_record(plan_of_all(), {member_with("one", whole)}).value();
  RC_ASSERT(joint.kinds == one.kinds);
  RC_ASSERT(joint.osds == one.osds);
  RC_ASSERT(joint.measured_flow == one.measured_flow);
  RC_ASSERT(joint.measured == one.measured);
  RC_ASSERT(joint.timeline.size() == one.timeline.size());
  RC_ASSERT(!record::conservation_violation(joint).has_value());
  RC_ASSERT(joint.status == record::RunStatus::complete);
}

RC_GTEST_PROP(SessionJoint, OrderOfMembersChangesNoFigure, ()) {
  const Latencies one = {{5, 7}, {9}};
  const Latencies other = {{1000}, {2, 3}};
  const Latencies third = {{}, {77}};
  std::vector<MemberLines> lines = {member_with("a", one), member_with("b", other),
                                    member_with("c", third)};
  const auto before = joint_record(plan_of_all(), lines).value();
  std::rotate(lines.begin(), lines.begin() + *rc::gen::inRange(0, 3), lines.end());
  const auto after = joint_record(plan_of_all(), lines).value();
  RC_ASSERT(before.kinds == after.kinds);
  RC_ASSERT(before.timeline == after.timeline);
}

std::string warnings_of(const record::RunRecord& record) {
  std::string all;
  for (const std::string& warning : record.warnings) all += warning + "\n";
  return all;
}

TEST(SessionJoint, MemberLostInMidRun_FiguresStopWhereItDidAndItIsNamed) {
  const Latencies four(4, {100, 200});
  MemberLines dead = member_with("pid 7 on b", Latencies(2, {100}), false);
  dead.missing = "its process has ended";
  // It was to last as long as the others.
  std::get<record::RunHeader>(dead.lines[0]).plan.extent.time = seconds(4);
  const auto joint = joint_record(plan_of_all(), {dead, member_with("pid 5 on a", four)}).value();
  EXPECT_EQ(joint.measured, seconds(2));
  EXPECT_EQ(record::total_of(joint.kinds).ops(), 6U);
  EXPECT_EQ(joint.status, record::RunStatus::incomplete);
  EXPECT_EQ(joint.grade.value, record::GradeValue::contaminated);
  EXPECT_EQ(record::conservation_violation(joint), std::nullopt);
  EXPECT_THAT(warnings_of(joint),
              AllOf(HasSubstr("pid 7 on b was lost (its process has ended): it is missing from "
                              "second 2 on, which is about 2 operations"),
                    HasSubstr("2 seconds that all members have in common")));
}

TEST(SessionJoint, SecondThatWasCutLate_IsNoGap) {
  MemberLines late = member_with("late", Latencies(2, {100}));
  auto& first = std::get<record::PackedInterval>(late.lines[1]).bare;
  auto& second = std::get<record::PackedInterval>(late.lines[2]).bare;
  first.length += std::chrono::milliseconds(700);
  second.start += std::chrono::milliseconds(700);
  second.length -= std::chrono::milliseconds(700);
  late.lines.pop_back();
  late.missing = "its process has ended";
  const auto joint =
      joint_record(plan_of_all(), {member_with("a", Latencies(3, {100})), late}).value();
  EXPECT_EQ(joint.measured, seconds(2));
}

TEST(SessionJoint, MemberThatRecordedNothing_IsNamedAndCostsNoFigures) {
  MemberLines dead{.who = "pid 7 on b", .lines = {}, .missing = "no sign of life for 25 s"};
  const auto joint =
      joint_record(plan_of_all(), {member_with("pid 5 on a", Latencies(3, {100})), dead}).value();
  EXPECT_EQ(joint.measured, seconds(3));
  EXPECT_EQ(joint.status, record::RunStatus::incomplete);
  EXPECT_THAT(warnings_of(joint),
              AllOf(HasSubstr("it recorded nothing"),
                    HasSubstr("3 seconds that the 1 of 2 members with a record have in common")));
  EXPECT_EQ(joint.members[1].until, Time(0));
  EXPECT_EQ(joint.members[1].run_id, "");
}

// Each member sees the sizes of the images, and follows the blocks of its own of the same blocks.
TEST(SessionJoint, OfImages_HasTheirSizesAndCountsTheirBlocksOnce) {
  JointPlan joint = plan_of_all();
  joint.plan.pattern.working_set = gib(1);
  std::vector<MemberLines> lines = {member_with("a", {{5}}), member_with("b", {{7}})};
  std::uint64_t writes = 10;
  for (MemberLines& member : lines) {
    std::get<record::RunHeader>(member.lines.front()).plan.pattern.working_set = mib(128);
    std::get<record::RunFooter>(member.lines.back()).verification = Verification{
        .blocks = 32'768, .followed = 32'768, .acknowledged = writes++, .read_back = 4};
  }
  const auto record = joint_record(joint, lines).value();
  EXPECT_EQ(record.header.plan.pattern.working_set, mib(128));
  ASSERT_TRUE(record.verification);
  EXPECT_EQ(record.verification->blocks, 32'768U);
  EXPECT_EQ(record.verification->followed, 32'768U);
  EXPECT_EQ(record.verification->acknowledged, 21U);
  EXPECT_EQ(record.verification->read_back, 8U);
}

TEST(SessionJoint, NoMemberMeasuredASecond_IsAnError) {
  MemberLines dead{.who = "x", .lines = {}, .missing = "its process has ended"};
  const auto joint = joint_record(plan_of_all(), {dead});
  ASSERT_FALSE(joint);
  EXPECT_THAT(joint.error().message(), HasSubstr("no member has measured a whole second"));
}

TEST(SessionJoint, MemberThatLeft_IsNamedWithItsSecondsAndTheRecordIsPartial) {
  MemberLines left = member_with("pid 7 on b", Latencies(3, {100}));
  left.missing = "it left (SIGINT)";
  std::get<record::RunHeader>(left.lines[0]).plan.extent.time = seconds(5);
  auto& footer = std::get<record::RunFooter>(left.lines.back());
  footer.ended_by = record::EndedBy::sigint;
  footer.measured += std::chrono::milliseconds(400);
  const auto joint =
      joint_record(plan_of_all(), {member_with("pid 5 on a", Latencies(5, {100, 200})), left})
          .value();
  EXPECT_EQ(joint.status, record::RunStatus::incomplete);
  EXPECT_EQ(joint.ended_by, record::EndedBy::nothing);
  EXPECT_EQ(joint.measured, seconds(3));
  EXPECT_EQ(record::total_of(joint.kinds).ops(), 9U);
  EXPECT_THAT(warnings_of(joint),
              HasSubstr("pid 7 on b left (SIGINT): it is missing from second 3 on, which is about "
                        "2 operations at its rate until then\n"));
  EXPECT_EQ(joint.members[1].missing, "it left (SIGINT)");
  EXPECT_EQ(joint.members[1].until, seconds(3));
  EXPECT_EQ(joint.members[1].ops, 3U);
  EXPECT_EQ(joint.members[0].missing, "");
  EXPECT_EQ(joint.members[0].until, seconds(5));
  EXPECT_EQ(joint.members[0].ops, 6U) << "of the seconds that all have in common";
}

TEST(SessionJoint, EachMember_HasItsOwnFigures) {
  const std::vector<std::uint64_t> slow(500, 3'000'000);
  const std::vector<std::uint64_t> fast(1000, 2'500'000);
  MemberLines one = member_with("pid 5 on a", {slow, slow});
  one.start_delay = std::chrono::microseconds(50);
  std::get<record::RunHeader>(one.lines[0]).run_id = "20261125-090000001-aaaa";
  MemberLines other = member_with("pid 6 on b", {fast, fast});
  other.start_delay = std::chrono::microseconds(150);
  other.clock_bound = std::chrono::microseconds(300);
  std::get<record::RunHeader>(other.lines[0]).run_id = "20261125-090000002-bbbb";
  const auto joint = joint_record(plan_of_all(), {one, other}).value();
  ASSERT_EQ(joint.events.size(), 1U);
  EXPECT_EQ(joint.events[0].kind, "session");
  EXPECT_EQ(joint.events[0].text, "s, 2 members; all began within 600 us");
  const std::vector<record::SessionMember> expected = {
      {.number = 1,
       .who = "pid 5 on a",
       .run_id = "20261125-090000001-aaaa",
       .until = seconds(2),
       .ops = 1000,
       .iops = 500,
       .p50 = Time(3'000'000),
       .p99 = Time(3'000'000),
       .start_delay = std::chrono::microseconds(50),
       .clock_bound = Time(0)},
      {.number = 2,
       .who = "pid 6 on b",
       .run_id = "20261125-090000002-bbbb",
       .until = seconds(2),
       .ops = 2000,
       .iops = 1000,
       .p50 = Time(2'500'000),
       .p99 = Time(2'500'000),
       .start_delay = std::chrono::microseconds(150),
       .clock_bound = std::chrono::microseconds(300)}};
  ASSERT_EQ(joint.members.size(), 2U);
  EXPECT_EQ(joint.members[0], expected[0]);
  EXPECT_EQ(joint.members[1], expected[1]);
}

RC_GTEST_PROP(SessionJoint, OperationsOfMembers_AddUpToThoseOfTheRecord, ()) {
  const auto members = *rc::gen::inRange<std::size_t>(1, 5);
  std::vector<MemberLines> lines;
  for (std::size_t i = 0; i < members; ++i) {
    Latencies own(*rc::gen::inRange<std::size_t>(1, 5));
    for (auto& latencies : own) latencies.assign(*rc::gen::inRange<std::size_t>(0, 9), 1000);
    lines.push_back(member_with("m" + std::to_string(i), own));
    if (*rc::gen::arbitrary<bool>()) lines.back().missing = "it left (SIGINT)";
  }
  const auto joint = joint_record(plan_of_all(), lines).value();
  std::uint64_t ops = 0;
  for (const record::SessionMember& member : joint.members) ops += member.ops;
  RC_ASSERT(joint.members.size() == members);
  RC_ASSERT(ops == record::total_of(joint.kinds).ops());
}

TEST(SessionJoint, SlowMember_IsNamed) {
  const std::vector<std::uint64_t> fast(50, 1'000'000);
  const std::vector<std::uint64_t> slow(50, 2'000'000);
  const auto joint =
      joint_record(plan_of_all(),
                   {member_with("a", {fast}), member_with("b", {fast}), member_with("c", {slow})})
          .value();
  EXPECT_THAT(warnings_of(joint), HasSubstr("c stands out: its p50 is 2"));
  EXPECT_THAT(warnings_of(joint), ::testing::Not(HasSubstr("a stands out")));
  EXPECT_FALSE(joint.members[0].stands_out);
  EXPECT_FALSE(joint.members[1].stands_out);
  EXPECT_TRUE(joint.members[2].stands_out);
}

// The same, with more that were given up after 8 s in its first second.
MemberLines losing(MemberLines member, std::uint64_t lost) {
  Interval interval = record::unpacked(std::get<record::PackedInterval>(member.lines[1]));
  record::Cell& cell = record::cell_for(interval.kinds, no_osd, OpKind::read);
  for (std::uint64_t i = 0; i < lost; ++i) {
    cell.lost.service.add(8'000'000'000);
    cell.lost.response.add(8'000'000'000);
  }
  cell.cancelled += lost;
  interval.measured.submitted += lost;
  interval.measured.cancelled += lost;
  member.lines[1] = record::packed(std::move(interval));
  auto& flow = std::get<record::RunFooter>(member.lines.back()).measured_flow;
  flow.submitted += lost;
  flow.cancelled += lost;
  return member;
}

TEST(SessionJoint, LostOperationsOfAMember_CountInItsPercentiles) {
  const std::vector<std::uint64_t> fast(1000, 1'000'000);
  const auto joint =
      joint_record(plan_of_all(), {member_with("a", {fast}), losing(member_with("b", {fast}), 200)})
          .value();
  EXPECT_EQ(record::conservation_violation(joint), std::nullopt);
  EXPECT_EQ(joint.members[0].p99, Time(1'000'000));
  EXPECT_EQ(joint.members[0].lost, 0U);
  EXPECT_EQ(joint.members[1].ops, 1000U);
  EXPECT_EQ(joint.members[1].p50, Time(1'000'000));
  EXPECT_EQ(joint.members[1].p99, std::nullopt) << "it falls among lost operations";
  EXPECT_EQ(joint.members[1].lost, 200U);
  EXPECT_THAT(warnings_of(joint), ::testing::Not(HasSubstr("stands out")));
}

TEST(SessionJoint, MemberThatLosesMoreThanHalf_IsNamed) {
  const std::vector<std::uint64_t> usual(1000, 6'000'000'000);
  const MemberLines good = member_with("a", {usual});
  const MemberLines bad = losing(member_with("b", {usual}), 2000);
  const auto joint = joint_record(plan_of_all(), {good, bad}).value();
  EXPECT_THAT(warnings_of(joint), HasSubstr("b stands out: its p50 is > 8 s, that of the others"));
  // Where the others lose as many, nobody can tell.
  const auto all = joint_record(plan_of_all(), {bad, losing(member_with("c", {usual}), 2000),
                                                losing(member_with("d", {usual}), 2000)})
                       .value();
  EXPECT_THAT(warnings_of(all), ::testing::Not(HasSubstr("stands out")));
}

TEST(SessionJoint, EndedEarly_CountsTheCommonSecondsAndSaysByWhom) {
  JointPlan plan = plan_of_all();
  plan.ended = "SIGINT at pid 5 on a";
  std::vector<MemberLines> lines = {member_with("a", Latencies(3, {100})),
                                    member_with("b", Latencies(4, {100}))};
  for (MemberLines& member : lines) {
    std::get<record::RunFooter>(member.lines.back()).ended_by = record::EndedBy::sigint;
  }
  const auto joint = joint_record(plan, lines).value();
  EXPECT_EQ(joint.measured, seconds(3));
  EXPECT_EQ(joint.status, record::RunStatus::interrupted);
  EXPECT_EQ(joint.ended_by, record::EndedBy::sigint);
  EXPECT_THAT(warnings_of(joint), HasSubstr("ended by SIGINT at pid 5 on a"));
  EXPECT_EQ(joint.grade.value, record::GradeValue::unwatched);
  lines[1].missing = "it left (SIGINT)";
  EXPECT_EQ(joint_record(plan, lines).value().grade.value, record::GradeValue::contaminated);
}

}  // namespace
}  // namespace radosload::session
