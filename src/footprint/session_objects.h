// The objects by which the members of a session agree (session/): their names, and what their
// attributes say. Attributes and data only, so that they work on every pool. What removes them is
// in session_removal.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/result.h"

#include "cluster/bounded_io.h"
#include "footprint/manifest.h"

namespace radosload::footprint {

// The index: an attribute for each session.
inline constexpr std::string_view sessions_object = "radosload.sessions";
std::string session_index_key(const std::string& session);

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
inline constexpr const char* session_serial_key = "serial";
// The serial of a session that is being removed: no state can be written over it. The hub has no
// content then.
inline constexpr const char* session_serial_removed = "removed";
// Attributes in session_members(), for each member.
std::string session_entry_key(const std::string& member);
std::string session_owner_key(const std::string& member);
std::string session_chunks_key(const std::string& member);

// Who a member is, as the value of its attribute.
std::string encode_owner(const Owner& owner);
std::optional<Owner> decode_owner(const std::string& text);

struct SessionSeen {
  bool missing = false;       // there is no hub
  bool lives = false;         // a member watches it, or has just written to it
  std::string holder = {};    // who that is
  std::uint64_t version = 0;  // of the hub
  // Without the hub. These have names that no other session has.
  std::vector<std::string> objects = {};
  // Those of another session of the same name are called the same; so with the version of each.
  std::vector<std::pair<std::string, std::uint64_t>> shards = {};
};

// Objects of a session that a cleanup removes: what a hundred members record in days is fewer.
inline constexpr std::uint64_t session_parts_limit = 1'000'000;
inline constexpr std::uint64_t session_shards_limit = 100;

// Adds the objects of the members that these attributes of session_members() name, and who the
// members are. An error above the limit.
Status add_members(const cluster::BoundedIo::Attributes& attributes, const std::string& session,
                   SessionSeen& seen, std::vector<Owner>& owners);

}  // namespace radosload::footprint
