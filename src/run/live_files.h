// The files of a run that lives: its journal, by which `radosload mark` finds it, and its inbox for
// marks. They are there before the run has anything to measure, so that marks reach its prefill.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "record/journal.h"
#include "record/marks.h"
#include "record/progress.h"
#include "run/run.h"

namespace radosload::run {

class LiveFiles {
 public:
  // Disk errors are reported to the listener; then the run has no journal, or takes no marks.
  LiveFiles(const std::string& run_id, const OutputOptions& output,
            record::ProgressListener& listener);
  // Removes the files that were not taken: nothing was measured.
  ~LiveFiles();
  LiveFiles(const LiveFiles&) = delete;
  LiveFiles& operator=(const LiveFiles&) = delete;
  LiveFiles(LiveFiles&&) = delete;
  LiveFiles& operator=(LiveFiles&&) = delete;

  // A journal without a line is not a run yet. None: there is no store, or the disk failed.
  std::unique_ptr<record::JournalWriter> take_journal();
  std::unique_ptr<record::MarkInbox> take_marks() { return std::move(m_marks); }
  // Earlier marks are not the run's.
  std::chrono::steady_clock::time_point opened() const { return m_opened; }

 private:
  std::string m_run_id;
  const OutputOptions& m_output;
  std::unique_ptr<record::JournalWriter> m_journal;
  std::unique_ptr<record::MarkInbox> m_marks;
  std::chrono::steady_clock::time_point m_opened = std::chrono::steady_clock::now();
};

}  // namespace radosload::run
