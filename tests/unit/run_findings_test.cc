#include <gtest/gtest.h>

#include "radosload/outcome.h"

#include "run/findings.h"

namespace radosload::run {
namespace {

engine::Finding finding(int rc) {
  engine::Finding result;
  result.rc = rc;
  result.offset = 8704;
  result.found = 5;
  result.other = 6;
  result.floor = 7;
  result.ceiling = 9;
  result.op.offset = 8192;
  result.op.length = 4096;
  return result;
}

TEST(Findings, NameObjectBlockAndGenerations) {
  EXPECT_EQ(
      finding_text(finding(rc_lost_write), "obj.3"),
      "LOST_WRITE: read of 4096 bytes from obj.3 at offset 8192, wrong from byte 8704: it returned "
      "generation 5, but a newer write was acknowledged before; expected 7 to 9");
  EXPECT_EQ(
      finding_text(finding(rc_never_sent), "obj.3"),
      "NEVER_SENT: read of 4096 bytes from obj.3 at offset 8192, wrong from byte 8704: it returned "
      "generation 5, which this run never sent; expected 7 to 9");
  EXPECT_EQ(finding_text(finding(rc_torn), "obj.3"),
            "TORN: read of 4096 bytes from obj.3 at offset 8192, wrong from byte 8704: it returned "
            "parts of "
            "generations 5 and 6");
}

}  // namespace
}  // namespace radosload::run
