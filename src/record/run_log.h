// A run while it is recorded: writes the journal and folds it at the same time, so the published
// record is the one that a crash recovery would build.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "record/journal.h"
#include "record/run_record.h"

namespace radosload::record {

// For one thread: the one that ticks.
class RunLog {
 public:
  // Pinned OSDs are all kept in every second of the journal, otherwise the worst ones are.
  static constexpr std::size_t keep_all = std::numeric_limits<std::size_t>::max();

  // The journal may be missing (`--save none`, or it could not be made).
  RunLog(RunHeader header, std::unique_ptr<JournalWriter> journal, std::size_t osds_per_interval);

  // Gets every line as well, as the journal does.
  using Tap = std::function<void(const JournalLine&)>;
  void forward_to(Tap tap);

  void add(Interval interval);
  void add(Event event);
  void add(const Warmup& warmup);
  // Closes the journal; nothing may be added afterwards.
  void finish(RunFooter footer);

  // The record so far: status incomplete until finished.
  const RunRecord& record() const { return m_folder.record(); }
  // Why the journal ended before the run did, once.
  std::optional<Error> take_error();

 private:
  Folder m_folder;
  void note(JournalLine line);

  std::unique_ptr<JournalWriter> m_journal;
  Tap m_tap;
  std::size_t m_osds_per_interval;
  bool m_reduced = false;
};

}  // namespace radosload::record
