// What each member of a session did, for the joint record. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/session_member.h"
#include "session/story.h"

namespace radosload::session {

// A member did nothing for more than a second: its process was stopped, or its machine was.
struct Pause {
  Time at{0};  // at the earliest
  std::string text;
};

struct Members {
  std::vector<record::SessionMember> members;  // in the order of the stories
  std::vector<Pause> pauses;                   // in the order of time
  std::vector<std::string> warnings;  // of missing ones, of pauses, of those that stand out
};

// Figures of the seconds before `end`.
Members members_of(const std::vector<Story>& stories, std::int64_t end);
// The largest difference between the members' start times, with the error of their clocks.
std::string skew_text(const std::vector<Story>& stories);

}  // namespace radosload::session
