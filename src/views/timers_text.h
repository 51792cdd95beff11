// The text, the JSON and the CSV of `radosload time`, of a new timing and of a saved one, and what
// `radosload cleanup --flags` shows. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "footprint/osd_flags.h"
#include "report/list.h"
#include "timers/session.h"

namespace radosload::views {

struct TimersShown {
  std::string id = {};       // of the saved timing: "t20261121-040012345-9f3a"
  std::string started = {};  // ISO 8601 in UTC
  std::string program = {};  // "radosload 0.1.0"
  std::string fsid = {};     // empty: the mons did not tell
  timers::Wish wish = {};
  std::vector<std::int32_t> osds = {};
  std::uint32_t rounds = 1;
  std::uint64_t seed = 0;
  bool dry_run = false;
  std::vector<timers::Turn> turns = {};  // in the order in which they are done
};

// What would be done.
std::string timers_plan_text(const TimersShown& shown);
// `saved_as`: the file; empty: it is not saved.
std::string timers_text(const TimersShown& shown, const timers::Session& session,
                        const std::string& saved_as = "");
// {schema: "radosload.time/1", id, started, program, fsid, timer, deep, limit_s, osds, rounds,
//  seed, dry_run, complete, interrupted, turns: [{osd, round}], rows: [{osd, round, began,
//  elapsed_s, failure, scrub, peering, compact, bench, backfill}]}
std::string timers_json(const TimersShown& shown, const timers::Session& session);
// A row for each measurement, with the columns of all timers.
std::string timers_csv(const TimersShown& shown, const timers::Session& session);
// Whether every turn was measured without a failure.
bool whole(const TimersShown& shown, const timers::Session& session);

struct SavedTiming {
  TimersShown shown = {};
  timers::Session session = {};
};
// `subject` names the source in errors: a file's path.
Result<SavedTiming> timers_from_json(std::string_view text, const std::string& subject);
report::ListRow timers_list_row(const SavedTiming& timing);

// `now`: since 1970, for the age of each flag.
std::string flags_text(const std::vector<footprint::FlagRemoved>& flags, Time now);
// {schema: "radosload.flags/1", dry_run, flags: [{osd, flag, fate, detail, process, since, age_s,
//  host, pid}]}
std::string flags_json(const std::vector<footprint::FlagRemoved>& flags, bool dry_run, Time now);

}  // namespace radosload::views
