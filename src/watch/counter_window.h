// Reads the OSDs' counters during the measured phase: at its beginning, every few seconds, and near
// its end if that is known. The window of an OSD is from the first to the last answer within the
// phase. A separate thread asks, so no operation is delayed, and no failure ends the run.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/osd_counters.h"
#include "radosload/target.h"
#include "radosload/units.h"

#include "observe/osds.h"
#include "placement/osd_map.h"
#include "record/interval.h"
#include "record/osd_window.h"
#include "watch/osd_dumps.h"
#include "watch/poll.h"

namespace radosload::watch {

class CounterWindow {
 public:
  static constexpr Time period = std::chrono::seconds(5);
  // If there are more OSDs than this, only those with most of the run's objects are asked.
  static constexpr std::size_t most_osds = 256;

  // `planned`: the length of the measured phase; 0: unknown.
  CounterWindow(std::shared_ptr<AdminCommands> commands, std::vector<std::int32_t> osds,
                Time planned);

  // Call before the first operation: reads the kind and the identity of each OSD.
  void begin();
  // For the thread that ticks; these never wait. Each tick counts its interval before it calls
  // poll().
  void enter(Phase phase, Time now);
  void on_interval(const record::Interval& interval);
  void poll(Time now);
  // Whether a request is under way.
  bool waiting() { return m_poll->asking(); }
  // Call after the last answer: the windows by OSD, ascending. Waits for a request that is under
  // way, seconds at most.
  std::vector<record::OsdWindow> finish();

 private:
  using Clock = std::chrono::steady_clock;
  using Answered = std::map<std::int32_t, std::uint64_t>;

  struct Round {
    Time at{0};  // on the run's clock
    Clock::time_point asked;
    Answered answered = {};
  };
  struct Reading {
    Time at{0};
    std::uint64_t answered = 0;  // operations of the run, when the OSD was asked
    OsdDump dump = {};
  };
  struct Seen {
    std::optional<Reading> first = {};
    std::optional<Reading> last = {};
    bool reset = false;
    std::string trouble = {};  // the last error
  };

  bool due(Time now) const;
  void ask(Time now);
  bool read_all();
  void note(std::int32_t osd, Reading reading);
  record::OsdWindow window_of(std::int32_t osd, const Result<placement::OsdMap>& end) const;
  // Why the two readings cannot be compared; empty: they can be.
  std::string missing_of(std::int32_t osd, const Result<placement::OsdMap>& end) const;

  std::shared_ptr<AdminCommands> m_commands;
  std::unique_ptr<OsdDumps> m_dumps;
  std::vector<std::int32_t> m_osds;
  Time m_planned;
  observe::OsdKinds m_kinds;
  Result<placement::OsdMap> m_begin = fail({});

  // Used only by the thread that ticks.
  bool m_measuring = false;
  bool m_asked_last = false;
  Time m_start{0};
  Time m_next{0};
  Answered m_answered;

  std::mutex m_mutex;
  Round m_round;              // the reading under way; guarded by m_mutex, like all below
  std::optional<Time> m_end;  // of the measured phase
  std::map<std::int32_t, Seen> m_seen;
  std::optional<Poll<bool>> m_poll;  // last: its thread uses the rest
};

}  // namespace radosload::watch
