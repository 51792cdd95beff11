// Where an operation waited on its primary OSD, by the events that the OSD has noted. Differences
// of their times only: the durations that OSDs print are wrong in some releases. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "observe/historic_ops.h"
#include "record/slow_op.h"

namespace radosload::watch {

struct OpStages {
  record::Wait where = record::Wait::queue;  // the longest stage on the OSD
  Time longest{0};
  std::string reason;  // blocked: the OSD's words
  // Replicated writes: the OSDs of the replicas, and by the OSD's clock when they were asked to
  // commit, and when the last of them had, or the last event where it is not known yet.
  std::vector<std::int32_t> replicas;
  Time asked{0};
  Time committed{0};
  Time answered{0};  // by the OSD's clock: when the client got its answer, or the last event
};

OpStages stages_of(const observe::OsdOp& op);

// "waiting for subops from 1,2"
std::vector<std::int32_t> replicas_in(std::string_view event);

}  // namespace radosload::watch
