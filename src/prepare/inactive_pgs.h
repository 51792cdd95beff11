// PGs that take no operations: a run with objects in one would wait forever.
#pragma once

#include <optional>
#include <string>

#include "radosload/result.h"

#include "base/interrupts.h"
#include "prepare/cluster_session.h"
#include "record/progress.h"

namespace radosload::prepare {

// "2 of 32 PGs of pool hdd take no operations (2.3 has no OSD, 2.7 waits on osd.1)"; nothing when
// all do, or when that is unknown.
std::optional<std::string> inactive_pgs(const placement::SpaceView& space);

// An Error with Exit::refused when there are some, unless the plan allows it.
Status check_pgs(const RunPlan& plan, const ClusterSession& session);

// The same, after waiting for PGs that become active by themselves (an OSD has just started).
// Reads the newer map into the session.
Status await_pgs(const RunPlan& plan, ClusterSession& session, const base::Interrupts& interrupts,
                 record::ProgressListener& listener);

}  // namespace radosload::prepare
