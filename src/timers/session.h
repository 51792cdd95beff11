// Times one OSD after the other, in the order of turns.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "timers/backfill.h"
#include "timers/osd_work.h"
#include "timers/peering.h"
#include "timers/row.h"
#include "timers/scrub.h"
#include "timers/world.h"

namespace radosload::timers {

struct Wish {
  Timer timer = Timer::scrub;
  Time limit = std::chrono::minutes(10);  // of each OSD
  bool deep = false;
  std::string restart = {};
  std::vector<std::string> offline_pools = {};  // whose PGs may be offline during a restart
  footprint::FlagNote note = {};
  Bytes block = mib(4);
  Bytes bytes = {};
  std::vector<std::int32_t> convert = {};
  Bytes convert_bytes = {};
  std::string pool = {};  // of a compaction: where reads are probed
};

struct Session {
  std::vector<Row> rows = {};
  bool interrupted = false;

  // Whether everything was measured.
  bool complete() const;
};

// Why a row has nothing that was measured, until it has.
inline constexpr std::string_view cut_off = "cut off: radosload ended in the middle of it";

// Ends at an interrupt, and after a restart that failed: no further OSD is stopped then.
// `on_change` is called with what has been measured so far, so that it can be saved: before each
// measurement, whose row then says that it was cut off, and after it.
Session run_turns(
    const World& world, const Wish& wish, const std::vector<Turn>& turns,
    const std::function<void(const Session&)>& on_change = [](const Session&) {});

}  // namespace radosload::timers
