#include "workload/generations.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <new>
#include <thread>

#include "base/random.h"

namespace radosload::workload {

namespace {

// A block without operations in flight: its generation, and whether a read has returned it.
constexpr std::uint16_t seen_bit = 1U << generation_bits;
constexpr std::uint16_t not_followed = seen_bit - 1;
// Generations count from 1 to this and start again. A value that is exactly one round old looks
// new, so a loss can be missed, but is never reported wrongly.
constexpr std::uint64_t round = not_followed - 1;
constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

constexpr Generation stamp_of(std::uint64_t number) noexcept {
  return number == 0 ? Generation{0} : static_cast<Generation>((number - 1) % round + 1);
}

// The first number from `first` to `last` with this stamp; empty when there is none.
constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t number_in(std::uint64_t first, std::uint64_t last,
                                  Generation found) noexcept {
  if (found == 0) return first == 0 ? 0 : none;
  first = std::max<std::uint64_t>(first, 1);
  const std::uint64_t ahead = (found + round - stamp_of(first)) % round;
  return first <= last && ahead <= last - first ? first + ahead : none;
}

}  // namespace

// The possible contents of a block, as numbers that grow while the track is in use. Time is the
// number of events on the block.
struct Generations::Track {
  // A range of write numbers. Usually one; with more candidates than room, a range may include
  // values that are no longer permitted, but never lacks a permitted one.
  struct Span {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t acknowledged = 0;  // when the last of them was
    std::uint32_t in_flight = 0;
    bool unsure = false;  // some have failed
    bool seen = false;    // a read has returned it

    bool single() const noexcept { return first == last; }
    bool over() const noexcept { return in_flight == 0 && !unsure; }
  };
  static constexpr std::size_t most_spans = Ticket::most_spans;

  std::uint64_t block = 0;
  std::uint32_t next = nothing;    // track of the same part
  std::uint32_t spares = nothing;  // tracks brought by other operations on the block
  std::uint32_t operations = 0;    // in flight
  std::uint32_t count = 0;
  std::uint64_t highest = 0;  // sent
  std::uint64_t tick = 0;
  // When the youngest acknowledged write began; writes acknowledged before are overwritten.
  std::uint64_t barrier = 0;
  std::array<Span, most_spans> spans;  // permitted values, ascending

  void wake(std::uint64_t of, std::uint16_t rest) noexcept {
    block = of;
    spares = nothing;
    operations = 0;
    highest = rest & not_followed;
    tick = 1;
    barrier = 0;
    count = 1;
    spans[0] = {.first = highest,
                .last = highest,
                .acknowledged = tick,
                .seen = highest == 0 || (rest & seen_bit) != 0};
  }

  bool settled() const noexcept { return count == 1 && spans[0].single() && spans[0].over(); }
  // Nothing is lost by keeping only the block's generation.
  bool may_rest() const noexcept { return settled() && spans[0].first == highest; }

  std::uint16_t rest() const noexcept {
    const auto seen = static_cast<unsigned>(spans[0].seen && spans[0].first != 0);
    return static_cast<std::uint16_t>(stamp_of(spans[0].first) | seen << generation_bits);
  }

  void send() noexcept {
    if (count == most_spans) {
      // The youngest; older ones are overwritten first, which frees room.
      Span& into = spans[most_spans - 2];
      const Span& last = spans[most_spans - 1];
      into.last = last.last;
      into.in_flight += last.in_flight;
      into.acknowledged = std::max(into.acknowledged, last.acknowledged);
      into.unsure = into.unsure || last.unsure;
      --count;
    }
    ++highest;
    ++tick;
    spans[count++] = {.first = highest, .last = highest, .in_flight = 1};
  }

  Span* span_of(std::uint64_t number) noexcept {
    auto* const end = spans.begin() + count;
    auto* const found = std::find_if(
        spans.begin(), end, [&](const Span& s) { return s.first <= number && number <= s.last; });
    return found == end ? nullptr : &*found;
  }

  void forget_overwritten() noexcept {
    auto* const end = spans.begin() + count;
    auto* const kept = std::remove_if(spans.begin(), end, [this](const Span& span) {
      return span.over() && span.acknowledged <= barrier;
    });
    count = static_cast<std::uint32_t>(kept - spans.begin());
  }
};

struct Generations::Part {
  std::atomic<bool> locked{false};
  std::uint32_t first = nothing;  // track of a block
  // What has happened to its blocks.
  std::uint64_t acknowledged = 0;
  std::uint64_t read_back = 0;
  std::uint64_t given_up = 0;
};

class Generations::Locked {
 public:
  explicit Locked(Part& part) noexcept : m_part(part) {
    while (m_part.locked.exchange(true, std::memory_order_acquire)) {
      while (m_part.locked.load(std::memory_order_relaxed)) std::this_thread::yield();
    }
  }
  ~Locked() { m_part.locked.store(false, std::memory_order_release); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  Locked(Locked&&) = delete;
  Locked& operator=(Locked&&) = delete;

 private:
  Part& m_part;
};

Generations::Generations(std::uint64_t blocks, std::uint32_t in_flight, Limits limits)
    : m_blocks(blocks) {
  const std::uint64_t fit = std::max<std::uint64_t>(1, limits.bytes / sizeof(std::uint16_t));
  while (((blocks - 1) >> m_skip) + 1 > fit) ++m_skip;
  const std::uint64_t rows = ((blocks - 1) >> m_skip) + 1;
  // In the last row the chosen block may be beyond the end.
  m_followed = chosen(rows - 1) < blocks ? rows : rows - 1;
  // calloc's pages are allocated on first use.
  m_at_rest.reset(static_cast<std::uint16_t*>(std::calloc(rows, sizeof(std::uint16_t))));
  if (!m_at_rest) throw std::bad_alloc();
  constexpr std::size_t fewest_parts = 256;
  m_part_count = std::bit_ceil(std::max<std::size_t>(fewest_parts, std::size_t{in_flight} * 4));
  m_part_shift = 64U - static_cast<unsigned>(std::countr_zero(m_part_count));
  m_parts = std::make_unique<Part[]>(m_part_count);
  const std::uint32_t spares = std::max(limits.spare_tracks, in_flight);
  m_tracks.resize(std::size_t{in_flight} + spares);
  m_spares.reserve(m_tracks.size());
  for (std::uint32_t i = 0; i < spares; ++i) m_spares.push_back(in_flight + spares - 1 - i);
}

Generations::~Generations() = default;

// Chosen by a hash of the row: equal distances would select the same place in every object.
std::uint64_t Generations::chosen(std::uint64_t row) const noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << m_skip) - 1;
  return (row << m_skip) + (mix64(row) & mask);
}

bool Generations::follows(std::uint64_t block) const noexcept {
  return m_skip == 0 || chosen(block >> m_skip) == block;
}

Generations::Part& Generations::part_of(std::uint64_t block) noexcept {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  return m_parts[block * golden >> m_part_shift];
}

Generations::Track* Generations::find(const Part& part, std::uint64_t block) noexcept {
  for (std::uint32_t at = part.first; at != nothing; at = m_tracks[at].next) {
    if (m_tracks[at].block == block) return &m_tracks[at];
  }
  return nullptr;
}

Generations::Track* Generations::join(Part& part, Ticket& ticket) noexcept {
  Track& mine = m_tracks[ticket.m_track];
  Track* track = find(part, ticket.m_block);
  if (track != nullptr) {
    mine.next = track->spares;
    track->spares = ticket.m_track;
  } else {
    const std::uint16_t rest = at_rest(ticket.m_block);
    if ((rest & not_followed) == not_followed) return nullptr;
    track = &mine;
    track->wake(ticket.m_block, rest);
    track->next = part.first;
    part.first = ticket.m_track;
  }
  ++track->operations;
  return track;
}

void Generations::put_to_rest(Part& part, Track& track, std::uint16_t as) noexcept {
  at_rest(track.block) = as;
  const auto index = static_cast<std::uint32_t>(&track - m_tracks.data());
  std::uint32_t* at = &part.first;
  while (*at != index) at = &m_tracks[*at].next;
  *at = track.next;
}

void Generations::leave(Part& part, Track& track, Ticket& ticket) noexcept {
  const auto index = static_cast<std::uint32_t>(&track - m_tracks.data());
  ticket.m_track = track.spares;
  if (ticket.m_track != nothing) track.spares = m_tracks[ticket.m_track].next;
  if (--track.operations > 0) return;
  if (!track.may_rest() && (ticket.m_track != nothing || take_spare(ticket.m_track))) return;
  const bool settled = track.settled();
  if (!settled) ++part.given_up;
  put_to_rest(part, track, settled ? track.rest() : not_followed);
  if (ticket.m_track == nothing) {
    ticket.m_track = index;
  } else {
    return_spare(index);
  }
}

bool Generations::take_spare(std::uint32_t& track) noexcept {
  const std::lock_guard lock(m_spares_mutex);
  if (m_spares.empty()) return false;
  track = m_spares.back();
  m_spares.pop_back();
  return true;
}

void Generations::return_spare(std::uint32_t track) noexcept {
  const std::lock_guard lock(m_spares_mutex);
  m_spares.push_back(track);
}

Generation Generations::begin_write(Ticket& ticket, std::uint64_t block) noexcept {
  ticket.m_follows = follows(block);
  if (!ticket.m_follows) return 0;
  ticket.m_block = block;
  Part& part = part_of(block);
  const Locked locked(part);
  Track* const track = join(part, ticket);
  ticket.m_follows = track != nullptr;
  if (track == nullptr) return 0;
  track->send();
  ticket.m_number = track->highest;
  ticket.m_tick = track->tick;
  return stamp_of(ticket.m_number);
}

void Generations::end_write(Ticket& ticket, bool acknowledged) noexcept {
  if (!ticket.m_follows) return;
  Part& part = part_of(ticket.m_block);
  const Locked locked(part);
  Track& track = *find(part, ticket.m_block);
  Track::Span& span = *track.span_of(ticket.m_number);
  --span.in_flight;
  if (acknowledged) {
    span.acknowledged = ++track.tick;
    ++part.acknowledged;
    if (span.single() && span.seen) ++part.read_back;
    track.barrier = std::max(track.barrier, ticket.m_tick);
    track.forget_overwritten();
  } else {
    span.unsure = true;
  }
  leave(part, track, ticket);
}

void Generations::begin_read(Ticket& ticket, std::uint64_t block) noexcept {
  ticket.m_follows = follows(block);
  if (!ticket.m_follows) return;
  ticket.m_block = block;
  Part& part = part_of(block);
  const Locked locked(part);
  const Track* const track = join(part, ticket);
  ticket.m_follows = track != nullptr;
  if (track == nullptr) return;
  ticket.m_number = track->highest;
  ticket.m_tick = track->tick;
  ticket.m_spans = track->count;
  for (std::uint32_t i = 0; i < track->count; ++i) {
    ticket.m_permitted[i] = {track->spans[i].first, track->spans[i].last};
  }
}

// The number of the write that the read returned; empty when it is not permitted.
std::uint64_t Generations::recognise(const Ticket& ticket, std::uint64_t highest,
                                     Generation found) noexcept {
  for (std::uint32_t i = 0; i < ticket.m_spans; ++i) {
    const auto& [first, last] = ticket.m_permitted[i];
    if (const std::uint64_t number = number_in(first, last, found); number != none) return number;
  }
  // Sent while the read was under way.
  return number_in(ticket.m_number + 1, highest, found);
}

void Generations::note_read(Part& part, Track& track, const Ticket& ticket,
                            std::uint64_t number) noexcept {
  Track::Span* const span = track.span_of(number);
  if (span == nullptr) return;
  if (span->single() && !span->seen) {
    span->seen = true;
    if (span->over()) ++part.read_back;
  }
  // Several overlapping writes have all ended: the read has shown which one was last.
  auto* const end = track.spans.begin() + track.count;
  const bool all_over =
      std::all_of(track.spans.begin(), end, [](const Track::Span& s) { return s.over(); });
  if (track.tick != ticket.m_tick || !all_over) return;
  const bool seen = span->seen;
  track.spans[0] = {
      .first = number, .last = number, .acknowledged = span->acknowledged, .seen = seen};
  track.count = 1;
}

Generations::Verdict Generations::end_read(Ticket& ticket, Generation found) noexcept {
  if (!ticket.m_follows) return {};
  Part& part = part_of(ticket.m_block);
  const Locked locked(part);
  Track& track = *find(part, ticket.m_block);
  const std::uint64_t number = recognise(ticket, track.highest, found);
  Verdict verdict{.finding = Finding::permitted,
                  .floor = stamp_of(ticket.m_permitted[0].first),
                  .ceiling = stamp_of(track.highest)};
  if (number != none) {
    note_read(part, track, ticket, number);
  } else {
    // Up to half a round back is older; up to half a round ahead was never sent.
    const std::uint64_t behind = (verdict.ceiling + round - found) % round;
    const bool older = found == 0 || (verdict.ceiling != 0 && behind < round / 2);
    verdict.finding = older ? Finding::lost : Finding::never_sent;
  }
  leave(part, track, ticket);
  return verdict;
}

void Generations::drop_read(Ticket& ticket) noexcept {
  if (!ticket.m_follows) return;
  Part& part = part_of(ticket.m_block);
  const Locked locked(part);
  leave(part, *find(part, ticket.m_block), ticket);
}

Verification Generations::coverage() const {
  Verification total{.blocks = m_blocks};
  for (std::size_t i = 0; i < m_part_count; ++i) {
    const Locked locked(m_parts[i]);
    total.acknowledged += m_parts[i].acknowledged;
    total.read_back += m_parts[i].read_back;
    total.given_up += m_parts[i].given_up;
  }
  total.followed = m_followed - total.given_up;
  return total;
}

}  // namespace radosload::workload
