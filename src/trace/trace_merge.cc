#include "trace/trace_merge.h"

namespace radosload::trace {

TraceMerge::TraceMerge(const std::vector<TraceFile>& files) {
  for (const TraceFile& file : files) m_sources.push_back({.file = &file});
}

// Whether the source has a row to give.
Result<bool> TraceMerge::fill(Source& source) {
  if (source.given < source.rows.size()) return true;
  constexpr std::size_t at_once = 16384;
  source.rows.resize(at_once);
  source.given = 0;
  RADOSLOAD_ASSIGN(const auto got, source.file->read(source.read, source.rows));
  source.rows.resize(got);
  source.read += got;
  return got > 0;
}

Result<std::optional<TraceMerge::Row>> TraceMerge::next() {
  Source* first = nullptr;
  for (Source& source : m_sources) {
    RADOSLOAD_ASSIGN(const bool filled, fill(source));
    if (!filled) continue;
    const auto answered = [](const Source& of) { return of.rows[of.given].complete_ns; };
    if (first == nullptr || answered(source) < answered(*first)) first = &source;
  }
  if (first == nullptr) return std::optional<Row>();
  const auto file = static_cast<std::size_t>(first - m_sources.data());
  return std::optional(Row{.file = file, .row = first->rows[first->given++]});
}

}  // namespace radosload::trace
