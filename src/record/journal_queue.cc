#include "record/journal_queue.h"

#include <utility>
#include <variant>

#include "record/interval.h"

namespace radosload::record {

namespace {

// Adds a second to the one before it; false where the two must stay apart.
bool merged_into(JournalLine& last, const JournalLine& next) {
  auto* const before = std::get_if<Interval>(&last);
  const auto* const after = std::get_if<Interval>(&next);
  if (before == nullptr || after == nullptr) return false;
  const bool in_warmup = before->start < Time(0);
  if (in_warmup != (after->start < Time(0))) return false;
  *before = merge_sequence(std::move(*before), *after);
  // Each second had its own worst OSDs.
  if (before->reduced) keep_worst(*before, worst_osds);
  return true;
}

}  // namespace

void JournalQueue::push(JournalLine line) {
  const std::lock_guard lock(m_mutex);
  if (m_closed || m_discarding) return;
  if (m_lines.size() < longest || !merged_into(m_lines.back(), line)) {
    m_lines.push_back(std::move(line));
  }
  m_wake.notify_one();
}

std::optional<JournalLine> JournalQueue::pop() {
  std::unique_lock lock(m_mutex);
  m_wake.wait(lock, [this] { return m_closed || !m_lines.empty(); });
  if (m_lines.empty()) return std::nullopt;
  JournalLine line = std::move(m_lines.front());
  m_lines.pop_front();
  return line;
}

void JournalQueue::discard() {
  const std::lock_guard lock(m_mutex);
  m_discarding = true;
  m_lines.clear();
}

void JournalQueue::close() {
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
  }
  m_wake.notify_one();
}

}  // namespace radosload::record
