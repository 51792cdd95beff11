// The history of a probe, as text and as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "probe/summary.h"

namespace radosload::views {

struct ProbeShown {
  std::string folder = {};
  probe::HistorySummary summary = {};
  std::uint64_t unreadable = 0;  // lines
  std::string problem = {};      // of the first of them
};

// At most so many rows of OSDs; 0: all.
std::string probe_text(const ProbeShown& shown, std::size_t most_rows = 0);
std::string probe_json(const ProbeShown& shown);

}  // namespace radosload::views
