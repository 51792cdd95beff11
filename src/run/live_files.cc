#include "run/live_files.h"

#include "base/log.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

std::unique_ptr<record::JournalWriter> open_journal(const std::string& run_id,
                                                    const OutputOptions& output,
                                                    record::ProgressListener& listener) {
  base::log_info("run {} starts", run_id);
  if (!output.store) return nullptr;
  base::log_info("run {}: its journal is {}", run_id, output.store->journal_path(run_id).string());
  auto journal = record::JournalWriter::create(output.store->journal_path(run_id));
  if (journal) return *std::move(journal);
  listener.note(fmt::format("the run has no journal: {}", journal.error().message()));
  return nullptr;
}

std::unique_ptr<record::MarkInbox> open_marks(const std::string& run_id,
                                              const OutputOptions& output,
                                              record::ProgressListener& listener) {
  auto marks = record::MarkInbox::create(output.store->marks_path(run_id));
  if (marks) return *std::move(marks);
  listener.note(fmt::format("'radosload mark' cannot reach this run: {}", marks.error().message()));
  return nullptr;
}

}  // namespace

LiveFiles::LiveFiles(const std::string& run_id, const OutputOptions& output,
                     record::ProgressListener& listener)
    : m_run_id(run_id), m_output(output), m_journal(open_journal(run_id, output, listener)) {
  // `mark` finds live runs by their journals, so it cannot reach a run without one.
  if (m_journal) m_marks = open_marks(run_id, output, listener);
}

LiveFiles::~LiveFiles() {
  if (!m_journal) return;
  m_journal.reset();
  m_output.store->remove_journal(m_run_id);
}

std::unique_ptr<record::JournalWriter> LiveFiles::take_journal() {
  return std::move(m_journal);
}

}  // namespace radosload::run
