// Internal to this room: how the value of each key becomes a part of a plan.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "study/study_keys.h"
#include "study/study_plan.h"
#include "study/study_words.h"
#include "study/study_yaml.h"

namespace radosload::study {

// A plan in the making: patterns and timers apart, and the sweep, which multiplies all patterns
// wherever it stands.
struct Draft {
  StudyPlan plan = {};
  std::vector<Work> patterns = {};
  std::vector<Work> timers = {};
  std::vector<SweepAxis> sweep = {};
  int sweep_line = 0;
  bool names_order = false;
};

struct StudyRow {
  StudyKey help;
  Status (*read)(Draft&, const YamlNode&, const Reading&);
};
std::span<const StudyRow> study_rows();
// Null when there is no key of that name.
const StudyRow* find_row(std::string_view key);

// Why there is no such key, with the nearest.
tl::unexpected<Error> unknown_key(const YamlNode& node, const Reading& reading);

// One entry of a map (arms, patterns, timers, phases, options, load) by its name: what
// `--set KEY.NAME=VALUE` sets.
Status set_entry(Draft& draft, const std::string& key, const YamlNode& entry,
                 const Reading& reading);

// A name of an arm, a pattern or a phase.
Status check_name(const YamlNode& node, const std::string& name, const Reading& reading);

}  // namespace radosload::study
