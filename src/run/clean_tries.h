// Measures again until nothing has disturbed the run, or a number of tries is used up.
#pragma once

#include <cstdint>
#include <functional>

#include "record/progress.h"
#include "run/run.h"

namespace radosload::run {

// The last try. Its exit is Exit::flawed when it is not clean either. An interrupted try, and one
// that could not start, is the last.
Result<RunResult> try_until_clean(std::uint32_t tries,
                                  const std::function<Result<RunResult>()>& measure,
                                  record::ProgressListener& listener);

}  // namespace radosload::run
