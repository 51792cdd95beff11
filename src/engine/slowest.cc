#include "engine/slowest.h"

#include <algorithm>

namespace radosload::engine {

namespace {

// The slower one first; among equals the one that was sent first.
bool slower(const SlowOp& one, const SlowOp& other) {
  if (one.response() != other.response()) return one.response() > other.response();
  return one.submitted < other.submitted;
}

}  // namespace

Slowest::Slowest(std::size_t most) : m_most(most), m_threshold(most == 0 ? Time::max() : Time(-1)) {
  m_kept.reserve(most);
}

void Slowest::insert(const Slot& slot, bool answered) {
  if (slot.phase != Phase::measure) return;
  if (m_kept.size() == m_most) {
    std::pop_heap(m_kept.begin(), m_kept.end(), slower);
    m_kept.pop_back();
  }
  m_kept.push_back({.op = slot.op,
                    .intended = slot.intended,
                    .submitted = slot.submitted,
                    .completed = slot.completed,
                    .rc = slot.outcome.rc,
                    .answered = answered});
  std::push_heap(m_kept.begin(), m_kept.end(), slower);
  if (m_kept.size() == m_most) m_threshold = m_kept.front().response();
}

std::vector<SlowOp> slowest_of(std::vector<SlowOp> all, std::size_t most) {
  std::stable_sort(all.begin(), all.end(), slower);
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace radosload::engine
