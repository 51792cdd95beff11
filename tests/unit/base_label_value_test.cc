#include <gtest/gtest.h>

#include "base/label_value.h"

namespace radosload::base {
namespace {

TEST(LabelValue, StaysWithinItsQuotesAndItsLine) {
  EXPECT_EQ(label_value("hdd"), "hdd");
  EXPECT_EQ(label_value(R"(a "b" \c)"), R"(a \"b\" \\c)");
  EXPECT_EQ(label_value("a\nb").find('\n'), std::string::npos);
}

}  // namespace
}  // namespace radosload::base
