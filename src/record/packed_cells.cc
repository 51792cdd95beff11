#include "record/packed_cells.h"

#include <cstdint>
#include <limits>

#include "record/varint.h"

namespace radosload::record {

namespace {

// What a cell has, in one number. Most have nothing but the operations of one second.
constexpr std::uint64_t has_response = 1;  // response times of their own
constexpr std::uint64_t has_drained = 2;
constexpr std::uint64_t has_lost = 4;
constexpr std::uint64_t has_errors = 8;
constexpr std::uint64_t has_counts = 16;  // cancelled and late ones

void put_amount(std::string& bytes, const Amount& amount) {
  put_varint(bytes, amount.ops);
  put_varint(bytes, amount.bytes);
}

Amount amount_from(VarintReader& reader) {
  Amount amount;
  amount.ops = reader.number();
  amount.bytes = reader.number();
  return amount;
}

// Buckets by their distance from the one before; 0 after the last, as none is less than 1 away.
void put_histogram(std::string& bytes, const Histogram& histogram) {
  std::size_t next = 0;
  std::uint64_t middles = 0;
  histogram.for_each([&](std::size_t index, std::uint64_t count) {
    put_varint(bytes, index - next + 1);
    put_varint(bytes, count);
    middles += Histogram::middle_of(index) * count;
    next = index + 1;
  });
  put_varint(bytes, 0);
  if (histogram.empty()) return;
  put_varint(bytes, histogram.min());
  put_difference(bytes, histogram.max(), histogram.min());
  put_difference(bytes, histogram.sum(), middles);
}

// Keeps its memory from one to the next.
bool read_buckets(VarintReader& reader, Buckets& into) {
  into.counts.clear();
  into.total = into.min = into.max = into.sum = 0;
  std::size_t next = 0;
  std::uint64_t middles = 0;
  while (const std::uint64_t distance = reader.number()) {
    if (distance > Histogram::bucket_count - next) return false;
    const std::size_t index = next + distance - 1;
    const std::uint64_t count = reader.number();
    // More would wrap the total around.
    if (count == 0 || count > std::numeric_limits<std::uint64_t>::max() - into.total) return false;
    into.counts.emplace_back(index, count);
    into.total += count;
    middles += Histogram::middle_of(index) * count;
    next = index + 1;
  }
  if (!into.counts.empty()) {
    into.min = reader.number();
    into.max = reader.difference(into.min);
    into.sum = reader.difference(middles);
  }
  return !reader.failed() && into.are_sound();
}

std::uint64_t parts_of(const Cell& cell) {
  const bool counts = cell.cancelled > 0 || cell.late > 0;
  return (cell.latency.differ() ? has_response : 0) | (cell.drained == Amount() ? 0 : has_drained) |
         (cell.lost.ops() > 0 ? has_lost : 0) | (cell.errors.empty() ? 0 : has_errors) |
         (counts ? has_counts : 0);
}

void put_cell(std::string& bytes, const Cell& cell) {
  const std::uint64_t parts = parts_of(cell);
  put_varint(bytes, parts);
  put_amount(bytes, cell.finished);
  put_varint(bytes, cell.bytes);
  put_histogram(bytes, cell.latency.service());
  if ((parts & has_response) != 0) put_histogram(bytes, cell.latency.response());
  if ((parts & has_drained) != 0) put_amount(bytes, cell.drained);
  if ((parts & has_lost) != 0) {
    put_histogram(bytes, cell.lost.service);
    put_histogram(bytes, cell.lost.response);
  }
  if ((parts & has_counts) != 0) {
    put_varint(bytes, cell.cancelled);
    put_varint(bytes, cell.late);
  }
  if ((parts & has_errors) == 0) return;
  put_varint(bytes, cell.errors.size());
  for (const ErrorCount& error : cell.errors) {
    put_signed(bytes, error.rc);
    put_varint(bytes, error.count);
  }
}

bool read_errors(VarintReader& reader, std::vector<ErrorCount>& errors) {
  for (std::uint64_t left = reader.number(); left > 0 && !reader.failed(); --left) {
    const std::int64_t rc = reader.signed_number();
    if (rc >= 0 || rc < std::numeric_limits<std::int32_t>::min()) return false;
    add_error(errors, static_cast<std::int32_t>(rc), reader.number());
  }
  return !reader.failed();
}

// A cell before it is added to another.
struct Reading {
  Cell rest;  // without histograms
  bool differ = false;
  Buckets service;
  Buckets response;
  Buckets lost_service;
  Buckets lost_response;
};

bool read_cell(VarintReader& reader, Reading& cell) {
  const std::uint64_t parts = reader.number();
  cell.rest.finished = amount_from(reader);
  cell.rest.bytes = reader.number();
  cell.differ = (parts & has_response) != 0;
  if (!read_buckets(reader, cell.service)) return false;
  if (cell.differ) {
    if (!read_buckets(reader, cell.response)) return false;
    if (cell.service.total != cell.response.total) return false;
  }
  cell.rest.drained = (parts & has_drained) != 0 ? amount_from(reader) : Amount();
  cell.lost_service = cell.lost_response = {};
  if ((parts & has_lost) != 0) {
    if (!read_buckets(reader, cell.lost_service)) return false;
    if (!read_buckets(reader, cell.lost_response)) return false;
    if (cell.lost_service.total > cell.lost_response.total) return false;
  }
  const bool counts = (parts & has_counts) != 0;
  cell.rest.cancelled = counts ? reader.number() : 0;
  cell.rest.late = counts ? reader.number() : 0;
  cell.rest.errors.clear();
  if ((parts & has_errors) != 0 && !read_errors(reader, cell.rest.errors)) return false;
  return !reader.failed();
}

void add(Cell& sum, const Reading& cell) {
  sum.merge(cell.rest);
  sum.latency.add(cell.service, cell.differ ? &cell.response : nullptr);
  sum.lost.service.add(cell.lost_service);
  sum.lost.response.add(cell.lost_response);
}

// Calls visit(Reading) for each cell. False for damaged bytes.
template <typename Visit>
bool for_each_cell(std::string_view bytes, Visit&& visit) {
  VarintReader reader(bytes);
  Reading cell;
  std::int64_t osd = no_osd;
  while (!reader.at_end()) {
    const std::uint64_t kind = reader.number();
    const std::int64_t distance = reader.signed_number();
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (kind >= op_kind_count || distance < -most - 1 || distance > most + 1) return false;
    osd += distance;
    if (osd < no_osd || osd > most || !read_cell(reader, cell)) return false;
    cell.rest.osd = static_cast<std::int32_t>(osd);
    cell.rest.kind = static_cast<OpKind>(kind);
    visit(cell);
  }
  return true;
}

}  // namespace

std::string packed_cells(const std::vector<Cell>& cells) {
  std::string bytes;
  std::int64_t last = no_osd;
  for (const Cell& cell : cells) {
    put_varint(bytes, static_cast<std::uint64_t>(cell.kind));
    put_signed(bytes, cell.osd - last);
    last = cell.osd;
    put_cell(bytes, cell);
  }
  return bytes;
}

bool are_packed_cells(std::string_view bytes) {
  return for_each_cell(bytes, [](const Reading&) {});
}

void add_packed_cells(std::vector<Cell>& cells, std::string_view bytes) {
  for_each_cell(bytes, [&cells](const Reading& cell) {
    add(cell_for(cells, cell.rest.osd, cell.rest.kind), cell);
  });
}

}  // namespace radosload::record
