// Passes rows from one lane to the thread that writes them. The lane only copies a row: no lock, no
// allocation, no system call. One thread at a time adds (guaranteed by the lane's own lock), and
// another thread takes.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>

#include "trace/trace_row.h"

namespace radosload::trace {

class TraceRing {
 public:
  // Holds at least one row, and at most `rows`. All rings of a trace share `ended`: a trace with a
  // gap would be misleading, so the first row without room ends all of them.
  TraceRing(std::size_t rows, std::atomic<bool>& ended)
      : m_mask(std::bit_floor(rows > 0 ? rows : 1) - 1),
        m_rows(std::make_unique_for_overwrite<TraceRow[]>(m_mask + 1)),
        m_ended(ended) {}

  void add(const TraceRow& row) noexcept {
    const std::uint64_t head = m_head.load(std::memory_order_relaxed);
    const bool full = head - m_tail_seen > m_mask && !has_room(head);
    if (full || m_ended.load(std::memory_order_relaxed)) [[unlikely]] {
      m_ended.store(true, std::memory_order_relaxed);
      m_missed.store(m_missed.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      return;
    }
    m_rows[head & m_mask] = row;
    m_head.store(head + 1, std::memory_order_release);
  }
  // For rows that come after the load, which may wait: a full ring is given time to be emptied,
  // unless the writing thread takes no row at all.
  void add_after_the_load(const TraceRow& row) noexcept {
    constexpr auto pause = std::chrono::milliseconds(1);
    constexpr int most_pauses = 10'000;
    const std::uint64_t head = m_head.load(std::memory_order_relaxed);
    for (int i = 0; i < most_pauses && head - m_tail_seen > m_mask && !has_room(head); ++i) {
      if (m_ended.load(std::memory_order_relaxed)) break;
      std::this_thread::sleep_for(pause);
    }
    add(row);
  }
  // How many rows were given to add(), including those that it dropped. Any thread.
  std::uint64_t given() const {
    return m_head.load(std::memory_order_relaxed) + m_missed.load(std::memory_order_relaxed);
  }

  // For the reading thread: the number of waiting rows, and the first contiguous ones.
  std::uint64_t size() const {
    return m_head.load(std::memory_order_acquire) - m_tail.load(std::memory_order_relaxed);
  }
  std::span<const TraceRow> front() const {
    const std::uint64_t tail = m_tail.load(std::memory_order_relaxed);
    const std::uint64_t to_the_end = m_mask + 1 - (tail & m_mask);
    return {&m_rows[tail & m_mask], std::min(size(), to_the_end)};
  }
  void release(std::size_t rows) {
    m_tail.store(m_tail.load(std::memory_order_relaxed) + rows, std::memory_order_release);
  }

 private:
  static constexpr std::size_t cache_line = 64;

  bool has_room(std::uint64_t head) noexcept {
    m_tail_seen = m_tail.load(std::memory_order_acquire);
    return head - m_tail_seen <= m_mask;
  }

  const std::uint64_t m_mask;
  const std::unique_ptr<TraceRow[]> m_rows;
  std::atomic<bool>& m_ended;
  // Only the lane writes it.
  alignas(cache_line) std::atomic<std::uint64_t> m_head{0};
  std::atomic<std::uint64_t> m_missed{0};
  std::uint64_t m_tail_seen = 0;
  // Only the writing thread writes it.
  alignas(cache_line) std::atomic<std::uint64_t> m_tail{0};
};

}  // namespace radosload::trace
