// What a history says: for each OSD its usual and its last figures, and all changes. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "probe/facts.h"
#include "probe/history_codec.h"

namespace radosload::probe {

struct OsdSummary {
  Target target;
  std::uint64_t rounds = 0;                         // in which it was visited
  Time last_at{0};                                  // of the last of them
  std::array<std::optional<Time>, 2> medians = {};  // by Kind, of the medians of its rounds
  std::array<std::optional<Time>, 2> last = {};
  std::array<std::uint64_t, 2> failures = {};
};

struct Noted {
  Time at{0};
  std::string text;
};

struct HistorySummary {
  HistoryHeader header = {};
  std::uint64_t rounds = 0;
  std::uint64_t failed_rounds = 0;  // in which nothing could be probed
  std::uint64_t missed = 0;
  Time from{0};  // of the first round, since 1970
  Time to{0};    // of the last one
  std::vector<OsdSummary> osds = {};
  std::vector<Change> changes = {};            // in the order in which they were found
  std::vector<Noted> notes = {};               // failed rounds, the first of a row; clock jumps
  std::vector<std::int32_t> without_pgs = {};  // in the last round
};

class Summariser {
 public:
  // Only of these OSDs, and the changes of their classes; empty: of all.
  explicit Summariser(std::set<std::int32_t> osds = {}) : m_wanted(std::move(osds)) {}

  void add(const HistoryLine& line);
  HistorySummary take();

 private:
  struct Collected {
    OsdSummary summary;
    std::array<std::vector<Time>, 2> times;
  };
  void add(const Round& round);
  void add(const Visit& visit, Time at);

  std::set<std::int32_t> m_wanted;
  std::map<std::int32_t, Collected> m_osds;
  HistorySummary m_summary;
  std::string m_last_error;
};

}  // namespace radosload::probe
