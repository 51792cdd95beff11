// Several runs that were requested together: a sweep over lists of values, or a suite. Holds the
// plan of every step, so that missing steps can be run later, and the records of the finished ones.
// It is one document (schema "radosload.series/1"), rewritten after every step.
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
  begun,        // it has begun, and its process was killed or is still running
  failed,       // nothing was measured: see reason
  interrupted,  // it ended early; its record holds what was measured
  done,
};

struct SeriesStep {
  using Settings = std::vector<std::pair<std::string, std::string>>;

  std::string name;   // "qd=16 bs=4k", "IOPS rand read"
  Settings settings;  // those that differ between steps, in the order of the columns
  RunPlan plan;       // as in the record of a run, its seed drawn
  StepState state = StepState::missing;
  std::string reason;               // of a failed one
  std::optional<RunRecord> record;  // of a step that is done or interrupted

  // The value of the setting with that name; empty when the steps do not differ in it.
  std::string setting(std::string_view key) const;

  bool operator==(const SeriesStep&) const = default;
};

struct Series {
  std::string id;       // "s20261121-040012345-9f3a"
  std::string started;  // wall clock, ISO 8601 in UTC
  std::string program;  // "radosload 0.1.0"
  std::string title;    // as requested: "randrw4k,qd=1:4:16"
  std::string suite;    // "kbench"; empty: a sweep
  std::vector<SeriesStep> steps;

  std::size_t done() const;
  bool complete() const { return done() == steps.size(); }

  bool operator==(const Series&) const = default;
};

std::string_view state_name(StepState state);

// Whether these steps are those of the series, so that the series can be resumed with them: the
// same names and settings, and plans that agree in everything that affects the measurement (how to
// reach the cluster, or which safety checks are off, may differ). The Error names the difference. A
// seed of 0 is drawn later, and agrees with any.
Status check_same_plan(const Series& series, const std::vector<SeriesStep>& planned);

// Keys may be added, never renamed. Indented, with a newline at the end.
std::string to_json(const Series& series);
// The reverse. `subject` names the source in errors: a file's path.
Result<Series> series_from_json(std::string_view text, const std::string& subject);

}  // namespace radosload::record
