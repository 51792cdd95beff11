// The objects by which the members of a session agree (session/): their names, the index that leads
// to them, whether any of the members still lives, and their removal. Attributes and data only, so
// that they work on every pool.
//
// Objects are written in the order index, hub, others, and removed in the order others, hub, index.
// A process that makes a session enters it in the index again once it has the hub.
//
// Several processes may remove what they saw of a session while another makes a new one of that
// name. So what both have (members, hub, the entry in the index) goes only as it was seen: by the
// objects' versions. The other objects have the names of their members, which no other member has.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "footprint/cleanup.h"
#include "footprint/manifest.h"
#include "footprint/session_site.h"

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
// Empty: of none, or of all.
std::string session_of(std::string_view object);

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
  // Members have told who they are, and all of them have certainly ended.
  bool ended = false;
  std::string holder = {};
  std::vector<std::string> objects = {};              // those of single members
  std::map<std::string, std::uint64_t> members = {};  // session_members(), with their versions
  std::uint64_t hub_version = 0;
  SessionSite::Attributes of_hub = {};

  std::uint64_t count() const { return objects.size() + members.size() + (missing ? 0 : 1); }
};
// No process has written to it in between.
bool unchanged(const SessionSeen& before, const SessionSeen& now);
// One that has just been made is not watched yet; but its leader writes every two seconds.
inline constexpr std::chrono::seconds session_second_look(4);

// Objects of a session that a cleanup removes: what a hundred members record in days is fewer.
inline constexpr std::uint64_t session_parts_limit = 1'000'000;
inline constexpr std::uint64_t session_shards_limit = 100;

// Adds the objects of the members that these attributes of session_members() name, and who the
// members are. An error above the limit.
Status add_members(const SessionSite::Attributes& attributes, const std::string& session,
                   SessionSeen& seen, std::vector<Owner>& owners);

Status note_session(SessionSite& site, const std::string& session);
Result<std::vector<std::string>> noted_sessions(SessionSite& site);
Result<SessionSeen> look_at_session(SessionSite& site, const std::string& session);
// 0: the object does not exist.
Result<std::uint64_t> version_of(SessionSite& site, const std::string& object);
// Every object of it, even while members live: for a member at its end, unless `is_ours` says of
// the hub's attributes that this is not its session any more. Objects that are gone do not count as
// failures.
Status remove_session(SessionSite& site, const std::string& session,
                      const std::function<bool(const SessionSite::Attributes& of_hub)>& is_ours);
// What was seen of a session in which no member lived. False: another process has changed it since,
// and the session stays.
Result<bool> remove_dead_session(SessionSite& site, const std::string& session,
                                 const SessionSeen& seen);

// Adds to the report what dead sessions have left, and removes it unless it is a dry run.
Status clean_up_sessions(SessionSite& site, const CleanupOptions& options, CleanupReport& report);

}  // namespace radosload::footprint
