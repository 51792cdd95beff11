// The lines of a journal that wait to be written. When the disk does not keep up they do not grow
// without bound: seconds are merged, with all their counts, maxima and histograms. The run
// continues, and a record that is recovered from its journal is only coarser.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "record/journal.h"

namespace radosload::record {

// Any thread.
class JournalQueue {
 public:
  // Two minutes of a run. In virtual time seconds come faster than any disk writes them.
  static constexpr std::size_t longest = 120;

  // Never waits.
  void push(JournalLine line);
  // Waits for the next line; nothing once the queue is closed and empty.
  std::optional<JournalLine> pop();
  // Lets go of what waits and of what is pushed later.
  void discard();
  // Later lines are dropped.
  void close();

 private:
  std::mutex m_mutex;  // guards all
  std::condition_variable m_wake;
  std::deque<JournalLine> m_lines;
  bool m_closed = false;
  bool m_discarding = false;
};

}  // namespace radosload::record
