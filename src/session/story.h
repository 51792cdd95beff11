// What one member of a session recorded, by the second. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/journal.h"
#include "record/run_record.h"

namespace radosload::session {

inline constexpr Time one_second = std::chrono::seconds(1);
// On a busy machine an interval may end so much late; the next one is shorter then.
inline constexpr Time late_tick = std::chrono::milliseconds(100);

struct MemberLines {
  std::string who;  // "pid 4711 on host a"
  std::vector<record::PackedLine> lines;
  std::string missing;                   // why it did not finish; empty: it did
  std::optional<Time> start_delay = {};  // how late it began, on its own clock
  Time clock_bound{0};
};

using Seconds = std::map<std::int64_t, record::PackedInterval>;  // by the second of their middle

struct Story {
  MemberLines of;  // without lines
  std::optional<record::RunHeader> header;
  std::optional<record::RunFooter> footer;
  Seconds seconds;
  std::int64_t whole = 0;  // measured seconds without a gap, from the first
};

Story story_of(MemberLines member);
bool came_to_its_end(const Story& story);
// The others are only named in the joint record.
bool has_measured(const Story& story);
}  // namespace radosload::session
