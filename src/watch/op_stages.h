// Determines where an operation waited on its primary OSD, by the events that the OSD recorded.
// Uses the differences of their times only, because some releases print wrong durations. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "observe/historic_ops.h"
#include "record/slow_op.h"

namespace radosload::watch {

struct OpStages {
  record::Wait where = record::Wait::queue;  // the longest stage on the OSD
  Time longest{0};
  std::string reason;  // the OSD's text if the operation was blocked
  // For replicated writes: the OSDs of the replicas; when they were asked to commit; and when the
  // last of them had committed, or the last event if that is unknown. By the OSD's clock.
  std::vector<std::int32_t> replicas;
  Time asked{0};
  Time committed{0};
  Time answered{0};  // by the OSD's clock: when the client was answered, or the last event
};

// `until`, by the OSD's clock: when an operation that was only seen in flight had ended. Its last
// stage lasted until then.
OpStages stages_of(const observe::OsdOp& op, std::optional<Time> until = std::nullopt);

// "waiting for subops from 1,2"
std::vector<std::int32_t> replicas_in(std::string_view event);

}  // namespace radosload::watch
