// The slowest operations of one lane in the measured phase, by response time. Called once for every
// operation, so it costs one comparison unless the operation is among the slowest so far; its
// memory is allocated beforehand. Not thread-safe: the lane serialises all calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "radosload/op.h"
#include "radosload/outcome.h"
#include "radosload/target.h"
#include "radosload/units.h"

namespace radosload::engine {

// Times are those of the loop.
struct SlowOp {
  Op op;
  Time intended{0};
  Time submitted{0};
  Time completed{0};  // unanswered: when it was given up
  std::int32_t rc = 0;
  bool answered = true;

  Time response() const { return completed - intended; }
  bool operator==(const SlowOp& other) const {
    return response() == other.response() && submitted == other.submitted;
  }
};

class Slowest {
 public:
  // Keeps so many; 0: none.
  explicit Slowest(std::size_t most);

  // An operation that has ended, however it ended.
  void offer(const Slot& slot) {
    if (slot.completed - slot.intended > m_threshold) [[unlikely]]
      insert(slot, true);
  }
  // One that is given up without an answer; `completed` says when.
  void offer_unanswered(const Slot& slot) {
    if (slot.completed - slot.intended > m_threshold) insert(slot, false);
  }
  // In no order.
  const std::vector<SlowOp>& kept() const { return m_kept; }

 private:
  void insert(const Slot& slot, bool answered);

  std::size_t m_most;
  Time m_threshold;            // the response time that one must exceed to be kept
  std::vector<SlowOp> m_kept;  // a heap with the fastest in front
};

// The slowest of all of these, the slowest first.
std::vector<SlowOp> slowest_of(std::vector<SlowOp> all, std::size_t most);

}  // namespace radosload::engine
