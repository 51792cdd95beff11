#include <memory>

#include <gtest/gtest.h>

#include "radosload/op.h"
#include "radosload/outcome.h"
#include "radosload/result.h"

namespace radosload {
namespace {

TEST(Errors, Message_HasAttemptSubjectReasonAndHint) {
  const Error error{.attempt = "read the config",
                    .subject = "/etc/ceph/ceph.conf",
                    .hint = "name another one with --conf",
                    .errnum = EACCES,
                    .exit = Exit::no_cluster};
  EXPECT_EQ(error.message(),
            "cannot read the config /etc/ceph/ceph.conf: Permission denied (EACCES)\n"
            "  name another one with --conf");
}

TEST(Errors, ErrnoTextTakesEitherSign) {
  EXPECT_EQ(errno_text(ENOENT), "No such file or directory (ENOENT)");
  EXPECT_EQ(errno_text(-ENOENT), "No such file or directory (ENOENT)");
  EXPECT_EQ(errno_text(99999), "unknown error (errno 99999)");
}

Status refuse_odd(int number) {
  if (number % 2 != 0) return fail({.attempt = "halve", .subject = std::to_string(number)});
  return {};
}

// Can only be moved, so that a copy of the value would not compile.
Result<std::unique_ptr<int>> half_of(int number) {
  RADOSLOAD_TRY(refuse_odd(number));
  return std::make_unique<int>(number / 2);
}

Result<std::unique_ptr<int>> quarter_of(int number) {
  RADOSLOAD_ASSIGN(const auto half, half_of(number));
  std::unique_ptr<int> quarter;
  RADOSLOAD_ASSIGN(quarter, half_of(*half));
  return quarter;
}

TEST(PassingErrorsUp, FirstFailure_LeavesTheFunctionWithItsError) {
  EXPECT_EQ(**quarter_of(12), 3);
  EXPECT_EQ(quarter_of(5).error().subject, "5");
  EXPECT_EQ(quarter_of(6).error().subject, "3");
}

TEST(PassingErrorsUp, ResultWithAName_IsNotEmptied) {
  const auto twice = [](const Status& status) -> Status {
    RADOSLOAD_TRY(status);
    return {};
  };
  const Status odd = refuse_odd(7);
  EXPECT_EQ(twice(odd).error().subject, "7");
  EXPECT_EQ(odd.error().subject, "7");
}

TEST(PassingErrorsUp, WithoutBraces_OnlyTheGuardedStatementIsSkipped) {
  const auto tried = [](bool guard, int number) -> Status {
    if (guard)
      RADOSLOAD_TRY(refuse_odd(number));
    else
      return fail({.attempt = "guard"});
    return {};
  };
  EXPECT_TRUE(tried(true, 2));
  EXPECT_EQ(tried(true, 3).error().attempt, "halve");
  EXPECT_EQ(tried(false, 2).error().attempt, "guard");
}

TEST(PassingErrorsUp, LambdaWithinTheExpression_MayReturnByItself) {
  const auto sum = [](int left, int right) -> Result<int> {
    RADOSLOAD_ASSIGN(const int both, [&]() -> Result<int> {
      RADOSLOAD_ASSIGN(const auto first, half_of(left));
      RADOSLOAD_ASSIGN(const auto second, half_of(right));
      return *first + *second;
    }());
    return both;
  };
  EXPECT_EQ(sum(2, 4), 3);
  EXPECT_EQ(sum(2, 5).error().subject, "5");
}

TEST(Outcomes, EveryCodeHasAName) {
  EXPECT_EQ(rc_name(-ENOENT), "ENOENT");
  EXPECT_EQ(rc_name(rc_hole), "HOLE");
  EXPECT_EQ(rc_name(rc_short_read), "SHORT_READ");
  EXPECT_EQ(rc_name(rc_stale), "STALE");
  EXPECT_EQ(rc_name(rc_corrupt), "CORRUPT");
  EXPECT_EQ(rc_name(rc_lost_write), "LOST_WRITE");
  EXPECT_EQ(rc_name(rc_never_sent), "NEVER_SENT");
  EXPECT_EQ(rc_name(rc_misdirected), "MISDIRECTED");
  EXPECT_EQ(rc_name(rc_torn), "TORN");
  EXPECT_EQ(rc_name(rc_unanswered), "UNANSWERED");
  EXPECT_EQ(rc_name(rc_unissued), "UNISSUED");
}

TEST(Ops, KindNamesReadBack) {
  for (std::size_t i = 0; i < op_kind_count; ++i) {
    const auto kind = static_cast<OpKind>(i);
    EXPECT_EQ(op_kind_from_name(op_kind_name(kind)), kind);
  }
  EXPECT_FALSE(op_kind_from_name("trim"));
}

}  // namespace
}  // namespace radosload
