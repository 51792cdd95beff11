#include <gtest/gtest.h>

#include "radosload/outcome.h"

#include "run/findings.h"

#include <fmt/format.h>

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
  result.op.object = 3;
  result.meant_object = 12;
  result.meant_offset = 4096;
  return result;
}

std::string text_of(int rc) {
  return finding_text(finding(rc),
                      [](std::uint64_t object) { return fmt::format("obj.{}", object); });
}

TEST(Findings, NameObjectBlockAndGenerations) {
  EXPECT_EQ(
      text_of(rc_lost_write),
      "LOST_WRITE: read of 4096 bytes from obj.3 at offset 8192, wrong from byte 8704: it returned "
      "generation 5, but a newer write was acknowledged before; expected 7 to 9");
  EXPECT_EQ(
      text_of(rc_never_sent),
      "NEVER_SENT: read of 4096 bytes from obj.3 at offset 8192, wrong from byte 8704: it returned "
      "generation 5, which this run never sent; expected 7 to 9");
  EXPECT_EQ(text_of(rc_torn),
            "TORN: read of 4096 bytes from obj.3 at offset 8192, wrong from byte 8704: it returned "
            "parts of "
            "generations 5 and 6");
  EXPECT_EQ(text_of(rc_misdirected),
            "MISDIRECTED: read of 4096 bytes from obj.3 at offset 8192, wrong from byte 8704: it "
            "returned generation 5 of obj.12 at offset 4096");
}

}  // namespace
}  // namespace radosload::run
