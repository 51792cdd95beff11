// The named patterns, the suites and the keys of the pattern language as JSON for scripts. Pure.
#pragma once

#include <string>

#include "radosload/result.h"

namespace radosload::views {

// {schema: "radosload.patterns/1", patterns: [{name, summary, detail, settings: {KEY: VALUE}}],
//  suites: [{name, summary, detail, time_s, warmup_s, steps: [{place: {COLUMN: VALUE}, pattern}]}],
//  keys: [{key, values, summary}]}
// With a name, that pattern (its keys may be given too) or that suite alone, and no keys; the error
// is that of a run with that pattern.
Result<std::string> patterns_json(const std::string& name);

}  // namespace radosload::views
