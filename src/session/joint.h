// Makes the record of the whole session from the lines that each member recorded. Pure.
//
// The members' intervals are added up second by second, histograms included, and folded like the
// intervals of a single run. Only seconds that every member has recorded count: if a member is
// missing, or the load ended early, the figures stop at the last such second.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "record/journal.h"
#include "record/run_record.h"

namespace radosload::session {

struct MemberLines {
  std::string who;  // "pid 4711 on host a"
  std::vector<record::JournalLine> lines;
  std::string missing;                   // why it did not finish; empty: it did
  std::optional<Time> start_delay = {};  // how late it began, on its own clock
  Time clock_bound{0};
};

struct JointPlan {
  std::string session;
  std::string run_id;
  RunPlan plan;       // of all
  std::string ended;  // why the load ended early; empty: it ended as planned
};

// The kind of the event of the record that names the session.
inline constexpr const char* session_event = "session";

// Fails when no member has recorded anything.
Result<record::RunRecord> joint_record(const JointPlan& joint,
                                       const std::vector<MemberLines>& members);

}  // namespace radosload::session
