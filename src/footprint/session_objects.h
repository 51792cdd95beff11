// The objects by which the members of a session agree (session/): their names, the index that leads
// to them, whether any of the members still lives, and their removal. Attributes and data only, so
// that they work on every pool.
//
// Objects are written in the order index, hub, others, and removed in the order others, index, hub.
// A process that makes a session enters it in the index again once it has the hub: a removal of an
// earlier session of that name has ended by then.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "cluster/bounded_io.h"
#include "footprint/cleanup.h"
#include "footprint/manifest.h"

namespace radosload::footprint {

// The index: an attribute for each session.
inline constexpr std::string_view sessions_object = "radosload.sessions";

// What all members read and watch.
std::string session_hub(const std::string& session);
// What only that member watches, while it leads. One for each: the watch of a dead leader would
// delay the answers of the next one.
std::string session_clock(const std::string& session, const std::string& member);
// What members tell of themselves: attributes of few objects, so that none of them gets large.
std::string session_members(const std::string& session, std::uint32_t shard);
// A piece of the record of one member.
std::string session_part(const std::string& session, const std::string& member,
                         std::uint64_t chunk);
bool is_of_session(std::string_view object);

// Attributes of the hub.
inline constexpr const char* session_shards_key = "shards";
// Attributes in session_members(), for each member.
std::string session_entry_key(const std::string& member);
std::string session_owner_key(const std::string& member);
std::string session_chunks_key(const std::string& member);

// Who a member is, as the value of its attribute.
std::string encode_owner(const Owner& owner);
std::optional<Owner> decode_owner(const std::string& text);

struct SessionSeen {
  bool missing = false;  // there is no hub
  bool lives = false;    // a member still watches it
  std::string holder = {};
  std::vector<std::string> objects = {};  // without the hub
};

// Objects of a session that a cleanup removes: what a hundred members record in days is fewer.
inline constexpr std::uint64_t session_parts_limit = 1'000'000;
inline constexpr std::uint64_t session_shards_limit = 100;

// Adds the objects of the members that these attributes of session_members() name, and who the
// members are. An error above the limit.
Status add_members(const cluster::BoundedIo::Attributes& attributes, const std::string& session,
                   SessionSeen& seen, std::vector<Owner>& owners);

Status note_session(cluster::BoundedIo& io, const std::string& session);
Result<std::vector<std::string>> noted_sessions(cluster::BoundedIo& io);
Result<SessionSeen> look_at_session(cluster::BoundedIo& io, const std::string& session);
// Every object of it, even while members live: for a member at its end. Those that are gone do not
// count as failures.
Status remove_session(cluster::BoundedIo& io, const std::string& session);
// The same unless a member lives. What was seen just before says whether one does.
Result<SessionSeen> remove_dead_session(cluster::BoundedIo& io, const std::string& session);

// Adds to the report what dead sessions have left, and removes it unless it is a dry run.
Status clean_up_sessions(cluster::BoundedIo io, const CleanupOptions& options,
                         CleanupReport& report);

}  // namespace radosload::footprint
