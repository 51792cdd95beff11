// Makes the record of the whole session from the lines that each member recorded. Pure.
//
// The members' intervals are added up second by second, histograms included, and folded like the
// intervals of a single run (joint_rows.h). Only seconds that every member has recorded count: if a
// member is missing, or the load ended early, the figures stop at the last such second. A session
// may have thousands of members, so of each only its own figures are kept, and nothing by OSD.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "record/run_record.h"
#include "session/joint_rows.h"
#include "session/story.h"

namespace radosload::session {

struct JointPlan {
  std::string session;
  std::string run_id;
  RunPlan plan;       // of all
  std::string ended;  // why the load ended early; empty: it ended as planned
};

// The kind of the event of the record that names the session.
inline constexpr const char* session_event = "session";
// The kind of the events of members that stood still.
inline constexpr const char* pause_event = "pause";

class JointRecord {
 public:
  explicit JointRecord(JointPlan joint) : m_joint(std::move(joint)) {}

  void add(MemberLines member);
  // Call it once, when all members have been added. Fails when no member has recorded anything.
  Result<record::RunRecord> finish() &&;

 private:
  bool is_whole() const;
  std::int64_t common_seconds() const;
  record::RunFooter footer_of_part(const record::RunRecord& so_far) const;
  void say_that_it_is_partial(record::RunFooter& footer, std::int64_t end) const;

  JointPlan m_joint;
  std::vector<Story> m_stories;
  JointRows m_rows;                           // of all that have measured
  std::optional<record::RunHeader> m_header;  // of the first that has
  std::optional<record::RunFooter> m_footer;  // the sum of theirs
};

}  // namespace radosload::session
