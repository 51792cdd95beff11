#include "workload/layout.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "plan/patterns.h"

#include <fmt/format.h>

namespace radosload::workload {

namespace {

// One prefill write: large enough that per-operation costs vanish on any drive, small enough that
// a few dozen in flight stay below the client's default byte throttle (100 MiB).
constexpr std::uint64_t data_chunk = mib(4).count;
// The largest whole object on a pool without overwrites: below osd_max_write_size (90 MiB), and
// every slot holds one in memory.
constexpr Bytes largest_piece = mib(64);
// One prefill omap-set: BlueStore puts all keys of a transaction into one RocksDB batch.
constexpr std::uint64_t omap_chunk = kib(64).count;
// The number of names per page of a listing; librados's default.
constexpr std::uint64_t list_page = 512;

tl::unexpected<Error> refused(const Pattern& pattern, std::string reason, std::string hint) {
  return fail({.attempt = "run the pattern",
               .subject = pattern.name,
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0);
}

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t unit) {
  return std::max(value / unit, std::uint64_t{1}) * unit;
}

// The objects of patterns whose unit is a block: data and omap.
Layout lay_out_blocks(const Pattern& pattern, const PoolTraits& pool) {
  Layout layout;
  layout.object_size = pattern.object_size;
  layout.block = pattern.block_size;
  layout.blocks_per_object = pattern.object_size.count / pattern.block_size.count;
  layout.objects = divide_up(pattern.working_set.count, pattern.object_size.count);
  if (pattern.is_omap()) {
    // A rest smaller than one value holds no key.
    layout.object_size = Bytes{layout.blocks_per_object * layout.block.count};
    layout.prefill = pattern.metadata == OpKind::omap_get ? Prefill::omap : Prefill::empty;
    layout.prefill_chunk = Bytes{round_down(omap_chunk, pattern.block_size.count)};
    return layout;
  }
  layout.flush_each_write = pattern.flush_each_write && pool.flush;
  const bool makes_its_objects = !pattern.reads_data() && pattern.block_size == pattern.object_size;
  layout.prefill = makes_its_objects ? Prefill::nothing : Prefill::data;
  return layout;
}

// The objects of patterns whose unit is an object.
Layout lay_out_objects(const Pattern& pattern) {
  Layout layout;
  layout.objects = pattern.objects;
  layout.object_size = pattern.object_size;
  layout.block = Bytes{0};
  layout.finite = pattern.metadata == OpKind::create || pattern.metadata == OpKind::remove;
  if (pattern.metadata == OpKind::list) layout.slices = divide_up(pattern.objects, list_page);
  if (pattern.is_of_files()) {
    if (pattern.metadata == OpKind::list) layout.slices = pattern.directories();
    layout.finite = layout.finite || pattern.reads_cold();
  }
  if (pattern.metadata == OpKind::create) return layout;
  layout.prefill = pattern.object_size.count == 0 ? Prefill::empty : Prefill::data;
  return layout;
}

Status check_pool(const Pattern& pattern, const PoolTraits& pool) {
  if (pattern.is_omap() && !pool.omap) {
    return refused(pattern, "erasure-coded pools have no omap",
                   "use a replicated pool, where rbd and CephFS keep their omap too");
  }
  if (!pool.overwrites && !pattern.is_omap() && pattern.object_size > largest_piece) {
    return refused(pattern,
                   fmt::format("this erasure-coded pool does not allow overwrites, so an object of "
                               "{} must be written at once; the limit for one write is {}",
                               option_text(pattern.object_size), option_text(largest_piece)),
                   fmt::format("use smaller objects: object-size={}", option_text(largest_piece)));
  }
  if (pattern.writes_data() && !pool.overwrites && pattern.block_size != pattern.object_size) {
    return refused(pattern,
                   fmt::format("this erasure-coded pool does not allow overwrites, but the pattern "
                               "writes blocks of {} into objects of {}",
                               option_text(pattern.block_size), option_text(pattern.object_size)),
                   fmt::format("write whole objects (object-size={}), or run: ceph osd pool set "
                               "POOL allow_ec_overwrites true",
                               option_text(pattern.block_size)));
  }
  return {};
}

// What is divided among lanes.
const char* unit_name(const Pattern& pattern, const Layout& layout) {
  if (pattern.is_of_files()) return layout.slices != 0 ? "directories" : "files";
  return layout.slices != 0 ? "slices of the namespace" : "blocks";
}

Status check_lanes(const Pattern& pattern, const Layout& layout, std::uint32_t lanes) {
  const std::uint64_t units = layout.slices != 0 ? layout.slices : layout.blocks();
  const bool shared_out = layout.finite || pattern.access == Access::sequential;
  if (lanes == 0 || (shared_out && units < lanes)) {
    return refused(pattern,
                   fmt::format("{} {} cannot be divided among {} clients", units,
                               unit_name(pattern, layout), lanes),
                   pattern.objects != 0 ? "give more objects= or fewer --clients"
                                        : "give a larger --size or fewer --clients");
  }
  return {};
}

}  // namespace

Bytes Layout::prefill_bytes() const {
  return prefill == Prefill::data || prefill == Prefill::omap ? total() : Bytes{0};
}

std::uint64_t Layout::prefill_operations() const {
  if (prefill == Prefill::nothing) return 0;
  if (prefill == Prefill::empty) return objects;
  return objects * divide_up(object_size.count, prefill_chunk.count);
}

Bytes Layout::longest_prefill() const {
  return std::min(prefill_chunk, object_size);
}

Result<Layout> lay_out(const Pattern& pattern, const PoolTraits& pool, std::uint32_t lanes) {
  RADOSLOAD_TRY(plan::check(pattern));
  RADOSLOAD_TRY(check_pool(pattern, pool));
  const bool in_blocks = pattern.is_data() || pattern.is_omap();
  Layout layout = in_blocks ? lay_out_blocks(pattern, pool) : lay_out_objects(pattern);
  if (layout.prefill == Prefill::data) {
    const std::uint64_t unit = std::max(pool.alignment.count, std::uint64_t{1});
    layout.prefill_chunk = Bytes{round_down(data_chunk, unit)};
    // Without overwrites an object is written in one piece: with two of its pieces in flight the
    // second may be submitted before the first, and is refused then.
    if (!pool.overwrites) layout.prefill_chunk = layout.object_size;
  }
  RADOSLOAD_TRY(check_lanes(pattern, layout, lanes));
  return layout;
}

Layout for_each_osd(Layout layout, const std::vector<std::int32_t>& osds) {
  if (osds.empty()) return layout;
  layout.objects *= osds.size();
  layout.groups = static_cast<std::uint32_t>(osds.size());
  layout.osds = osds;
  return layout;
}

PrefillStream::PrefillStream(const Layout& layout, std::uint32_t lane, std::uint32_t lanes)
    : m_locations(layout.locations),
      m_prefill(layout.prefill),
      m_object_size(layout.object_size.count),
      m_chunk(layout.prefill_chunk.count) {
  if (m_prefill == Prefill::nothing) return;
  const LanePart mine = layout.territory(lane, lanes);
  const Share share = share_of(mine.share.size(), mine.lane, mine.lanes);
  m_order = PrefillOrder(m_locations, mine.share.begin + share.begin, mine.share.begin + share.end);
}

Op PrefillStream::located(Op op) noexcept {
  if (m_locations) {
    m_locations->locate(op);
    m_order.sent(op.pg);
  }
  return op;
}

Op PrefillStream::next() noexcept {
  if (m_offset == 0) m_object = m_order.take();
  Op op;
  op.object = m_object;
  if (m_prefill == Prefill::empty) {
    op.kind = OpKind::create;
    return located(op);
  }
  op.kind = m_prefill == Prefill::omap ? OpKind::omap_set : OpKind::write;
  op.offset = m_offset;
  op.length = static_cast<std::uint32_t>(std::min(m_chunk, m_object_size - m_offset));
  m_offset += op.length;
  if (m_offset == m_object_size) m_offset = 0;
  return located(op);
}

Share share_of(std::uint64_t count, std::uint32_t lane, std::uint32_t lanes) noexcept {
  const std::uint64_t each = count / lanes;
  const std::uint64_t rest = count % lanes;
  const auto begin_of = [&](std::uint64_t i) { return i * each + std::min(i, rest); };
  return {begin_of(lane), begin_of(std::uint64_t{lane} + 1)};
}

LanePart lane_part_of(std::uint64_t count, std::uint32_t groups, std::uint32_t lane,
                      std::uint32_t lanes) noexcept {
  if (groups == 1) return {.share = {0, count}, .lane = lane, .lanes = lanes};
  if (groups > lanes) {
    const Share mine = share_of(groups, lane, lanes);
    const auto begin_of = [&](std::uint64_t group) {
      return share_of(count, static_cast<std::uint32_t>(group), groups).begin;
    };
    return {.share = {begin_of(mine.begin), mine.end == groups ? count : begin_of(mine.end)}};
  }
  const std::uint32_t each = lanes / groups;
  return {.share = share_of(count, lane / each, groups), .lane = lane % each, .lanes = each};
}

LanePart Layout::territory(std::uint32_t lane, std::uint32_t lanes) const {
  return lane_part_of(objects, groups, lane, lanes);
}

namespace {

void write_hex(char* out, std::uint64_t value) noexcept {
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = object_name_digits; i-- > 0; value >>= 4U) out[i] = digits[value & 15U];
}

}  // namespace

std::string_view object_name(std::span<char> buffer, std::string_view run_id,
                             std::uint64_t index) noexcept {
  char* out = std::copy(object_name_prefix.begin(), object_name_prefix.end(), buffer.data());
  out = std::copy(run_id.begin(), run_id.end(), out);
  *out++ = '.';
  write_hex(out, index);
  return {buffer.data(), object_name_size(run_id)};
}

std::optional<ObjectName> parse_object_name(std::string_view name) noexcept {
  if (name.size() <= object_name_size({}) || !name.starts_with(object_name_prefix)) return {};
  const std::string_view digits = name.substr(name.size() - object_name_digits);
  const std::string_view before = name.substr(0, name.size() - object_name_digits);
  if (before.back() != '.') return {};
  if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return {};
  ObjectName parsed;
  parsed.run_id = before.substr(object_name_prefix.size());
  parsed.run_id.remove_suffix(1);
  std::from_chars(digits.data(), digits.data() + digits.size(), parsed.index, 16);
  return parsed;
}

std::string_view omap_key(std::span<char, omap_key_size> buffer, std::uint64_t index) noexcept {
  write_hex(buffer.data(), index);
  return {buffer.data(), buffer.size()};
}

}  // namespace radosload::workload
