#include "target/blocking_slots.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

namespace radosload::target {

namespace {

// No device needs more for O_DIRECT, and a page is the unit in which the kernel pins memory.
constexpr std::size_t buffer_alignment = 4096;

constexpr std::size_t rounded_up(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

}  // namespace

Status BlockingSlots::serve(std::span<Slot> slots) {
  std::size_t bytes = 0;
  for (const Slot& slot : slots) bytes += rounded_up(slot.room);
  m_ops = std::vector<BlockingOp>(slots.size());
  if (bytes > 0) {
    m_memory.reset(static_cast<std::byte*>(std::aligned_alloc(buffer_alignment, bytes)));
    if (!m_memory) {
      return fail({.attempt = "start the load",
                   .reason = fmt::format("no memory for buffers of {}", human_text(Bytes{bytes})),
                   .hint = "lower --qd or --clients",
                   .errnum = ENOMEM});
    }
    // So that the first operations do not wait for the kernel to provide pages.
    std::fill_n(m_memory.get(), bytes, std::byte{0});
  }
  std::byte* next = m_memory.get();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    m_ops[i].slot = &slots[i];
    m_ops[i].memory = next;
    slots[i].driver = &m_ops[i];
    slots[i].buffer = {next, slots[i].room};
    next += rounded_up(slots[i].room);
  }
  return {};
}

void BlockingSlots::give_up() noexcept {
  for (BlockingOp& op : m_ops) op.give_up();
}

}  // namespace radosload::target
