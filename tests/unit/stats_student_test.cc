#include <gtest/gtest.h>

#include "stats/student.h"

namespace radosload::stats {
namespace {

// From any book of tables.
TEST(Student, QuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(student_quantile(0.975, 1), 12.706, 0.001);
  EXPECT_NEAR(student_quantile(0.975, 5), 2.571, 0.001);
  EXPECT_NEAR(student_quantile(0.995, 10), 3.169, 0.001);
  EXPECT_NEAR(student_quantile(0.975, 1e6), 1.960, 0.001);
  EXPECT_EQ(student_quantile(0.975, 0.2), student_quantile(0.975, 1));
}

}  // namespace
}  // namespace radosload::stats
