#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/student.h"
#include "stats/symmetric.h"

namespace radosload::stats {
namespace {

TEST(Symmetric, TheInverseTimesTheMatrixIsOne) {
  for (const std::size_t size : {1U, 2U, 5U, 40U}) {
    Random random(size);
    Symmetric matrix(size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < i; ++j) matrix.at(i, j) = matrix.at(j, i) = random.unit() - 0.5;
      matrix.at(i, i) = static_cast<double>(size);
    }
    const Symmetric inverse = Symmetric::inverse(matrix);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < size; ++k) sum += matrix.at(i, k) * inverse.at(k, j);
        EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-12) << size;
      }
    }
  }
}

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
