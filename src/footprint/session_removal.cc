#include "footprint/session_removal.h"

#include <algorithm>
#include <cerrno>
#include <list>
#include <utility>

#include "footprint/owner.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

constexpr const char* session_has_changed = "a process that has just written to it";

Error session_error(const SessionPool& pool, std::string attempt, const std::string& object,
                    int rc) {
  Error error{.attempt = std::move(attempt), .subject = object, .errnum = -rc};
  if (rc == -ETIMEDOUT) {
    error.reason = fmt::format("no answer within {}", human_text(pool.limit()));
    error.hint = "check with 'radosload status' that all PGs of the pool are active";
  }
  return error;
}

Status remove_object(SessionPool& pool, const std::string& object) {
  const int rc = pool.write(object, {.removes = true});
  if (rc < 0 && rc != -ENOENT) return fail(session_error(pool, "remove", object, rc));
  return {};
}

Status strike_out(SessionPool& pool, const std::string& session) {
  const std::string index(sessions_object);
  int rc = pool.write(index, {.exists = true, .unset = session_index_key(session)});
  if (rc < 0 && rc != -ENOENT && rc != -ENODATA) {
    return fail(session_error(pool, "remove the session from", index, rc));
  }
  cluster::BoundedIo::Attributes left;
  std::uint64_t version = 0;
  rc = pool.attributes(index, left, &version);
  const bool last = std::none_of(left.begin(), left.end(), [](const auto& one) {
    return one.first.starts_with(session_index_key(""));
  });
  if (rc < 0 || !last) return {};
  // Another session may just have been entered: then it stays.
  (void)pool.write(index, {.over = version, .removes = true});
  return {};
}

// Whether the object is there.
Result<bool> is_there(SessionPool& pool, const std::string& object) {
  cluster::BoundedIo::Attributes ignored;
  const int rc = pool.attributes(object, ignored, nullptr);
  if (rc < 0 && rc != -ENOENT) return fail(session_error(pool, "read", object, rc));
  return rc >= 0;
}

// Of a hub that is gone, or marked. If a new session has made one since, the entry is that one's.
Result<bool> strike_out_and_remove_hub(SessionPool& pool, const std::string& session) {
  RADOSLOAD_TRY(strike_out(pool, session));
  const std::string hub = session_hub(session);
  const int rc = pool.write(
      hub, {.only_if = std::pair(session_serial_key, session_serial_removed), .removes = true});
  if (rc >= 0) return true;
  if (!is_refused_write(rc)) return fail(session_error(pool, "remove", hub, rc));
  RADOSLOAD_ASSIGN(const bool another, is_there(pool, hub));
  if (!another) return true;
  RADOSLOAD_TRY(note_session(pool, session));
  return false;
}

Status read_shards(SessionPool& pool, const std::string& session, std::uint64_t count,
                   SessionSeen& seen, std::vector<Owner>& owners) {
  if (count > session_shards_limit) {
    return fail({.attempt = "list the objects of session",
                 .subject = session,
                 .reason = fmt::format("it claims {} objects of members; the limit is {}", count,
                                       session_shards_limit)});
  }
  for (std::uint32_t shard = 0; shard < count; ++shard) {
    const std::string object = session_members(session, shard);
    cluster::BoundedIo::Attributes attributes;
    std::uint64_t version = 0;
    const int rc = pool.attributes(object, attributes, &version);
    if (rc < 0 && rc != -ENOENT) return fail(session_error(pool, "read", object, rc));
    RADOSLOAD_TRY(add_members(attributes, session, seen, owners));
    if (rc >= 0) seen.shards.emplace_back(object, version);
  }
  return {};
}

std::uint64_t objects_of(const SessionSeen& seen) {
  return seen.objects.size() + seen.shards.size() + 1;
}

bool is_dead(const Result<SessionSeen>& seen) {
  return seen && !seen->lives && !seen->missing;
}

// What was seen in the end; `first` when there is nothing to remove.
Result<SessionSeen> remove_dead(SessionPool& pool, const std::string& session,
                                const Result<SessionSeen>& first) {
  if (!first || first->lives) return first;
  SessionSeen seen = *first;
  if (!seen.missing) {
    RADOSLOAD_ASSIGN(seen, look_again(pool, session, *first));
    if (seen.lives) return seen;
  }
  RADOSLOAD_ASSIGN(const bool removed, remove_session_as_seen(pool, session, seen));
  if (removed) return seen;
  return SessionSeen{.lives = true, .holder = session_has_changed};
}

RunCleanup outcome(const std::string& name, const Result<SessionSeen>& seen, bool dry_run) {
  RunCleanup cleaned{.run = name};
  if (!seen) {
    cleaned.fate = Fate::failed;
    cleaned.detail = seen.error().message();
  } else if (seen->lives) {
    cleaned.fate = Fate::held;
    cleaned.detail = seen->holder;
  } else {
    cleaned.fate = dry_run ? Fate::would : Fate::removed;
    cleaned.objects = objects_of(*seen);
    if (!dry_run) cleaned.count.removed = cleaned.objects;
  }
  return cleaned;
}

}  // namespace

Status note_session(SessionPool& pool, const std::string& session) {
  const std::string index(sessions_object);
  const int rc = pool.write(index, {.set = {{session_index_key(session), "1"}}});
  if (rc < 0) return fail(session_error(pool, "add the session to", index, rc));
  return {};
}

Result<std::vector<std::string>> noted_sessions(SessionPool& pool) {
  const std::string index(sessions_object);
  cluster::BoundedIo::Attributes attributes;
  const int rc = pool.attributes(index, attributes, nullptr);
  if (rc == -ENOENT) return std::vector<std::string>{};
  if (rc < 0) return fail(session_error(pool, "read", index, rc));
  const std::string prefix = session_index_key("");
  std::vector<std::string> names;
  for (const auto& [key, value] : attributes) {
    if (key.starts_with(prefix)) names.push_back(key.substr(prefix.size()));
  }
  return names;
}

Result<SessionSeen> look_at_session(SessionPool& pool, const std::string& session) {
  SessionSeen seen;
  const std::string hub = session_hub(session);
  cluster::BoundedIo::Attributes of_hub;
  int rc = pool.attributes(hub, of_hub, &seen.version);
  if (rc == -ENOENT) {
    seen.missing = true;
    return seen;
  }
  if (rc < 0) return fail(session_error(pool, "read", hub, rc));
  std::vector<Owner> owners;
  // A hub without the number of shards was left by a process that was killed as it made it.
  const std::uint64_t shards = parse_count(of_hub[session_shards_key]).value_or(1);
  RADOSLOAD_TRY(read_shards(pool, session, shards, seen, owners));
  std::list<obj_watch_t> watchers;
  rc = pool.watchers(hub, watchers);
  if (rc < 0 && rc != -ENOENT) return fail(session_error(pool, "list the watchers of", hub, rc));
  for (const obj_watch_t& watcher : watchers) {
    const auto owner = std::find_if(owners.begin(), owners.end(), [&](const Owner& one) {
      return one.client == static_cast<std::uint64_t>(watcher.watcher_id);
    });
    const bool known = owner != owners.end();
    if (known && certainly_gone(*owner)) continue;
    seen.lives = true;
    seen.holder = known ? fmt::format("pid {} on {}", owner->pid, owner->host)
                        : fmt::format("client.{} at {}", watcher.watcher_id, watcher.addr);
  }
  return seen;
}

Result<SessionSeen> look_again(SessionPool& pool, const std::string& session,
                               const SessionSeen& first) {
  RADOSLOAD_ASSIGN(auto seen, look_at_session(pool, session));
  if (!seen.missing && !seen.lives && seen.version != first.version) {
    seen.lives = true;
    seen.holder = session_has_changed;
  }
  return seen;
}

Status remove_session(SessionPool& pool, const std::string& session) {
  RADOSLOAD_ASSIGN(const auto seen, look_at_session(pool, session));
  for (const std::string& object : seen.objects) RADOSLOAD_TRY(remove_object(pool, object));
  for (const auto& shard : seen.shards) RADOSLOAD_TRY(remove_object(pool, shard.first));
  RADOSLOAD_TRY(strike_out(pool, session));
  return remove_object(pool, session_hub(session));
}

Result<bool> remove_session_as_seen(SessionPool& pool, const std::string& session,
                                    const SessionSeen& seen) {
  if (seen.missing) return strike_out_and_remove_hub(pool, session);
  const std::string hub = session_hub(session);
  const int marked = pool.write(hub, {.over = seen.version,
                                      .set = {{session_serial_key, session_serial_removed}},
                                      .empties = true});
  if (is_refused_write(marked)) {
    RADOSLOAD_ASSIGN(const bool changed, is_there(pool, hub));
    if (changed) return false;
    return strike_out_and_remove_hub(pool, session);  // another cleanup has removed the rest
  }
  if (marked < 0) return fail(session_error(pool, "mark as removed", hub, marked));
  for (const std::string& object : seen.objects) RADOSLOAD_TRY(remove_object(pool, object));
  for (const auto& [object, version] : seen.shards) {
    const int rc = pool.write(object, {.over = version, .removes = true});
    if (rc >= 0) continue;
    if (!is_refused_write(rc)) return fail(session_error(pool, "remove", object, rc));
    // The hub stays, and leads the next cleanup to what is left.
    RADOSLOAD_ASSIGN(const bool another, is_there(pool, object));
    if (another) return false;
  }
  return strike_out_and_remove_hub(pool, session);
}

Status clean_up_sessions(SessionPool& pool, const CleanupOptions& options,
                         const std::function<bool()>& pause, CleanupReport& report) {
  RADOSLOAD_ASSIGN(const auto sessions, noted_sessions(pool));
  std::vector<std::pair<std::string, Result<SessionSeen>>> found;
  for (const std::string& session : sessions) {
    if (options.agreed && !options.agreed->contains("session " + session)) continue;
    found.emplace_back(session, look_at_session(pool, session));
  }
  const bool any_dead =
      std::any_of(found.begin(), found.end(), [](const auto& one) { return is_dead(one.second); });
  if (any_dead && !options.dry_run && !pause()) {
    report.interrupted = true;
    return {};
  }
  for (const auto& [session, first] : found) {
    const auto seen = options.dry_run ? first : remove_dead(pool, session, first);
    report.runs.push_back(outcome("session " + session, seen, options.dry_run));
  }
  return {};
}

}  // namespace radosload::footprint
