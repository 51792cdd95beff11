// The flags of OSDs that `radosload cleanup --flags` found, as text and as JSON.

#include <algorithm>

#include "radosload/printable.h"

#include "base/wall_clock.h"
#include "views/fate.h"
#include "views/json_values.h"
#include "views/timers_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using footprint::Fate;
using footprint::FlagRemoved;
using footprint::OwnerState;

// Nothing for a note that cannot be read. Clocks of two machines differ, so never below 0.
std::optional<Time> age_of(const FlagRemoved& flag, Time now) {
  const auto since = base::parse_moment(flag.found.note.since);
  return since ? std::optional(std::max(Time{0}, now - *since)) : std::nullopt;
}

const char* flag_fate_text(Fate fate) {
  switch (fate) {
    case Fate::removed:
      return "removed";
    case Fate::would:
      return "would be removed";
    case Fate::held:
      return "left alone";
    default:
      return "NOT removed";
  }
}

const char* process_name(OwnerState state) {
  if (state == OwnerState::runs) return "runs";
  return state == OwnerState::gone ? "gone" : "unknown";
}

// How it is known whether the process that has set the flag still runs.
const char* process_text(OwnerState state) {
  if (state == OwnerState::runs) return "its process runs on this machine";
  if (state == OwnerState::gone) return "its process has ended: this machine has no such process";
  return "its process cannot be checked from this machine";
}

}  // namespace

std::string flags_text(const std::vector<FlagRemoved>& flags, Time now) {
  if (flags.empty()) return "no flags that radosload has set\n";
  std::string text;
  bool running = false;
  bool unknown = false;
  for (const FlagRemoved& one : flags) {
    const auto age = age_of(one, now);
    text +=
        fmt::format("noout of osd.{}: {}\n  {}{}\n  {}\n", one.found.osd, flag_fate_text(one.fate),
                    printable(one.detail), age ? fmt::format(" ({} ago)", human_text(*age)) : "",
                    process_text(one.owner));
    const bool left = one.fate == Fate::held;
    running = running || (left && one.owner == OwnerState::runs);
    unknown = unknown || (left && one.owner == OwnerState::unknown);
  }
  if (running) text += "A live process removes its own flag when it ends.\n";
  if (unknown) {
    text += "Where no 'radosload time' runs any more, --force removes its flag nevertheless.\n";
  }
  return text;
}

std::string flags_json(const std::vector<FlagRemoved>& flags, bool dry_run, Time now) {
  nlohmann::ordered_json json = {{"schema", "radosload.flags/1"},
                                 {"dry_run", dry_run},
                                 {"flags", nlohmann::ordered_json::array()}};
  for (const FlagRemoved& one : flags) {
    const footprint::FlagNote& note = one.found.note;
    const auto age = age_of(one, now);
    json["flags"].push_back(
        {{"osd", one.found.osd},
         {"flag", "noout"},
         {"fate", fate_name(one.fate)},
         {"detail", or_null(one.detail)},
         {"process", process_name(one.owner)},
         {"since", or_null(note.since)},
         {"age_s", or_null(age ? std::optional(seconds(*age)) : std::nullopt)},
         {"host", or_null(note.owner.host)},
         {"pid", or_null(note.owner.pid == 0 ? std::optional<std::int64_t>() : note.owner.pid)}});
  }
  return json_text(json);
}

}  // namespace radosload::views
