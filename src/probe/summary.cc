#include "probe/summary.h"

#include <utility>
#include <variant>

namespace radosload::probe {

void Summariser::add(const HistoryLine& line) {
  if (const auto* const header = std::get_if<HistoryHeader>(&line)) m_summary.header = *header;
  if (const auto* const round = std::get_if<Round>(&line)) add(*round);
  if (const auto* const change = std::get_if<Change>(&line)) {
    const bool wanted =
        m_wanted.empty() || change->osd == class_of_osds || m_wanted.contains(change->osd);
    if (wanted) m_summary.changes.push_back(*change);
  }
}

void Summariser::add(const Round& round) {
  if (m_summary.rounds == 0) m_summary.from = round.at;
  ++m_summary.rounds;
  m_summary.to = round.at;
  m_summary.missed += round.missed;
  if (!round.error.empty()) ++m_summary.failed_rounds;
  // A cluster that is away for a day is one note.
  if (!round.error.empty() && round.error != m_last_error) {
    m_summary.notes.push_back({round.at, round.error});
  }
  m_last_error = round.error;
  for (const std::string& note : round.notes) m_summary.notes.push_back({round.at, note});
  if (round.error.empty()) m_summary.without_pgs = round.without_pgs;
  for (const Visit& visit : round.visits) {
    if (m_wanted.empty() || m_wanted.contains(visit.target.osd)) add(visit, round.at);
  }
}

void Summariser::add(const Visit& visit, Time at) {
  Collected& collected = m_osds[visit.target.osd];
  OsdSummary& summary = collected.summary;
  summary.target = visit.target;
  summary.last_at = at;
  ++summary.rounds;
  for (const Kind kind : kinds) {
    const std::size_t i = index_of(kind);
    const Timing& timing = visit.of(kind);
    summary.last[i] = timing.typical;
    summary.failures[i] += timing.failed;
    if (timing.typical) collected.times[i].push_back(*timing.typical);
  }
}

HistorySummary Summariser::take() {
  for (auto& [osd, collected] : m_osds) {
    for (const Kind kind : kinds) {
      const std::size_t i = index_of(kind);
      collected.summary.medians[i] = median_of(std::move(collected.times[i]));
    }
    m_summary.osds.push_back(std::move(collected.summary));
  }
  m_osds.clear();
  return std::move(m_summary);
}

}  // namespace radosload::probe
