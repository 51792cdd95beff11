// Several processes as one load on a real cluster: what they measure together, and what happens
// when one of them is killed.
#include <csignal>
#include <memory>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/sessions.h"
#include "support/grave.h"
#include "support/images.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST_F(Sessions, ThreeProcessesAreOneLoad_OneReportHasTheOperationsOfAll) {
  auto words = closed_loop("three", "3");
  words.insert(words.end(), {"--format", "json"});
  const auto leader = start(words);
  const auto second = start(join("three"));
  const auto third = start(join("three"));
  const Finished done = leader->wait();
  const Finished second_done = second->wait();
  const Finished third_done = third->wait();
  ASSERT_EQ(done.status, 0) << done.err << second_done.err << third_done.err;
  EXPECT_EQ(second_done.status, 0) << second_done.err;
  EXPECT_EQ(third_done.status, 0) << third_done.err;
  EXPECT_EQ(second_done.out, "") << "one report only";
  const json record = json::parse(done.out);
  EXPECT_EQ(record["status"], "complete");
  EXPECT_EQ(record["plan"]["qd"], 6);
  EXPECT_EQ(record["plan"]["session"], "three");
  EXPECT_EQ(record["plan"]["members"], "3");
  EXPECT_EQ(record["plan"]["wait"], "2m");
  EXPECT_EQ(record["plan"]["share"], "split");
  EXPECT_THAT(texts(record, "session"), HasSubstr("three, 3 members; all began within"));
  // The sum of the members' own records, which each of them has saved.
  std::uint64_t sum = 0;
  int members = 0;
  const Finished listed = test::run(launch({"list", "--json"}));
  const json runs = json::parse(listed.out)["entries"];
  for (const json& run : runs) {
    if (run["id"] == record["run_id"]) continue;
    const Finished own =
        test::run(launch({"report", run["id"].get<std::string>(), "--format", "json"}));
    sum += all_ops(json::parse(own.out));
    ++members;
  }
  EXPECT_EQ(members, 3);
  EXPECT_EQ(all_ops(record), sum) << wrong_figure;
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Sessions, ImageForEachMember_AllAreMeasuredAndRemoved) {
  auto words = first("images", "3");
  words.insert(words.end(), {"--create", "16M", "--format", "json"});
  const auto leader = start(words);
  const auto second = start(join("images"));
  const auto third = start(join("images"));
  const Finished done = leader->wait();
  const Finished second_done = second->wait();
  const Finished third_done = third->wait();
  ASSERT_EQ(done.status, 0) << done.err << second_done.err << third_done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["status"], "complete");
  EXPECT_EQ(record["environment"]["images"].size(), 3U) << record["environment"];
  ASSERT_EQ(record["members"].size(), 3U);
  std::uint64_t ops = 0;
  for (const json& member : record["members"]) {
    EXPECT_GT(member["ops"], 0) << member;
    ops += member["ops"].get<std::uint64_t>();
    // Its reads are held against its own writes.
    const Finished own =
        test::run(launch({"report", member["run_id"].get<std::string>(), "--format", "json"}));
    EXPECT_EQ(json::parse(own.out)["plan"]["verify"], "generation") << own.err;
  }
  EXPECT_EQ(all_ops(record), ops) << wrong_figure;
  EXPECT_TRUE(record["totals"]["all"]["errors"].empty()) << record["totals"];
  EXPECT_EQ(rbd({"ls", "ssd"}).out, "");
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Sessions, ExistingImages_OneForEachMemberIsOverwrittenAndStays) {
  for (const char* const name : {"ssd/theirs-a", "ssd/theirs-b"}) {
    ASSERT_EQ(rbd({"create", "--size", "16M", "--object-size", "256K", name}).status, 0);
  }
  auto words = first("existing", "2");
  words.insert(words.end(), {"--image", "theirs-a,theirs-b", "--destroy-data"});
  const auto leader = start(words);
  const Finished joined = start(join("existing"))->wait();
  const Finished done = leader->wait();
  EXPECT_EQ(done.status, 0) << done.err << joined.err;
  EXPECT_EQ(joined.status, 0) << joined.err;
  EXPECT_EQ(rbd({"ls", "ssd"}).out, "theirs-a\ntheirs-b\n");
  for (const char* const name : {"ssd/theirs-a", "ssd/theirs-b"}) {
    EXPECT_EQ(rbd({"rm", "--no-progress", name}).status, 0);
  }
  EXPECT_EQ(names_in("ssd"), "");
}

// One that all write to is refused by the first member before anything is written.
TEST_F(Sessions, OneImageWithAnExclusiveLock_IsRefusedToAll) {
  ASSERT_EQ(rbd({"create", "--size", "16M", "--object-size", "256K", "ssd/shared"}).status, 0);
  auto words = first("lock", "2");
  words.insert(words.end(), {"--image", "shared", "--destroy-data"});
  const auto leader = start(words);
  const Finished joined = start(join("lock"))->wait();
  const Finished done = leader->wait();
  EXPECT_EQ(done.status, 4) << done.err;
  EXPECT_THAT(done.err, HasSubstr("2 clients would pass its exclusive lock to each other"));
  EXPECT_NE(joined.status, 0);
  EXPECT_THAT(joined.err, HasSubstr("exclusive lock"));
  EXPECT_EQ(rbd({"rm", "--no-progress", "ssd/shared"}).status, 0);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Sessions, MemberKilledInMidRun_ResultIsPartialAndNamesIt) {
  auto words = first("killed", "2", long_enough());
  words.insert(words.end(), {"--format", "json"});
  const auto leader = start(words);
  const auto member = start(join("killed"));
  ASSERT_TRUE(await_records(*member, "killed", 2));
  member->signal(SIGKILL);
  member->wait();
  const Finished done = leader->wait();
  ASSERT_EQ(done.status, 1) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["status"], "incomplete");
  EXPECT_THAT(warnings(record),
              HasSubstr("was lost (its process has ended): it is missing from second"));
  EXPECT_GE(record["measured_s"], 1);
  EXPECT_LT(record["measured_s"], long_s);
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Sessions, LeaderKilledInMidRun_AnotherReportsAndCleansUp) {
  const auto leader = start(first("headless", "2", long_enough()));
  auto words = join("headless");
  words.insert(words.end(), {"--format", "json"});
  const auto member = start(words);
  ASSERT_TRUE(await_records(*leader, "headless", 2));
  leader->signal(SIGKILL);
  leader->wait();
  const Finished done = member->wait();
  ASSERT_EQ(done.status, 1) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["status"], "incomplete");
  EXPECT_THAT(warnings(record), HasSubstr("was lost"));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Sessions, MemberLeaves_OthersGoOnAndTheResultNamesIt) {
  auto words = first("leave", "3", long_enough());
  words.insert(words.end(), {"--format", "json"});
  auto leaving = join("leave");
  leaving.emplace_back("--leave");
  const auto leader = start(words);
  const auto stays = start(join("leave"));
  const auto leaves = start(leaving);
  ASSERT_TRUE(await_second(*leaves, 3));
  leaves->signal(SIGINT);
  const Finished left = leaves->wait();
  EXPECT_EQ(left.status, 130) << left.err;
  EXPECT_THAT(left.err, AllOf(HasSubstr("left session leave; the others continue and print"),
                              HasSubstr("this member's own record is /")));
  EXPECT_EQ(left.out, "");
  const Finished stayed = stays->wait();
  EXPECT_EQ(stayed.status, 0) << stayed.err;
  const Finished done = leader->wait();
  ASSERT_EQ(done.status, 1) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["status"], "incomplete");
  EXPECT_THAT(warnings(record),
              ContainsRegex("left .SIGINT.: it is missing from second [0-9]+ on"));
  ASSERT_EQ(record["members"].size(), 3U);
  std::uint64_t ops = 0;
  int missing = 0;
  for (const json& member : record["members"]) {
    ops += member["ops"].get<std::uint64_t>();
    const bool gone = member["missing"] == "it left (SIGINT)";
    missing += gone ? 1 : 0;
    EXPECT_GT(member["ops"], 0) << member;
    // Each has a record of its own.
    const Finished shown =
        test::run(launch({"report", member["run_id"].get<std::string>(), "--format", "json"}));
    EXPECT_EQ(shown.status, 0) << shown.err;
    const json own = json::parse(shown.out);
    EXPECT_EQ(own["status"], gone ? "interrupted" : "complete");
    const double own_s = own["measured_s"];
    EXPECT_GE(own_s, gone ? 1 : long_s);
    EXPECT_EQ(own_s < long_s, gone) << "the others measure to the end";
    EXPECT_NEAR(member["until_s"].get<double>(), own_s, 1) << member;
  }
  EXPECT_EQ(missing, 1);
  EXPECT_EQ(all_ops(record), ops) << wrong_figure;
  EXPECT_EQ(names_in("ssd"), "");
}

// The picture is wiped at the end, and what a person is to read comes after that.
TEST_F(Sessions, OnTerminals_EachMemberShowsAllAndLastWordsStay) {
  const auto on_terminal = [this](std::vector<std::string> words) {
    Launch command = launch(std::move(words));
    command.err = Sink::terminal;
    return std::make_unique<Process>(std::move(command));
  };
  const auto leader = on_terminal(first("seen", "2", long_enough()));
  const auto member = on_terminal(join("seen"));
  EXPECT_TRUE(leader->wait_for_output("all 2 members: "));
  EXPECT_TRUE(leader->wait_for_output("lowest: pid "));
  const Finished joined = member->wait();
  const Finished done = leader->wait();
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(joined.err, HasSubstr("all 2 members: ")) << "the leader tells the others";
  const auto said = joined.err.rfind("prints the joint report");
  ASSERT_NE(said, std::string::npos) << joined.err;
  const auto wiped = joined.err.rfind("\x1b[J");
  ASSERT_NE(wiped, std::string::npos) << joined.err;
  EXPECT_LT(wiped, said) << "what is said last is wiped away";
}

TEST_F(Sessions, SecondOfTheSameName_IsRefusedAndDisturbsNothing) {
  const auto leader = start(first("twice", "1", until_ended()));
  ASSERT_TRUE(await_second(*leader, 1));
  const Finished late = test::run(launch(first("twice", "1", until_ended())));
  EXPECT_EQ(late.status, 4) << late.err;
  EXPECT_THAT(late.err, HasSubstr("it has begun with 1 members without this one"));
  auto other = first("twice", "1", until_ended());
  other[4] = "randread4k,size=16M,qd=6";
  const Finished different = test::run(launch(other));
  EXPECT_EQ(different.status, 4) << different.err;
  EXPECT_TRUE(await_more_seconds(*leader, 1));
  leader->signal(SIGINT);
  const Finished done = leader->wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Sessions, AllKilled_CleanupFindsWhatTheyLeft) {
  // One member: the watches of others on what it has noted last for half a minute after their
  // death.
  const auto leader = start(first("dead", "1", until_ended()));
  ASSERT_TRUE(await_second(*leader, 1));
  const Finished while_alive = radosload_here({"cleanup", "--yes", "--pool", "ssd"});
  EXPECT_THAT(while_alive.out, HasSubstr("session dead: left alone, it is in use by pid"));
  leader->signal(SIGKILL);
  leader->wait();
  EXPECT_THAT(names_in("ssd"), HasSubstr("radosload.session.dead.hub"));
  const Finished cleaned = radosload_here({"cleanup", "--yes", "--pool", "ssd"});
  EXPECT_EQ(cleaned.status, 0) << cleaned.err;
  EXPECT_THAT(cleaned.out, HasSubstr("session dead: "));
  EXPECT_EQ(names_in("ssd"), "") << cleaned.out << cleaned.err;
}

TEST_F(Sessions, ThatBeginsWhileCleanupsRun_IsLeftAlone) {
  const auto member = start(first("newborn", "1", until_ended()));
  bool measuring = false;
  int cleanups = 0;
  while (!measuring) {
    const Finished cleaned = radosload_here({"cleanup", "--yes", "--pool", "ssd"});
    EXPECT_THAT(cleaned.out, Not(ContainsRegex("session newborn: [0-9]"))) << cleaned.out;
    ++cleanups;
    measuring = static_cast<bool>(await_second(*member, 3, milliseconds(1)));
    ASSERT_LT(cleanups, 200);
  }
  const Finished cleaned = radosload_here({"cleanup", "--yes", "--pool", "ssd"});
  EXPECT_THAT(cleaned.out, HasSubstr("session newborn: left alone"));
  member->signal(SIGINT);
  const Finished done = member->wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(Sessions, InterruptOfOneMember_EndsAllAndIsReported) {
  auto words = first("stopped", "2", until_ended());
  words.insert(words.end(), {"--format", "json"});
  const auto leader = start(words);
  const auto member = start(join("stopped"));
  ASSERT_TRUE(await_second(*member, 3));
  member->signal(SIGINT);
  const Finished member_done = member->wait();
  const Finished done = leader->wait();
  EXPECT_EQ(member_done.status, 130) << member_done.err;
  EXPECT_EQ(done.status, 130) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["status"], "interrupted");
  EXPECT_EQ(record["ended_by"], "SIGINT");
  EXPECT_THAT(warnings(record), HasSubstr("ended by SIGINT at pid"));
  EXPECT_EQ(names_in("ssd"), "");
}

}  // namespace
}  // namespace radosload::test
