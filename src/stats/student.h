// Quantiles of Student's distribution: how far an estimate may be off by chance, when its scatter
// is known from few. Pure.
#pragma once

namespace radosload::stats {

// What the distribution with so many degrees of freedom stays below with that probability. Fewer
// than one degree count as one.
double student_quantile(double probability, double degrees);

}  // namespace radosload::stats
