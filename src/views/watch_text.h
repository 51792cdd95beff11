// What `radosload watch` shows: what the OSDs counted over an interval, at the end as text and as
// JSON, and before that as a frame on a terminal. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "record/osd_window.h"
#include "record/run_record.h"

namespace radosload::views {

struct Watched {
  std::string started;  // ISO 8601, UTC
  Time length{0};       // until the last look
  Time interval{0};     // between two looks
  bool interrupted = false;
  std::vector<record::OsdWindow> windows = {};  // over all of it
  std::vector<std::string> notes = {};          // what to know of single OSDs
  record::Grade grade = {};                     // whether something disturbed the OSDs meanwhile
};

std::string watch_text(const Watched& watched);

// {schema: "radosload.watch/1", status: "complete" | "interrupted", started, watched_s, interval_s,
//  osds: {"osd.3": {counters: {kind, from_s, to_s, missing,
//                              times: {NAME: {count, seconds, mean_us}}, counts: {NAME: COUNT},
//                              levels: {NAME: VALUE},
//                              latencies: {"read"|"write": {ops, p50_below_us, p99_below_us}}}}},
//  notes: [TEXT], grade: {value: "clean" | "contaminated" | "unwatched", reasons: [TEXT]}}
// kind is null when it is not known, mean_us when nothing was counted; missing is empty when there
// are figures.
std::string watch_json(const Watched& watched);

struct WatchFrame {
  Time elapsed{0};
  Time length{0};                               // of the whole watch
  Time interval{0};                             // that the figures are of
  std::vector<record::OsdWindow> windows = {};  // none: there are no figures yet
  std::vector<std::string> disturbed = {};      // by what, up to now
};

// The lines of a frame no larger than the screen: a note at the end says when lines are left out.
std::vector<std::string> watch_frame(const WatchFrame& frame, std::size_t osds, std::size_t columns,
                                     std::size_t rows);

}  // namespace radosload::views
