#include "workload/stream.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace radosload::workload {

namespace {

// The bound below which a 63-bit draw means "read".
std::uint64_t read_bound(double percent) {
  return static_cast<std::uint64_t>(std::ldexp(percent / 100, 63));
}

// The kind of all operations of a pattern that is not mixed.
OpKind only_kind(const Pattern& pattern) {
  return pattern.metadata.value_or(pattern.reads_data() ? OpKind::read : OpKind::write);
}

}  // namespace

Stream::Stream(const Pattern& pattern, const Layout& layout, std::uint64_t seed, std::uint32_t lane,
               std::uint32_t lanes)
    : m_locations(layout.slices == 0 ? layout.locations : nullptr),
      m_places(seed, "places", lane),
      m_mix(seed, "mix", lane),
      m_order(layout.finite                                            ? Order::strided
              : pattern.access == Access::sequential                   ? Order::sequential
              : pattern.distribution.law == Distribution::Law::uniform ? Order::uniform
                                                                       : Order::zipf),
      m_kind(only_kind(pattern)),
      m_mixed(pattern.reads_data() && pattern.writes_data()),
      m_length(static_cast<std::uint32_t>(layout.block.count)),
      m_read_below(read_bound(pattern.read_percent)),
      m_objects(layout.slices != 0 ? layout.slices : layout.objects),
      m_blocks_per_object(layout.blocks_per_object),
      m_block_bits(std::has_single_bit(layout.blocks_per_object)
                       ? static_cast<unsigned>(std::countr_zero(layout.blocks_per_object))
                       : no_power),
      m_slices(layout.slices) {
  const LanePart mine = lane_part_of(m_objects, layout.groups, lane, lanes);
  m_first = mine.share.begin;
  m_objects = mine.share.size();
  begin_order(pattern, seed, mine);
}

void Stream::begin_order(const Pattern& pattern, std::uint64_t seed, const LanePart& mine) {
  const std::uint64_t blocks = m_objects * m_blocks_per_object;
  if (m_order == Order::zipf) {
    // The hot blocks are the same for all lanes: the permutation belongs to the run.
    m_zipf = Zipf(blocks, pattern.distribution.theta);
    m_scramble = Scramble(blocks, split_seed(seed, "hot blocks"));
  } else if (m_order == Order::strided) {
    m_object = m_first + mine.lane;
    m_stride = mine.lanes;
    m_remaining = mine.lane < m_objects ? (m_objects - mine.lane - 1) / mine.lanes + 1 : 0;
  } else if (m_order == Order::sequential) {
    m_share = share_of(blocks, mine.lane, mine.lanes);
    // lay_out() refuses more lanes than blocks; if one exists anyway, it shares the last block.
    if (m_share.begin == m_share.end) m_share = {blocks - 1, blocks};
    const std::uint64_t first = m_first * m_blocks_per_object;
    m_share = {m_share.begin + first, m_share.end + first};
    m_block = m_share.begin;
    m_object = m_block / m_blocks_per_object;
    m_in_object = m_block % m_blocks_per_object;
  }
}

// Inlined: both are used once, in next(), where a call would cost as much as their work.
[[gnu::always_inline]] inline void Stream::advance() noexcept {
  ++m_block;
  ++m_in_object;
  if (m_block == m_share.end) {
    m_block = m_share.begin;
    m_object = m_block / m_blocks_per_object;
    m_in_object = m_block % m_blocks_per_object;
  } else if (m_in_object == m_blocks_per_object) {
    m_in_object = 0;
    ++m_object;
  }
}

[[gnu::always_inline]] inline void Stream::place(Op& op) noexcept {
  switch (m_order) {
    case Order::uniform: {
      const Random::Cell cell = m_places.cell(m_objects, m_blocks_per_object);
      op.object = m_first + cell.row;
      op.offset = cell.column * m_length;
      break;
    }
    case Order::zipf: {
      const std::uint64_t block = m_scramble(m_zipf.draw(m_places));
      op.object = m_block_bits != no_power ? block >> m_block_bits : block / m_blocks_per_object;
      op.offset = (block - op.object * m_blocks_per_object) * m_length;
      op.object += m_first;
      break;
    }
    case Order::sequential:
      op.object = m_object;
      op.offset = m_in_object * m_length;
      advance();
      break;
    case Order::strided:
      op.object = m_object;
      m_object += m_stride;
      break;
  }
  if (m_slices != 0) op.offset = m_slices;
}

Op Stream::next() noexcept {
  Op op;
  --m_remaining;  // for an endless pattern it starts at 2^64 - 1, which no run reaches
  place(op);
  if (m_locations) m_locations->locate(op);
  op.length = m_length;
  op.kind = m_kind;
  if (m_mixed) op.kind = (m_mix.next() >> 1U) < m_read_below ? OpKind::read : OpKind::write;
  return op;
}

}  // namespace radosload::workload
