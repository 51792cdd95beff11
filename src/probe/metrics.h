// The probe's figures for Prometheus, in its text format. An OSD has four series; what takes a
// histogram is by class, so that ten thousand OSDs have no more than some forty thousand series.
// The text is made once a round: a scrape only sends it. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/units.h"

#include "probe/facts.h"

namespace radosload::probe {

// Upper bounds of the histograms' buckets: 50 us, and each twice the one before, until 52 s.
inline constexpr std::size_t bucket_count = 21;
inline constexpr Time first_bucket = std::chrono::microseconds(50);

struct MetricsFacts {
  std::string pool = {};
  Time interval{0};
  double share_of_drive = 0;  // of the budget
};

class Metrics {
 public:
  void add(const Round& round);
  void add(const Change& change);
  void lost_history() { ++m_history_failures; }
  // `standing`: the changes that hold. Failed figures are left out, never 0.
  std::string text(const MetricsFacts& facts, const std::vector<Change>& standing) const;

 private:
  class Text;
  struct Histogram {
    std::array<std::uint64_t, bucket_count> buckets = {};  // each with all that is below it
    std::uint64_t count = 0;
    double sum = 0;  // seconds
  };
  struct OsdFigures {
    std::string device_class;
    std::array<std::uint64_t, 2> failures = {};
  };
  static void add_changes(Text& text, const std::vector<Change>& standing);
  void add_rounds(Text& text) const;
  void add_osds(Text& text) const;
  void add_histograms(Text& text) const;

  Round m_last;
  std::uint64_t m_rounds = 0;
  std::uint64_t m_failed_rounds = 0;
  std::uint64_t m_missed_rounds = 0;
  std::uint64_t m_history_failures = 0;
  std::array<std::uint64_t, 2> m_changes = {};  // by Kind
  std::map<std::int32_t, OsdFigures> m_osds;    // of the last round that probed any
  std::map<std::pair<std::string, Kind>, Histogram> m_histograms;
};

}  // namespace radosload::probe
