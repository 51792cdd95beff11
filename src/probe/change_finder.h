// Finds, round by round, which OSD became slower or faster. The figures of an OSD are compared with
// the median of its class in the same round, because load that rises and falls is shared by all of
// them, and a change of all is reported once, as the change of their class. A class with few OSDs
// has no such median; its OSDs, and a pool as a whole, are compared with their own past only. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "probe/facts.h"
#include "stats/change_points.h"

namespace radosload::probe {

// The figures come from the simulation in tests/unit/probe_simulation_test.cc.
struct FinderRules {
  std::size_t window = 120;     // the latest values of a series that are looked at
  std::size_t least_peers = 5;  // OSDs of a class with figures in a round, for its median
  double osd_ratio = 1.25;      // smaller changes of an OSD do not matter,
  double class_ratio = 1.5;     // nor those of a class or of a pool
  // By Kind. A round has a single write of an OSD, and it waits for the slowest replica.
  std::array<double, 2> significance = {1e-8, 1e-11};
  std::size_t before = 24;  // after a change as few as `after`, so that its end is seen soon
  std::size_t after = 8;
  double agreeing = 0.8;
};

class ChangeFinder {
 public:
  explicit ChangeFinder(const FinderRules& rules = {}) : m_rules(rules) {}

  // Takes a round and returns what it shows to have changed.
  std::vector<Change> add(const Round& round);
  // What an earlier process has seen: takes the figures only, and reports nothing again.
  void replay(const Round& round) { take(round); }
  void replay(const Change& change);

  // The last changes of each subject that still hold, in the order of subjects.
  std::vector<Change> standing() const;

 private:
  struct Value {
    Time at{0};        // of the wall clock
    double log = 0;    // of the latency
    double level = 0;  // the same, without what the class has in common
  };
  struct Series {
    std::vector<Value> values;
    std::uint32_t peers = 0;
    bool fresh = false;    // this round has a value
    bool changed = false;  // it begins with a change
  };
  using Subject =
      std::tuple<std::int32_t, std::string, Kind>;  // class_of_osds and a class, or another number

  void take(const Round& round);
  void take(const Round& round, Kind kind);
  void push(const Subject& subject, const Value& value, std::uint32_t peers);
  void judge(const Subject& subject, Series& series, Time now, std::vector<Change>& into);

  FinderRules m_rules;
  std::map<Subject, Series> m_series;
  std::map<Subject, Change> m_standing;
  std::vector<double> m_levels;  // of the series that is looked at
};

}  // namespace radosload::probe
