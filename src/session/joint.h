// The record of all members together, from the lines that each of them recorded. Pure.
//
// Second by second the members' intervals are added up, histograms without loss, and folded as the
// intervals of one run are. The figures count only what is common to all: if a member is missing,
// or the load was ended early, whole seconds up to the last one that every member has recorded.
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
  std::string missing;                   // why it did not come to its end; empty: it did
  std::optional<Time> start_delay = {};  // how late it began, on its own clock
  Time clock_bound{0};
};

struct JointPlan {
  std::string session;
  std::string run_id;
  RunPlan plan;       // of all
  std::string ended;  // why the load ended early; empty: as planned
};

// Events of the record: one of this kind for the session, and one for each member.
inline constexpr const char* session_event = "session";
inline constexpr const char* member_event = "member";

// Fails when no member has recorded anything.
Result<record::RunRecord> joint_record(const JointPlan& joint,
                                       const std::vector<MemberLines>& members);

}  // namespace radosload::session
