#include "record/figures_by_osd.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

namespace radosload::record {

namespace {

// Seven bits a byte, the lowest first; the eighth says that more follow.
void put(std::string& bytes, std::uint64_t value) {
  constexpr std::uint64_t more = 0x80;
  for (; value >= more; value >>= 7U) bytes.push_back(static_cast<char>(value | more));
  bytes.push_back(static_cast<char>(value));
}

// Small for small negative numbers, too.
void put_signed(std::string& bytes, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  put(bytes, (bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

// Differences may wrap around: of a damaged record any number is possible.
void put_difference(std::string& bytes, std::int64_t value, std::int64_t from) {
  put_signed(bytes, static_cast<std::int64_t>(static_cast<std::uint64_t>(value) -
                                              static_cast<std::uint64_t>(from)));
}

// In one number: how many kinds of errors, and which percentiles are there.
constexpr std::uint64_t has_p50 = 1;
constexpr std::uint64_t has_p99 = 2;
constexpr std::uint64_t one_error = 4;

// A figure that mostly equals another is written as their difference, in one byte.
void put(std::string& bytes, const Figures& figures) {
  put(bytes, figures.errors.size() * one_error + (figures.p50 ? has_p50 : 0) +
                 (figures.p99 ? has_p99 : 0));
  put(bytes, figures.ops);
  put(bytes, figures.bytes);
  put_difference(bytes, static_cast<std::int64_t>(figures.timed),
                 static_cast<std::int64_t>(figures.ops));
  put_signed(bytes, figures.mean.count());
  put_difference(bytes, figures.mean_service.count(), figures.mean.count());
  put_signed(bytes, figures.max.count());
  if (figures.p50) put_signed(bytes, figures.p50->count());
  if (figures.p99) put_signed(bytes, figures.p99->count());
  for (const ErrorCount& error : figures.errors) {
    put_signed(bytes, error.rc);
    put(bytes, error.count);
  }
}

// Reads what the functions above wrote.
class Reader {
 public:
  explicit Reader(const char* next) : m_next(next) {}
  const char* next() const { return m_next; }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*m_next++);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80U) return value;
    }
  }
  std::int64_t signed_number() {
    const std::uint64_t bits = number();
    return static_cast<std::int64_t>((bits >> 1U) ^ ((bits & 1U) != 0 ? ~std::uint64_t{0} : 0));
  }
  std::int64_t difference(std::int64_t from) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(signed_number()) +
                                     static_cast<std::uint64_t>(from));
  }
  std::optional<Time> time(bool is_there) {
    if (!is_there) return std::nullopt;
    return Time(signed_number());
  }
  // Into memory that is there already.
  void figures(Figures& into) {
    const std::uint64_t parts = number();
    into.ops = number();
    into.bytes = number();
    into.timed = static_cast<std::uint64_t>(difference(static_cast<std::int64_t>(into.ops)));
    into.mean = Time(signed_number());
    into.mean_service = Time(difference(into.mean.count()));
    into.max = Time(signed_number());
    into.p50 = time((parts & has_p50) != 0);
    into.p99 = time((parts & has_p99) != 0);
    into.errors.resize(parts / one_error);
    for (ErrorCount& error : into.errors) {
      error.rc = static_cast<std::int32_t>(signed_number());
      error.count = number();
    }
  }

 private:
  const char* m_next;
};

}  // namespace

FiguresByOsd::Iterator::Iterator(const char* next, std::size_t left) : m_next(next), m_left(left) {
  if (m_left > 0) read();
}

void FiguresByOsd::Iterator::read() {
  Reader reader(m_next);
  m_value.first = static_cast<std::int32_t>(reader.difference(m_value.first));
  reader.figures(m_value.second);
  m_next = reader.next();
}

FiguresByOsd::Iterator& FiguresByOsd::Iterator::operator++() {
  if (--m_left > 0) read();
  return *this;
}

void FiguresByOsd::append(std::int32_t osd, const Figures& figures) {
  put_difference(m_bytes, osd, m_size == 0 ? 0 : m_highest);
  put(m_bytes, figures);
  m_highest = osd;
  ++m_size;
}

void FiguresByOsd::set(std::int32_t osd, const Figures& figures) {
  if (m_size == 0 || osd > m_highest) return append(osd, figures);
  FiguresByOsd changed;
  bool is_new = true;
  for (const auto& [other, theirs] : *this) {
    if (is_new && other >= osd) {
      changed.append(osd, figures);
      is_new = false;
    }
    if (other != osd) changed.append(other, theirs);
  }
  *this = std::move(changed);
}

void FiguresByOsd::keep_worst(std::size_t limit) {
  if (m_size <= limit) return;
  std::vector<std::tuple<std::uint64_t, Time, std::int32_t>> ranked;
  for (const auto& [osd, figures] : *this) {
    ranked.emplace_back(error_total(figures.errors), figures.mean, osd);
  }
  std::sort(ranked.rbegin(), ranked.rend());
  std::set<std::int32_t> kept;
  for (std::size_t i = 0; i < limit; ++i) kept.insert(std::get<std::int32_t>(ranked[i]));
  FiguresByOsd fewer;
  for (const auto& [osd, figures] : *this) {
    if (kept.contains(osd)) fewer.append(osd, figures);
  }
  fewer.shrink_to_fit();
  *this = std::move(fewer);
}

}  // namespace radosload::record
