// What members write for each other, as JSON: the charter (what the load is), the State and the
// Entries. Pure.
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "session/protocol.h"

namespace radosload::session {

// Set by the process that makes the session.
struct Charter {
  std::string run;      // the joint run, and the name of its objects
  std::string program;  // "radosload 0.1.0": all members have the same
  std::string fsid;
  RunPlan plan;              // without how its maker reaches the cluster
  std::uint32_t shards = 1;  // of the members' entries

  bool operator==(const Charter&) const = default;
};

std::string encode(const Charter& charter);
Result<Charter> decode_charter(std::string_view text);
std::string encode(const State& state);
Result<State> decode_state(std::string_view text);
std::string encode(const Entry& entry);
Result<Entry> decode_entry(std::string_view text);

// Why a member that wants this cannot take part; empty when it can. `plan`: null when it takes the
// session's.
std::string misfit(const Charter& charter, const std::string& program, const std::string& fsid,
                   const RunPlan* plan);

}  // namespace radosload::session
