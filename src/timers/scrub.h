// How long scrubbing an OSD takes, with the time in the queue kept apart from the work. Releases
// from 17 on tell each PG's duration; of older ones the states and stamps are watched, which reach
// the mgr every 5 s.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "observe/osd_timing.h"
#include "timers/row.h"
#include "timers/world.h"

namespace radosload::timers {

// How late the statistics of PGs are that do not tell a duration.
inline constexpr Time statistics_lag = std::chrono::seconds(7);

// Follows the PGs of one OSD from the order to scrub them until each has a newer stamp. Pure.
class ScrubWatch {
 public:
  using Pgs = std::vector<observe::PgTiming>;
  // `before`: from before the order, which was given at `ordered`, a time of day.
  ScrubWatch(const Pgs& before, bool deep, Time ordered);

  void see(const Pgs& now, Time wall);
  bool done() const { return m_done == m_pgs.size(); }
  ScrubTimes times() const;
  // PGs that are not done yet, as they were last seen.
  std::vector<observe::PgTiming> undone() const;
  // PGs that are not done, and have been seen at work.
  bool begun(const std::string& pgid) const;

 private:
  struct One {
    std::optional<Time> old_stamp = {};
    std::optional<Time> begun = {};  // first seen at work
    std::optional<Time> end = {};
    std::optional<Time> duration = {};  // that Ceph tells
    observe::PgTiming last = {};
  };
  std::optional<Time> stamp_of(const observe::PgTiming& pg) const {
    return m_deep ? pg.deep_scrubbed : pg.scrubbed;
  }

  bool m_deep;
  Time m_ordered;
  std::size_t m_done = 0;
  std::map<std::string, One> m_pgs;
};

struct ScrubWish {
  bool deep = false;
  Time limit = std::chrono::minutes(10);
};
Row time_scrub(const World& world, std::int32_t osd, const ScrubWish& wish);

}  // namespace radosload::timers
