// Counts latencies on a logarithmic-linear scale with at most 0.1 % error: the bucket layout of
// HdrHistogram with three significant digits of nanoseconds. Owns counting, merging and order
// statistics; knows nothing of operations, OSDs or text. Sparse and narrow: a page of buckets is
// allocated with its first value, and a bucket takes one byte until it has counted 256. Most
// buckets of an OSD never do, and a run on 1,000 OSDs has some ten million of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace radosload::record {

// A quantile in parts per million: with integer ranks p99.9 of 1,000 operations is the 999th and
// not, by rounding, the 1,000th.
struct Quantile {
  std::uint32_t ppm = 0;
  bool operator==(const Quantile&) const = default;
};
inline constexpr Quantile p50{500'000};
inline constexpr Quantile p90{900'000};
inline constexpr Quantile p95{950'000};
inline constexpr Quantile p99{990'000};
inline constexpr Quantile p999{999'000};
inline constexpr Quantile p9999{999'900};

// How many operations a quantile needs behind it before it is reported. With fewer, the 95 %
// interval of the order statistic has no finite end: n >= ln(0.025) / ln(max(q, 1 - q)), which is
// 6 operations for p50, 368 for p99, 3,688 for p99.9.
std::uint64_t operations_needed(Quantile quantile);

// The rank of the quantile among n operations, from 1: ceil(q n), at least 1.
std::uint64_t nearest_rank(Quantile quantile, std::uint64_t n);

struct Buckets;

// Not synchronised. Copies are deep.
class Histogram {
 public:
  // Three significant digits take 2,048 linear buckets in the first octaves and 1,024 in each one
  // above. 35 octave groups reach 2^45 ns, 9.7 hours, longer than any drain deadline.
  static constexpr unsigned sub_bucket_bits = 11;
  static constexpr unsigned top_bits = 45;
  static constexpr std::uint64_t highest = (std::uint64_t{1} << top_bits) - 1;
  static constexpr std::size_t bucket_count = (std::size_t{top_bits} - sub_bucket_bits + 2)
                                              << (sub_bucket_bits - 1);

  // The bucket of a value, and the bounds of a bucket.
  static constexpr std::size_t index_of(std::uint64_t ns) {
    constexpr std::uint64_t linear = (std::uint64_t{1} << sub_bucket_bits) - 1;
    const auto octave = static_cast<unsigned>(std::bit_width(ns | linear)) - sub_bucket_bits;
    return (std::size_t{octave} << (sub_bucket_bits - 1)) + (ns >> octave);
  }
  static constexpr std::uint64_t lowest_in(std::size_t index) {
    return (index - (octave_of(index) << (sub_bucket_bits - 1))) << octave_of(index);
  }
  static constexpr std::uint64_t highest_in(std::size_t index) {
    return lowest_in(index) + ((std::uint64_t{1} << octave_of(index)) - 1);
  }
  // The value that represents a bucket in sums that are not exact.
  static constexpr std::uint64_t middle_of(std::size_t index) {
    return lowest_in(index) + ((std::uint64_t{1} << octave_of(index)) >> 1U);
  }

  // Values above `highest` count in the last bucket; max() and sum() keep them exactly. Allocates
  // only for the first value on a page; clear() keeps pages.
  void add(std::uint64_t ns) {
    const std::size_t place = place_of(index_of(ns < highest ? ns : highest));
    if (++m_low[place] == 0) [[unlikely]] {
      carry(place, 1);
    }
    ++m_count;
    m_sum += ns;
    if (ns < m_min) m_min = ns;
    if (ns > m_max) m_max = ns;
  }
  void merge(const Histogram& other);
  // Buckets that are sound.
  void add(const Buckets& buckets);
  // Empties it; keeps its memory.
  void clear();

  std::uint64_t count() const { return m_count; }
  bool empty() const { return m_count == 0; }
  // Exact, and 0 when empty. The sum holds 584 years of latency; beyond that it wraps.
  std::uint64_t min() const { return m_count == 0 ? 0 : m_min; }
  std::uint64_t max() const { return m_max; }
  std::uint64_t sum() const { return m_sum; }
  // Exact mean; population standard deviation from the buckets' middles. 0 when empty.
  double mean() const;
  double stddev() const;

  // The bucket of the operation of that rank, from 1; bucket_count when there are fewer.
  std::size_t bucket_of(std::uint64_t rank) const;
  // Nearest rank (NumPy's inverted_cdf): the highest value of the bucket that holds the operation
  // of rank ceil(q n), never above max(). 0 when empty.
  std::uint64_t value_at(Quantile quantile) const;
  // The same, or empty with fewer than operations_needed().
  std::optional<std::uint64_t> percentile(Quantile quantile) const;

  // Calls visit(bucket index, count) for every bucket that is not empty, in rising order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t page = 0; page < m_table.size(); ++page) {
      if (m_table[page] == 0) continue;
      const std::size_t base = (std::size_t{m_table[page]} - 1) * page_size;
      for (std::size_t i = 0; i < page_size; ++i) {
        const std::uint64_t count = count_at(base + i);
        if (count != 0) visit(page * page_size + i, count);
      }
    }
  }

  // For decoders, which know counts but no values: adds `count` values at a bucket's middle, with
  // the bucket's bounds as min and max. index < bucket_count.
  void add_bucket(std::size_t index, std::uint64_t count);
  // Restores the exact values that buckets do not hold. Returns false for a minimum or maximum
  // outside the first and last bucket, and for anything but zeros on an empty histogram.
  bool set_exact(std::uint64_t min, std::uint64_t max, std::uint64_t sum);

  // Equal counts; the order of pages does not matter.
  bool operator==(const Histogram& other) const;

 private:
  // Small, because a slow OSD's few operations each touch a page of their own.
  static constexpr std::size_t page_size = 32;

  static constexpr std::size_t octave_of(std::size_t index) {
    constexpr unsigned half_bits = sub_bucket_bits - 1;
    return index < (std::size_t{1} << sub_bucket_bits) ? 0 : (index >> half_bits) - 1;
  }
  // Where the bucket is counted; the page is added when it is new.
  std::size_t place_of(std::size_t index) {
    const std::size_t page = index / page_size;
    std::size_t number = page < m_table.size() ? m_table[page] : 0;
    if (number == 0) [[unlikely]] {
      number = add_page(page);
    }
    return (number - 1) * page_size + index % page_size;
  }
  std::uint64_t count_at(std::size_t place) const {
    const std::size_t page = place / page_size;
    const std::size_t high = page < m_high_table.size() ? m_high_table[page] : 0;
    if (high == 0) return m_low[place];
    return m_low[place] + (m_high[(high - 1) * page_size + place % page_size] << low_bits);
  }
  std::size_t add_page(std::size_t page);
  void add_count(std::size_t index, std::uint64_t count);
  // The byte at this place has counted 256 that many times.
  void carry(std::size_t place, std::uint64_t times);

  static constexpr unsigned low_bits = 8;

  // By page: its number in m_low, in the order in which pages were touched; 0: not there.
  std::vector<std::uint16_t> m_table;
  std::vector<std::uint8_t> m_low;  // the low byte of each count
  // By page of m_low: its number in m_high, likewise.
  std::vector<std::uint16_t> m_high_table;
  std::vector<std::uint64_t> m_high;  // the rest of each count
  std::uint64_t m_count = 0;
  std::uint64_t m_sum = 0;
  std::uint64_t m_min = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t m_max = 0;
};

// Counted values before they are added to a histogram, with what buckets alone do not tell.
struct Buckets {
  std::vector<std::pair<std::size_t, std::uint64_t>> counts;  // by bucket, rising; none is 0
  std::uint64_t total = 0;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  std::uint64_t sum = 0;

  // Whether minimum and maximum lie in the first and the last bucket; without any, all is 0.
  bool are_sound() const;
};

}  // namespace radosload::record
