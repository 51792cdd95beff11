#include "stats/student.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace radosload::stats {

double student_quantile(double probability, double degrees) {
  return boost::math::quantile(boost::math::students_t(std::max(1.0, degrees)), probability);
}

double deviation_factor(double probability, double degrees) {
  const double from = std::max(1.0, degrees);
  const double least = boost::math::quantile(boost::math::chi_squared(from), 1 - probability);
  return std::sqrt(from / least);
}

}  // namespace radosload::stats
