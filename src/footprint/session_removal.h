// Removes what sessions have left, of which no member lives.
//
// Objects are written in the order index, hub, others, and removed in the order others, index, hub,
// so that one who is killed leaves nothing that the next cannot find. A process that makes a
// session enters it in the index again once it has the hub.
//
// A removal begins with one operation that marks the hub if no client has written to it since it
// was looked at: a leader that lives has written, and its session keeps everything. While the
// marked hub is there, no session of that name can begin. When another cleanup has removed the hub
// meanwhile, one can: its objects have other versions, and stay.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "footprint/cleanup.h"
#include "footprint/session_objects.h"
#include "footprint/session_pool.h"

namespace radosload::footprint {

// A session that has just been made is not watched yet; but its leader writes every two seconds.
inline constexpr Time session_newborn_limit = std::chrono::seconds(4);

Status note_session(SessionPool& pool, const std::string& session);
Result<std::vector<std::string>> noted_sessions(SessionPool& pool);

Result<SessionSeen> look_at_session(SessionPool& pool, const std::string& session);
// After session_newborn_limit: a session that has changed since `first` lives.
Result<SessionSeen> look_again(SessionPool& pool, const std::string& session,
                               const SessionSeen& first);

// Every object of it, even while members live: for a member at its end. Those that are gone do not
// count as failures.
Status remove_session(SessionPool& pool, const std::string& session);
// Only as it was seen, dead or missing: false when a member has written to it since then, or there
// is a new one.
Result<bool> remove_session_as_seen(SessionPool& pool, const std::string& session,
                                    const SessionSeen& seen);

// Adds to the report what dead sessions have left, and removes it unless it is a dry run. `pause`
// waits for session_newborn_limit; false: it was interrupted.
Status clean_up_sessions(SessionPool& pool, const CleanupOptions& options,
                         const std::function<bool()>& pause, CleanupReport& report);

}  // namespace radosload::footprint
