#include "footprint/session_objects.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>
#include <utility>

#include "radosload/printable.h"
#include "radosload/units.h"

#include "footprint/io_error.h"
#include "footprint/owner.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

constexpr std::string_view session_prefix = "radosload.session.";
constexpr std::string_view session_attribute = "session.";

Error session_error(const SessionSite& site, std::string attempt, const std::string& object,
                    int rc) {
  return io_error(std::move(attempt), object, rc, site.limit());
}

// It does not have the version that it had.
bool is_another(int rc) {
  return rc == -ERANGE || rc == -EOVERFLOW;
}

std::string index_key(const std::string& session) {
  return std::string(session_attribute) + session;
}

// From an index that has at least this session. The last one takes the index with it.
int strike_out_of(SessionSite& site, const SessionSite::Attributes& index, const std::string& key,
                  std::uint64_t version) {
  const auto sessions = std::count_if(index.begin(), index.end(), [](const auto& one) {
    return one.first.starts_with(session_attribute);
  });
  const std::string object(sessions_object);
  return sessions == 1 ? site.remove_object(object, version)
                       : site.remove_attribute(object, key, version);
}

// Of a session that has no hub any more. A process that makes it anew has the hub first and then
// enters it in the index: so without a hub, looked at after the index, an entry in an index of the
// same version is the old session's.
Status strike_out(SessionSite& site, const std::string& session) {
  constexpr int most_tries = 100;
  const std::string index(sessions_object);
  for (int i = 0; i < most_tries; ++i) {
    SessionSite::Attributes entries;
    std::uint64_t version = 0;
    int rc = site.attributes(index, entries, &version);
    if (rc == -ENOENT) return {};
    if (rc < 0) return fail(session_error(site, "read", index, rc));
    RADOSLOAD_ASSIGN(const std::uint64_t hub, version_of(site, session_hub(session)));
    if (hub != 0 || !entries.contains(index_key(session))) return {};
    rc = strike_out_of(site, entries, index_key(session), version);
    if (rc >= 0 || rc == -ENOENT || rc == -ENODATA) return {};
    if (!is_another(rc)) {
      return fail(session_error(site, "remove the session from", index, rc));
    }
  }
  return fail(session_error(site, "remove the session from", index, -EBUSY));
}

}  // namespace

std::string session_hub(const std::string& session) {
  return fmt::format("{}{}.hub", session_prefix, session);
}

std::string session_clock(const std::string& session, const std::string& member) {
  return fmt::format("{}{}.clock.{}", session_prefix, session, member);
}

std::string session_members(const std::string& session, std::uint32_t shard) {
  return fmt::format("{}{}.members.{}", session_prefix, session, shard);
}

std::string session_part(const std::string& session, const std::string& member,
                         std::uint64_t chunk) {
  return fmt::format("{}{}.part.{}.{}", session_prefix, session, member, chunk);
}

std::string session_of(std::string_view object) {
  if (!object.starts_with(session_prefix)) return {};
  object.remove_prefix(session_prefix.size());
  return std::string(object.substr(0, object.find('.')));
}

bool is_of_session(std::string_view object) {
  return object == sessions_object || object.starts_with(session_prefix);
}

std::string session_entry_key(const std::string& member) {
  return "entry." + member;
}

std::string session_owner_key(const std::string& member) {
  return "owner." + member;
}

std::string session_chunks_key(const std::string& member) {
  return "chunks." + member;
}

std::string encode_owner(const Owner& owner) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", owner.host, owner.boot, owner.pid_space, owner.pid,
                     owner.started_ticks, owner.client);
}

std::optional<Owner> decode_owner(const std::string& text) {
  std::istringstream lines(text);
  Owner owner;
  std::array<std::string, 3> numbers;
  std::getline(lines, owner.host);
  std::getline(lines, owner.boot);
  std::getline(lines, owner.pid_space);
  for (std::string& number : numbers) std::getline(lines, number);
  const auto pid = parse_count(numbers[0]);
  const auto ticks = parse_count(numbers[1]);
  const auto client = parse_count(numbers[2]);
  if (!pid || !ticks || !client) return std::nullopt;
  owner.pid = static_cast<std::int64_t>(*pid);
  owner.started_ticks = *ticks;
  owner.client = *client;
  return owner;
}

Result<std::uint64_t> version_of(SessionSite& site, const std::string& object) {
  SessionSite::Attributes attributes;
  std::uint64_t version = 0;
  const int rc = site.attributes(object, attributes, &version);
  if (rc == -ENOENT) return 0;
  if (rc < 0) return fail(session_error(site, "read", object, rc));
  return version;
}

Status note_session(SessionSite& site, const std::string& session) {
  const std::string index(sessions_object);
  const int rc = site.set_attribute(index, index_key(session));
  if (rc < 0) return fail(session_error(site, "add the session to", index, rc));
  return {};
}

Result<std::vector<std::string>> noted_sessions(SessionSite& site) {
  const std::string index(sessions_object);
  SessionSite::Attributes attributes;
  const int rc = site.attributes(index, attributes, nullptr);
  if (rc == -ENOENT) return std::vector<std::string>{};
  if (rc < 0) return fail(session_error(site, "read", index, rc));
  std::vector<std::string> names;
  for (const auto& [key, value] : attributes) {
    if (key.starts_with(session_attribute)) names.push_back(key.substr(session_attribute.size()));
  }
  return names;
}

Status add_members(const SessionSite::Attributes& attributes, const std::string& session,
                   SessionSeen& seen, std::vector<Owner>& owners) {
  const std::string owner_prefix = session_owner_key("");
  for (const auto& [key, value] : attributes) {
    if (!key.starts_with(owner_prefix)) continue;
    const std::string member = key.substr(owner_prefix.size());
    const auto claimed = attributes.find(session_chunks_key(member));
    const auto parts = claimed == attributes.end() ? 0 : parse_count(claimed->second).value_or(0);
    if (parts >
        session_parts_limit - std::min<std::uint64_t>(seen.objects.size(), session_parts_limit)) {
      return fail({.attempt = "list the objects of session",
                   .subject = session,
                   .reason = fmt::format(
                       "with the {} parts of member '{}' it has more than {} objects, the limit",
                       parts, printable(member), session_parts_limit),
                   .hint = fmt::format("list the objects with 'rados ls' and remove those that "
                                       "begin with '{}{}.'",
                                       session_prefix, printable(session))});
    }
    seen.objects.push_back(session_clock(session, member));
    if (auto owner = decode_owner(value)) owners.push_back(*std::move(owner));
    for (std::uint64_t part = 0; part < parts; ++part) {
      seen.objects.push_back(session_part(session, member, part));
    }
  }
  return {};
}

namespace {

Result<std::uint64_t> shards_of(const SessionSeen& seen, const std::string& session) {
  // A hub without the number of shards was left by a process that was killed as it made it.
  const auto claimed = seen.of_hub.find(session_shards_key);
  const std::uint64_t shards =
      claimed == seen.of_hub.end() ? 1 : parse_count(claimed->second).value_or(1);
  if (shards <= session_shards_limit) return shards;
  return fail({.attempt = "list the objects of session",
               .subject = session,
               .reason = fmt::format("it claims {} objects of members; the limit is {}", shards,
                                     session_shards_limit)});
}

void note_watchers(const std::vector<SessionSite::Watcher>& watchers,
                   const std::vector<Owner>& owners, SessionSeen& seen) {
  for (const SessionSite::Watcher& watcher : watchers) {
    const auto owner = std::find_if(owners.begin(), owners.end(),
                                    [&](const Owner& one) { return one.client == watcher.client; });
    const bool known = owner != owners.end();
    if (known && certainly_gone(*owner)) continue;
    seen.lives = true;
    seen.holder = known ? fmt::format("pid {} on {}", owner->pid, owner->host)
                        : fmt::format("client.{} at {}", watcher.client, watcher.address);
  }
}

Result<SessionSeen> look_once(SessionSite& site, const std::string& session) {
  SessionSeen seen;
  const std::string hub = session_hub(session);
  int rc = site.attributes(hub, seen.of_hub, &seen.hub_version);
  if (rc == -ENOENT) {
    seen.missing = true;
    return seen;
  }
  if (rc < 0) return fail(session_error(site, "read", hub, rc));
  RADOSLOAD_ASSIGN(const std::uint64_t shards, shards_of(seen, session));
  std::vector<Owner> owners;
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    const std::string object = session_members(session, shard);
    SessionSite::Attributes attributes;
    std::uint64_t version = 0;
    rc = site.attributes(object, attributes, &version);
    if (rc < 0 && rc != -ENOENT) return fail(session_error(site, "read", object, rc));
    RADOSLOAD_TRY(add_members(attributes, session, seen, owners));
    if (rc >= 0) seen.members[object] = version;
  }
  std::vector<SessionSite::Watcher> watchers;
  rc = site.watchers(hub, watchers);
  if (rc < 0 && rc != -ENOENT) return fail(session_error(site, "list the watchers of", hub, rc));
  note_watchers(watchers, owners, seen);
  seen.ended = !owners.empty() && std::all_of(owners.begin(), owners.end(), certainly_gone);
  return seen;
}

}  // namespace

Result<SessionSeen> look_at_session(SessionSite& site, const std::string& session) {
  // Members of a new session of that name must not be taken for members of the old one.
  constexpr int most_tries = 10;
  for (int i = 0;; ++i) {
    RADOSLOAD_ASSIGN(auto seen, look_once(site, session));
    if (seen.missing) return seen;
    RADOSLOAD_ASSIGN(const std::uint64_t now, version_of(site, session_hub(session)));
    if (now == seen.hub_version) return seen;
    if (i < most_tries) continue;
    seen.lives = true;
    seen.holder = "a process that writes to it all the time";
    return seen;
  }
}

bool unchanged(const SessionSeen& before, const SessionSeen& now) {
  return before.hub_version == now.hub_version && before.members == now.members;
}

Result<bool> remove_dead_session(SessionSite& site, const std::string& session,
                                 const SessionSeen& seen) {
  for (const std::string& object : seen.objects) {
    const int rc = site.remove_object(object);
    if (rc < 0 && rc != -ENOENT) return fail(session_error(site, "remove", object, rc));
  }
  for (const auto& [object, version] : seen.members) {
    const int rc = site.remove_object(object, version);
    if (is_another(rc)) return false;
    if (rc < 0 && rc != -ENOENT) return fail(session_error(site, "remove", object, rc));
  }
  if (!seen.missing) {
    const std::string hub = session_hub(session);
    const int rc = site.remove_object(hub, seen.hub_version);
    if (is_another(rc)) return false;
    if (rc < 0 && rc != -ENOENT) return fail(session_error(site, "remove", hub, rc));
  }
  RADOSLOAD_TRY(strike_out(site, session));
  return true;
}

Status remove_session(SessionSite& site, const std::string& session,
                      const std::function<bool(const SessionSite::Attributes& of_hub)>& is_ours) {
  // Other members may still tell of themselves.
  constexpr int most_tries = 100;
  for (int i = 0; i < most_tries; ++i) {
    RADOSLOAD_ASSIGN(const auto seen, look_at_session(site, session));
    if (!seen.missing && !is_ours(seen.of_hub)) return {};
    RADOSLOAD_ASSIGN(const bool removed, remove_dead_session(site, session, seen));
    if (removed) return {};
  }
  return fail(session_error(site, "remove", session_hub(session), -EBUSY));
}

}  // namespace radosload::footprint
