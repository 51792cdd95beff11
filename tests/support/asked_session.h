// The session of a run with a cluster that a test scripts: what open_session() makes of its
// answers, without connections.
#pragma once

#include "radosload/admin_commands.h"
#include "radosload/run_plan.h"

#include "observe/cluster_status.h"
#include "observe/osds.h"
#include "observe/space.h"
#include "prepare/cluster_session.h"
#include "prepare/pinning.h"

namespace radosload::test {

inline prepare::ClusterSession session_on(AdminCommands& cluster, const RunPlan& plan) {
  prepare::ClusterSession session;
  session.lanes.resize(plan.clients);
  session.status = observe::fetch_status(cluster).value();
  session.space = observe::fetch_space(cluster, session.status, plan.pool).value();
  if (plan.pins.any()) {
    session.osds = observe::fetch_osds(cluster).value();
    session.pinned = prepare::pinned_osds(plan.pins, session.osds).value();
  }
  return session;
}

}  // namespace radosload::test
