// The slowest operations of a pass, as its record lists them: names of objects in place of numbers,
// and the wall clock.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "record/slow_op.h"
#include "run/measure.h"

namespace radosload::run {

// `name_of`: the name of an object by its number; empty where an operation has several objects.
std::vector<record::SlowOp> slow_ops(
    const PassEnd& pass, const std::function<std::string(std::uint64_t)>& name_of = numbered_object,
    std::int64_t pool = -1);

}  // namespace radosload::run
