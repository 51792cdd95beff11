// Which write the content of each block of a working set may come from while the load runs. A
// read's content is compared with it, so that an acknowledged write that is lost is noticed.
//
// The writes of a block are numbered in the order in which they are sent. A value that a read
// returns is permitted when some order of all operations explains it, that is, when its write was
// sent before the read was answered, and no other write began after its acknowledgement and was
// itself acknowledged before the read was sent. A write that failed or timed out may still be
// carried out at any time, so its value stays permitted, and excludes no other.
//
// A block without operations in flight takes two bytes: its generation. The state of a block with
// operations in flight, or with several permitted values, is kept in a track. Each operation brings
// a track along, so nothing is allocated. A lock is held for a few instructions and covers a small
// part of the blocks, so two lanes wait for each other only when their blocks share one.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include "radosload/verification.h"

#include "workload/payload.h"

namespace radosload::workload {

class Generations final {
 public:
  struct Limits {
    std::size_t bytes = std::size_t{256}
                        << 20U;         // for blocks at rest; beyond, a sample is followed
    std::uint32_t spare_tracks = 4096;  // for blocks at rest with several permitted values
  };

  // The number of an operation among those that can be in flight at the same time.
  class Ticket {
   public:
    Ticket() = default;
    // Whether the operation's block is followed.
    bool follows() const noexcept { return m_follows; }

   private:
    friend class Generations;
    struct Span {
      std::uint64_t first;
      std::uint64_t last;
    };
    static constexpr std::size_t most_spans = 16;

    std::uint32_t m_track = 0;  // it has brought along
    bool m_follows = false;
    std::uint32_t m_spans = 0;
    std::uint64_t m_block = 0;
    std::uint64_t m_number = 0;  // of the write; for a read the highest one sent before it
    std::uint64_t m_tick = 0;    // when it began
    std::array<Span, most_spans> m_permitted;  // to a read, when it was sent
  };

  enum class Finding : std::uint8_t {
    permitted,
    lost,        // an older write than the one that must be there, at least
    never_sent,  // a write that this run has not sent
  };
  // The lowest and the highest permitted one; as stamps have them, so they count on from 1.
  struct Verdict {
    Finding finding = Finding::permitted;
    Generation floor = 0;
    Generation ceiling = 0;
  };

  Generations(std::uint64_t blocks, std::uint32_t in_flight, Limits limits);
  Generations(std::uint64_t blocks, std::uint32_t in_flight)
      : Generations(blocks, in_flight, Limits()) {}
  ~Generations();
  Generations(const Generations&) = delete;
  Generations& operator=(const Generations&) = delete;
  Generations(Generations&&) = delete;
  Generations& operator=(Generations&&) = delete;

  // Once for each ticket: the i-th of `in_flight`.
  void admit(Ticket& ticket, std::uint32_t index) const noexcept { ticket.m_track = index; }

  // Each begin is followed by one end, with the same ticket; any thread. Call before a write is
  // sent: returns the generation to stamp it with, 0 for a block that is not followed.
  Generation begin_write(Ticket& ticket, std::uint64_t block) noexcept;
  // Its answer. A write that was not acknowledged may or may not have been carried out, now or
  // later.
  void end_write(Ticket& ticket, bool acknowledged) noexcept;
  void begin_read(Ticket& ticket, std::uint64_t block) noexcept;
  Verdict end_read(Ticket& ticket, Generation found) noexcept;
  // A read that has returned nothing to compare.
  void drop_read(Ticket& ticket) noexcept;

  Verification coverage() const;

 private:
  struct Track;
  struct Part;
  class Locked;
  struct Free {
    void operator()(void* memory) const noexcept { std::free(memory); }
  };

  static std::uint64_t recognise(const Ticket& ticket, std::uint64_t highest,
                                 Generation found) noexcept;
  static void note_read(Part& part, Track& track, const Ticket& ticket,
                        std::uint64_t number) noexcept;
  // The block of a row of 2^m_skip that is followed.
  std::uint64_t chosen(std::uint64_t row) const noexcept;
  bool follows(std::uint64_t block) const noexcept;
  std::uint16_t& at_rest(std::uint64_t block) noexcept { return m_at_rest.get()[block >> m_skip]; }
  Part& part_of(std::uint64_t block) noexcept;
  // The block's track, woken with the ticket's when it has none; null when it is not followed.
  Track* join(Part& part, Ticket& ticket) noexcept;
  Track* find(const Part& part, std::uint64_t block) noexcept;
  void leave(Part& part, Track& track, Ticket& ticket) noexcept;
  void put_to_rest(Part& part, Track& track, std::uint16_t as) noexcept;
  bool take_spare(std::uint32_t& track) noexcept;
  void return_spare(std::uint32_t track) noexcept;

  std::uint64_t m_blocks;
  unsigned m_skip = 0;  // one block of 2^m_skip is followed
  std::uint64_t m_followed = 0;
  std::unique_ptr<std::uint16_t, Free> m_at_rest;
  std::unique_ptr<Part[]> m_parts;
  unsigned m_part_shift;
  std::size_t m_part_count;
  std::vector<Track> m_tracks;
  std::mutex m_spares_mutex;  // taken when a block comes to rest with several permitted values
  std::vector<std::uint32_t> m_spares;
};

}  // namespace radosload::workload
