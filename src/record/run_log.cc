#include "record/run_log.h"

#include <utility>

namespace radosload::record {

RunLog::RunLog(RunHeader header, std::unique_ptr<JournalWriter> journal,
               std::size_t osds_per_interval)
    : m_folder(header), m_journal(std::move(journal)), m_osds_per_interval(osds_per_interval) {
  if (m_journal) m_journal->append(std::move(header));
}

void RunLog::forward_to(Tap tap) {
  m_tap = std::move(tap);
  m_tap(m_folder.record().header);
}

void RunLog::note(JournalLine line) {
  if (m_tap) m_tap(line);
  if (m_journal) m_journal->append(std::move(line));
}

void RunLog::add(Interval interval) {
  m_folder.add(interval);
  if (!m_journal && !m_tap) return;
  keep_worst(interval, m_osds_per_interval);
  m_reduced = m_reduced || interval.reduced;
  note(std::move(interval));
}

void RunLog::add(Event event) {
  m_folder.add(event);
  note(std::move(event));
}

void RunLog::add(const Warmup& warmup) {
  m_folder.add(warmup);
  note(warmup);
}

void RunLog::finish(RunFooter footer) {
  if (m_reduced) footer.osds = m_folder.record().osds;
  m_folder.add(footer);
  note(std::move(footer));
  if (m_journal) m_journal->close();
}

std::optional<Error> RunLog::take_error() {
  return m_journal ? m_journal->take_error() : std::nullopt;
}

}  // namespace radosload::record
