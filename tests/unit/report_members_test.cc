// The table of the members of a session.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/members_text.h"
#include "report/text.h"
#include "unit/report_support.h"

namespace radosload::report {
namespace {

using record::RunRecord;
using record::SessionMember;
using std::chrono::microseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

SessionMember member_of(std::uint32_t number, std::string who) {
  return {.number = number,
          .who = std::move(who),
          .run_id = "20261125-090000000-abcd",
          .until = seconds(60),
          .ops = 12'345,
          .iops = 205.75,
          .p50 = microseconds(610),
          .p99 = microseconds(1250),
          .start_delay = microseconds(50),
          .clock_bound = microseconds(300)};
}

TEST(MembersTable, ShowsTheFiguresOfEach) {
  RunRecord record;
  record.members = {member_of(1, "pid 5 on a"), member_of(2, "pid 6 on bb")};
  record.members[1].start_delay = microseconds(1150);
  EXPECT_EQ(members_table(record),
            "  member          ops  IOPS  p50 ms  p99 ms  began after us\n"
            "  pid 5 on a   12,345   206   0.610    1.25              50\n"
            "  pid 6 on bb  12,345   206   0.610    1.25           1,150\n");
}

TEST(MembersTable, RemarksNameWhatStandsOutAndWhatIsMissing) {
  RunRecord record;
  record.members = {member_of(1, "pid 5 on a"), member_of(2, "pid 6 on b"), {.who = "pid 7 on c"}};
  record.members[0].stands_out = true;
  record.members[1].missing = "it left (SIGINT)";
  record.members[1].until = seconds(5);
  record.members[2].missing = "its process has ended";
  EXPECT_EQ(members_table(record),
            "  member         ops  IOPS  p50 ms  p99 ms  began after us\n"
            "  pid 5 on a  12,345   206   0.610    1.25              50  stands out\n"
            "  pid 6 on b  12,345   206   0.610    1.25              50  missing from second 5 on\n"
            "  pid 7 on c       0     0       -       -               -  recorded nothing\n");
}

TEST(MembersTable, PercentileAmongLostOperations_IsLost) {
  RunRecord record;
  record.members = {member_of(1, "pid 5 on a")};
  record.members[0].p99.reset();
  record.members[0].lost = 200;
  EXPECT_THAT(members_table(record), HasSubstr("0.610    lost"));
  record.members[0].ops = 100;
  EXPECT_THAT(members_table(record), AllOf(HasSubstr("0.610       -"), Not(HasSubstr("lost"))));
}

TEST(MembersTable, RunOfOneProcess_HasNone) {
  EXPECT_EQ(members_table({}), "");
  RunRecord record = testing::run_of({});
  EXPECT_THAT(text(record, "", {}), Not(HasSubstr("began after")));
  record.members = {member_of(1, "pid 5 on a")};
  EXPECT_THAT(text(record, "", {}), HasSubstr("\n  member "));
}

}  // namespace
}  // namespace radosload::report
