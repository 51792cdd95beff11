// What one member of a session recorded, by the second. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "record/run_record.h"
#include "session/joint.h"

namespace radosload::session {

struct Story {
  const MemberLines* of = nullptr;
  std::optional<record::RunHeader> header;
  std::optional<record::RunFooter> footer;
  std::map<std::int64_t, record::Interval> seconds;  // by the second of their middle
  std::int64_t whole = 0;  // measured seconds without a gap, from the first
};

// The lines must outlive it.
Story story_of(const MemberLines& member);
bool came_to_its_end(const Story& story);
// The others are only named in the joint record.
bool has_measured(const Story& story);
// Adds up their intervals before that second.
void fold_seconds(record::Folder& folder, const std::vector<const Story*>& stories,
                  std::int64_t end);

}  // namespace radosload::session
