// The documents that members write for each other, as JSON: the charter (the load), the State and
// the Entries. Pure.
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "session/protocol.h"

namespace radosload::session {

// Written by the process that creates the session.
struct Charter {
  std::string run;      // the joint run, and the name of its objects
  std::string program;  // "radosload 0.1.0": all members have the same version
  std::string fsid;
  RunPlan plan;              // without the options for reaching the cluster
  std::uint32_t shards = 1;  // the number of objects that hold the members' entries

  bool operator==(const Charter&) const = default;
};

std::string encode(const Charter& charter);
Result<Charter> decode_charter(std::string_view text);
std::string encode(const State& state);
Result<State> decode_state(std::string_view text);
std::string encode(const Entry& entry);
Result<Entry> decode_entry(std::string_view text);

// Why a member with this plan cannot take part; empty when it can. `plan`: null when the member
// takes the session's plan.
std::string misfit(const Charter& charter, const std::string& program, const std::string& fsid,
                   const RunPlan* plan);

}  // namespace radosload::session
