#include "workload/zipf.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace radosload::workload {

// The paper's names: h(x) = x^-theta is the weight, H its integral, H^-1 the inverse of that.
// H(x) = (x^(1-theta) - 1) / (1-theta), which becomes ln x at theta = 1; both are written with
// expm1 and log1p so that nothing is lost on the way there.

namespace {

double expm1_over(double t) {
  return std::abs(t) > 1e-8 ? std::expm1(t) / t : 1 + t / 2;
}
double log1p_over(double t) {
  return std::abs(t) > 1e-8 ? std::log1p(t) / t : 1 - t / 2;
}
double weight(double x, double theta) {
  return std::exp(-theta * std::log(x));
}

}  // namespace

double Zipf::integral(double x) const noexcept {
  const double log_x = std::log(x);
  return expm1_over((1 - m_theta) * log_x) * log_x;
}

double Zipf::inverse(double y) const noexcept {
  // Rounding may push (1-theta) y just below -1, the pole.
  const double t = std::max((1 - m_theta) * y, -1.0);
  return std::exp(log1p_over(t) * y);
}

Zipf::Zipf(std::uint64_t n, double theta) : m_n(n), m_theta(theta) {
  m_low = integral(1.5) - 1;
  m_high = integral(static_cast<double>(n) + 0.5);
  m_shift = 2 - inverse(integral(2.5) - weight(2, theta));
}

std::uint64_t Zipf::draw(Random& random) const noexcept {
  const auto n = static_cast<double>(m_n);
  for (;;) {
    const double u = m_high + random.unit() * (m_low - m_high);
    const double x = inverse(u);
    const double k = std::clamp(std::floor(x + 0.5), 1.0, n);
    if (k - x <= m_shift || u >= integral(k + 0.5) - weight(k, m_theta)) {
      return std::min(static_cast<std::uint64_t>(k), m_n) - 1;
    }
  }
}

Scramble::Scramble(std::uint64_t n, std::uint64_t seed) noexcept
    : m_n(n), m_add(mix64(seed)), m_key(mix64(seed + 1) | 1U) {
  const auto bits = static_cast<unsigned>(std::bit_width(n - 1));
  m_mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  m_shift = std::max(bits / 2, 1U);
}

std::uint64_t Scramble::operator()(std::uint64_t rank) const noexcept {
  // Each step is a bijection of 0 .. mask: adding, multiplying by an odd number, and xor with its
  // own upper half. What falls outside 0 .. n-1 is sent round again until it does not (cycle
  // walking), which keeps it a bijection and takes less than two rounds on average.
  do {
    rank = (rank + m_add) & m_mask;
    rank = (rank * m_key) & m_mask;
    rank ^= rank >> m_shift;
    rank = (rank * 0xd6e8feb86659fd93U) & m_mask;
    rank ^= rank >> m_shift;
    rank = (rank * m_key) & m_mask;
    rank ^= rank >> m_shift;
  } while (rank >= m_n);
  return rank;
}

}  // namespace radosload::workload
