// Quantiles of Student's distribution: the possible random error of an estimate whose scatter is
// known from few observations. Pure.
#pragma once

namespace radosload::stats {

// The value that the distribution with so many degrees of freedom is below with that probability.
// Fewer than one degree count as one.
double student_quantile(double probability, double degrees);

// What a true standard deviation is below with that probability, as a multiple of its estimate with
// so many degrees of freedom.
double deviation_factor(double probability, double degrees);

}  // namespace radosload::stats
