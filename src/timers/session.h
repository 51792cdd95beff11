// Times one OSD after the other, in the order of turns.
#pragma once

#include <functional>
#include <string>
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
  footprint::FlagNote note = {};
  Bytes block = mib(4);
  Bytes bytes = {};
  std::vector<std::int32_t> convert = {};
  Bytes convert_bytes = {};
};

struct Session {
  std::vector<Row> rows = {};
  bool interrupted = false;

  // Whether everything was measured.
  bool complete() const;
};

// Ends at an interrupt, and after a restart that failed: no further OSD is stopped then.
// `after_each` is called with what has been measured so far, so that it can be saved.
Session run_turns(
    const World& world, const Wish& wish, const std::vector<Turn>& turns,
    const std::function<void(const Session&)>& after_each = [](const Session&) {});

}  // namespace radosload::timers
