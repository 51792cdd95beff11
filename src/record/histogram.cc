#include "record/histogram.h"

#include <algorithm>
#include <cmath>

namespace radosload::record {

namespace {
constexpr std::uint64_t ppm_scale = 1'000'000;
}  // namespace

// Without overflow and without floating point.
std::uint64_t nearest_rank(Quantile quantile, std::uint64_t n) {
  const std::uint64_t whole = n / ppm_scale * quantile.ppm;
  const std::uint64_t part = (n % ppm_scale * quantile.ppm + ppm_scale - 1) / ppm_scale;
  return std::clamp<std::uint64_t>(whole + part, 1, n);
}

std::uint64_t operations_needed(Quantile quantile) {
  const double q = static_cast<double>(quantile.ppm) / static_cast<double>(ppm_scale);
  const double farther = std::max(q, 1 - q);
  if (farther >= 1) return 1;        // minimum and maximum are always known
  constexpr double outside = 0.025;  // each side of a 95 % interval
  return static_cast<std::uint64_t>(std::ceil(std::log(outside) / std::log(farther)));
}

std::size_t Histogram::add_page(std::size_t page) {
  if (page >= m_table.size()) m_table.resize(page + 1);
  m_low.resize(m_low.size() + page_size);
  const std::size_t number = m_low.size() / page_size;
  m_table[page] = static_cast<std::uint16_t>(number);
  return number;
}

void Histogram::carry(std::size_t place, std::uint64_t times) {
  const std::size_t page = place / page_size;
  if (page >= m_high_table.size()) m_high_table.resize(page + 1);
  std::uint16_t& high = m_high_table[page];
  if (high == 0) {
    m_high.resize(m_high.size() + page_size);
    high = static_cast<std::uint16_t>(m_high.size() / page_size);
  }
  m_high[(std::size_t{high} - 1) * page_size + place % page_size] += times;
}

void Histogram::add_count(std::size_t index, std::uint64_t count) {
  const std::size_t place = place_of(index);
  const std::uint64_t low_mask = (std::uint64_t{1} << low_bits) - 1;
  const std::uint64_t low = m_low[place] + (count & low_mask);
  m_low[place] = static_cast<std::uint8_t>(low & low_mask);
  const std::uint64_t carried = (count >> low_bits) + (low >> low_bits);
  if (carried > 0) carry(place, carried);
}

void Histogram::merge(const Histogram& other) {
  if (other.empty()) return;
  other.for_each([this](std::size_t index, std::uint64_t count) { add_count(index, count); });
  m_count += other.m_count;
  m_sum += other.m_sum;
  m_min = std::min(m_min, other.m_min);
  m_max = std::max(m_max, other.m_max);
}

void Histogram::add(const Buckets& buckets) {
  if (buckets.total == 0) return;
  for (const auto& [index, count] : buckets.counts) add_count(index, count);
  m_count += buckets.total;
  m_sum += buckets.sum;
  m_min = std::min(m_min, buckets.min);
  m_max = std::max(m_max, buckets.max);
}

bool Buckets::are_sound() const {
  if (counts.empty()) return total == 0 && min == 0 && max == 0 && sum == 0;
  const auto bucket = [](std::uint64_t ns) {
    return Histogram::index_of(std::min(ns, Histogram::highest));
  };
  return bucket(min) == counts.front().first && bucket(max) == counts.back().first && min <= max;
}

void Histogram::clear() {
  if (m_low.empty()) return;
  std::fill(m_table.begin(), m_table.end(), std::uint16_t{0});
  m_low.clear();
  m_high_table.clear();
  m_high.clear();
  m_count = 0;
  m_sum = 0;
  m_min = std::numeric_limits<std::uint64_t>::max();
  m_max = 0;
}

double Histogram::mean() const {
  return m_count == 0 ? 0 : static_cast<double>(m_sum) / static_cast<double>(m_count);
}

double Histogram::stddev() const {
  if (m_count == 0) return 0;
  const double centre = mean();
  double squares = 0;
  for_each([&](std::size_t index, std::uint64_t count) {
    // No value is outside the extremes, so equal values do not differ by half a bucket.
    const std::uint64_t middle = std::clamp(middle_of(index), m_min, m_max);
    const double distance = static_cast<double>(middle) - centre;
    squares += distance * distance * static_cast<double>(count);
  });
  return std::sqrt(squares / static_cast<double>(m_count));
}

std::size_t Histogram::bucket_of(std::uint64_t rank) const {
  std::uint64_t seen = 0;
  std::size_t found = bucket_count;
  for_each([&](std::size_t index, std::uint64_t count) {
    seen += count;
    if (found == bucket_count && seen >= rank) found = index;
  });
  return found;
}

std::uint64_t Histogram::value_at(Quantile quantile) const {
  if (m_count == 0) return 0;
  return std::min(highest_in(bucket_of(nearest_rank(quantile, m_count))), m_max);
}

std::optional<std::uint64_t> Histogram::percentile(Quantile quantile) const {
  if (m_count < operations_needed(quantile)) return std::nullopt;
  return value_at(quantile);
}

void Histogram::add_bucket(std::size_t index, std::uint64_t count) {
  if (count == 0) return;
  add_count(index, count);
  m_count += count;
  m_sum += middle_of(index) * count;
  m_min = std::min(m_min, lowest_in(index));
  m_max = std::max(m_max, highest_in(index));
}

bool Histogram::set_exact(std::uint64_t min, std::uint64_t max, std::uint64_t sum) {
  if (m_count == 0) return min == 0 && max == 0 && sum == 0;
  const auto bucket = [](std::uint64_t ns) { return index_of(std::min(ns, highest)); };
  if (bucket(min) != bucket(m_min) || bucket(max) != bucket(m_max) || min > max) return false;
  m_min = min;
  m_max = max;
  m_sum = sum;
  return true;
}

bool Histogram::operator==(const Histogram& other) const {
  if (m_count != other.m_count || m_sum != other.m_sum || m_min != other.m_min ||
      m_max != other.m_max) {
    return false;
  }
  const auto buckets = [](const Histogram& histogram) {
    std::vector<std::pair<std::size_t, std::uint64_t>> all;
    histogram.for_each([&](std::size_t i, std::uint64_t n) { all.emplace_back(i, n); });
    return all;
  };
  return buckets(*this) == buckets(other);
}

}  // namespace radosload::record
