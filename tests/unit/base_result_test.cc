#include <gtest/gtest.h>

#include "radosload/op.h"
#include "radosload/outcome.h"
#include "radosload/result.h"

namespace radosload {
namespace {

TEST(Errors, SayWhatWasTriedOnWhatWhyAndWhatNext) {
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
