// Finds the run's slowest operations among those that OSDs reported, and states where each waited.
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/slow_op.h"
#include "watch/op_memory.h"

namespace radosload::watch {

// The pool and the namespace of the run's objects.
struct OurObjects {
  std::int64_t pool = -1;
  std::string nspace;
};

// Fills in `waited` if the operation was found, or its OSD did not answer; returns how many were
// found. An operation matches by object, range and time: it must have been on the OSD after the
// client sent it and before the client had the answer, allowing for the difference of the clocks.
std::uint64_t match(std::vector<record::SlowOp>& slowest, const OpMemory& memory,
                    const OurObjects& ours);

}  // namespace radosload::watch
