#include "record/figures_by_osd.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "record/varint.h"

namespace radosload::record {

namespace {

std::uint64_t bits_of(Time time) {
  return static_cast<std::uint64_t>(time.count());
}

// In one number: how many kinds of errors, and which percentiles are there.
constexpr std::uint64_t has_p50 = 1;
constexpr std::uint64_t has_p99 = 2;
constexpr std::uint64_t one_error = 4;

// A figure that mostly equals another is written as their difference, in one byte.
void put(std::string& bytes, const Figures& figures) {
  put_varint(bytes, figures.errors.size() * one_error + (figures.p50 ? has_p50 : 0) +
                        (figures.p99 ? has_p99 : 0));
  put_varint(bytes, figures.ops);
  put_varint(bytes, figures.bytes);
  put_difference(bytes, figures.timed, figures.ops);
  put_signed(bytes, figures.mean.count());
  put_difference(bytes, bits_of(figures.mean_service), bits_of(figures.mean));
  put_signed(bytes, figures.max.count());
  if (figures.p50) put_signed(bytes, figures.p50->count());
  if (figures.p99) put_signed(bytes, figures.p99->count());
  for (const ErrorCount& error : figures.errors) {
    put_signed(bytes, error.rc);
    put_varint(bytes, error.count);
  }
}

std::optional<Time> time_from(VarintReader& reader, bool is_there) {
  if (!is_there) return std::nullopt;
  return Time(reader.signed_number());
}

// Into memory that is there already.
void read(VarintReader& reader, Figures& into) {
  const std::uint64_t parts = reader.number();
  into.ops = reader.number();
  into.bytes = reader.number();
  into.timed = reader.difference(into.ops);
  into.mean = Time(reader.signed_number());
  into.mean_service = Time(static_cast<Time::rep>(reader.difference(bits_of(into.mean))));
  into.max = Time(reader.signed_number());
  into.p50 = time_from(reader, (parts & has_p50) != 0);
  into.p99 = time_from(reader, (parts & has_p99) != 0);
  into.errors.resize(parts / one_error);
  for (ErrorCount& error : into.errors) {
    error.rc = static_cast<std::int32_t>(reader.signed_number());
    error.count = reader.number();
  }
}

}  // namespace

FiguresByOsd::Iterator::Iterator(std::string_view rest, std::size_t left)
    : m_rest(rest), m_left(left) {
  if (m_left > 0) read();
}

void FiguresByOsd::Iterator::read() {
  VarintReader reader(m_rest);
  m_value.first += static_cast<std::int32_t>(reader.signed_number());
  record::read(reader, m_value.second);
  m_rest = reader.rest();
}

FiguresByOsd::Iterator& FiguresByOsd::Iterator::operator++() {
  if (--m_left > 0) read();
  return *this;
}

void FiguresByOsd::append(std::int32_t osd, const Figures& figures) {
  put_signed(m_bytes, std::int64_t{osd} - (m_size == 0 ? 0 : m_highest));
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
