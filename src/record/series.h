// Several runs that were asked for as one: a sweep over lists of values, or a suite. Holds the plan
// of every step, so that what is missing can be run later, and the records of those that were run.
// It is one document (schema "radosload.series/1"), written anew after every step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/result.h"

#include "record/run_record.h"

namespace radosload::record {

inline constexpr std::string_view series_schema = "radosload.series/1";

enum class StepState : std::uint8_t {
  missing,      // not begun
  begun,        // it has, and whoever did it was killed, or is at it now
  failed,       // nothing was measured: see reason
  interrupted,  // it ended early; its record holds what was measured
  done,
};

struct SeriesStep {
  using Settings = std::vector<std::pair<std::string, std::string>>;

  std::string name;   // "qd=16 bs=4k", "IOPS rand read"
  Settings settings;  // in which it differs from the other steps, in the order of the columns
  RunPlan plan;       // as in the record of a run, its seed drawn
  StepState state = StepState::missing;
  std::string reason;               // of a failed one
  std::optional<RunRecord> record;  // of a step that is done or interrupted

  // Of the setting by that name; empty when the steps do not differ in it.
  std::string setting(std::string_view key) const;

  bool operator==(const SeriesStep&) const = default;
};

struct Series {
  std::string id;       // "s20261121-040012-9f3a"
  std::string started;  // wall clock, ISO 8601 in UTC
  std::string program;  // "radosload 0.1.0"
  std::string title;    // what was asked for: "randrw4k,qd=1:4:16"
  std::string suite;    // "kbench"; empty: a sweep
  std::vector<SeriesStep> steps;

  std::size_t done() const;
  bool complete() const { return done() == steps.size(); }

  bool operator==(const Series&) const = default;
};

std::string_view state_name(StepState state);

// Whether the steps planned now are those of the series, so that they may fill it up: the same
// names and settings, and plans that differ in nothing that bears on what is measured (how the
// cluster is reached, or what a safety guard lets pass, may differ). Says what is different.
// A seed of 0 is one that is still to be drawn, and agrees with any.
Status check_same_plan(const Series& series, const std::vector<SeriesStep>& planned);

// Keys may be added, never renamed. Indented, with a newline at the end.
std::string to_json(const Series& series);
// The reverse. `subject` names the source in errors: a file's path.
Result<Series> series_from_json(std::string_view text, const std::string& subject);

}  // namespace radosload::record
