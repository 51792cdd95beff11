// What `radosload cleanup` asks before it removes anything.

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/cluster.h"
#include "support/leftovers.h"
#include "support/pool.h"

namespace radosload::test {
namespace {

using namespace testing;  // matchers

TEST(CleanupCommand, WithoutYesAndTerminal_ListsWhatItWouldRemoveAndRemovesNothing) {
  TestNamespace test_namespace("ssd");
  test_namespace.leave_killed("run-a", 7, 7);
  const std::size_t before = test_namespace.names().size();
  const Finished run =
      radosload_here({"cleanup", "--pool", "ssd", "--namespace", test_namespace.nspace()});
  EXPECT_EQ(run.status, 4) << run.err;
  EXPECT_THAT(run.out, HasSubstr("run-a: up to 7 objects would be removed"));
  EXPECT_THAT(run.err, HasSubstr("nothing is removed without --yes"));
  EXPECT_THAT(test_namespace.names(), SizeIs(before));
}

// What a person answers to the question on a terminal, and what is left then.
struct Answer {
  const char* name;
  const char* typed;
  int status;
  bool removed;
};

class CleanupQuestion : public testing::TestWithParam<Answer> {};

TEST_P(CleanupQuestion, OnATerminal_OnlyYRemovesWhatWasShown) {
  TestNamespace test_namespace("ssd");
  test_namespace.leave_killed("run-a", 7, 7);
  const std::size_t before = test_namespace.names().size();
  Process process({.words = {radosload_path(), "cleanup", "--conf", cluster_conf(), "--pool", "ssd",
                             "--namespace", test_namespace.nspace()},
                   .env = {{"CEPH_CONF", ""}, {"CEPH_ARGS", ""}, {"CEPH_KEYRING", ""}},
                   .err = Sink::own_terminal,
                   .typed_on_err = true});
  ASSERT_TRUE(process.wait_for_output("Remove this? [y/N]"));
  process.type(GetParam().typed);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, GetParam().status) << done.err;
  EXPECT_THAT(done.err, HasSubstr("run-a: up to 7 objects would be removed"));
  if (GetParam().removed) {
    EXPECT_THAT(test_namespace.names(), IsEmpty());
    EXPECT_THAT(done.out, HasSubstr("7 objects removed"));
  } else {
    EXPECT_THAT(test_namespace.names(), SizeIs(before));
    EXPECT_EQ(done.out, "");
  }
}

constexpr const char* end_of_file = "\x04";
constexpr const char* ctrl_c = "\x03";

INSTANTIATE_TEST_SUITE_P(Each, CleanupQuestion,
                         testing::Values(Answer{"Yes", "y\n", 0, true},
                                         Answer{"No", "n\n", 4, false},
                                         Answer{"NothingTyped", "\n", 4, false},
                                         Answer{"EndOfFile", end_of_file, 4, false},
                                         Answer{"CtrlC", ctrl_c, 130, false}),
                         [](const auto& one) { return one.param.name; });

TEST(CleanupCommand, ReportsWhatItRemovedAndWhenNothingIsLeft) {
  TestNamespace test_namespace("ssd");
  test_namespace.leave_killed("run-a", 7, 7);
  const std::vector<std::string> words = {"cleanup", "--yes",       "--pool",
                                          "ssd",     "--namespace", test_namespace.nspace()};
  const Finished first = radosload_here(words);
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("run-a: 7 objects removed"));
  const Finished second = radosload_here(words);
  EXPECT_EQ(second.status, 0);
  EXPECT_THAT(second.out, HasSubstr("nothing to clean up"));
  EXPECT_EQ(radosload_here({"cleanup", "--pool", "no-such-pool"}).status, 3);
  EXPECT_EQ(radosload_here({"cleanup"}).status, 2);
}

}  // namespace
}  // namespace radosload::test
