#include "stats/student.h"

#include <algorithm>

#include <boost/math/distributions/students_t.hpp>

namespace radosload::stats {

double student_quantile(double probability, double degrees) {
  return boost::math::quantile(boost::math::students_t(std::max(1.0, degrees)), probability);
}

}  // namespace radosload::stats
