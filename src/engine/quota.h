// --ops and --bytes: how many operations the measured phase may still send. An end condition that
// is kept here and not asked once a second (run/end_condition.h), since it must hold to the
// operation.
#pragma once

#include <atomic>
#include <cstdint>

#include "radosload/run_plan.h"

#include "record/ended_by.h"

namespace radosload::engine {

class Quota {
 public:
  explicit Quota(const Extent& extent) : m_extent(extent) {}

  // Takes one operation of that length out of it. What was used up before: ops, bytes, or nothing
  // when the operation may be sent. Any thread.
  record::EndedBy consume(std::uint32_t length) {
    auto used_up = record::EndedBy::nothing;
    if (m_extent.ops > 0 && m_ops.fetch_add(1, std::memory_order_relaxed) >= m_extent.ops) {
      used_up = record::EndedBy::ops;
    }
    const std::uint64_t bytes = m_extent.bytes.count;
    if (bytes > 0 && m_bytes.fetch_add(length, std::memory_order_relaxed) >= bytes) {
      used_up = record::EndedBy::bytes;
    }
    return used_up;
  }

 private:
  Extent m_extent;
  std::atomic<std::uint64_t> m_ops{0};  // taken
  std::atomic<std::uint64_t> m_bytes{0};
};

}  // namespace radosload::engine
