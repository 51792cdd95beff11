#include "footprint/session_objects.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <list>
#include <sstream>
#include <utility>

#include "radosload/printable.h"
#include "radosload/units.h"

#include "footprint/owner.h"

#include <fmt/format.h>

namespace radosload::footprint {

namespace {

constexpr std::string_view session_prefix = "radosload.session.";
constexpr std::string_view session_attribute = "session.";

Error session_error(const cluster::BoundedIo& io, std::string attempt, const std::string& object,
                    int rc) {
  Error error{.attempt = std::move(attempt), .subject = object, .errnum = -rc};
  if (rc == -ETIMEDOUT) {
    error.reason = fmt::format("no answer within {}", human_text(io.limit()));
    error.hint = "check with 'radosload status' that all PGs of the pool are active";
  }
  return error;
}

Status remove_object(cluster::BoundedIo& io, const std::string& object) {
  librados::ObjectWriteOperation removal;
  removal.remove();
  const int rc = io.operate(object, removal);
  if (rc < 0 && rc != -ENOENT) return fail(session_error(io, "remove", object, rc));
  return {};
}

std::string index_key(const std::string& session) {
  return std::string(session_attribute) + session;
}

Status strike_out(cluster::BoundedIo& io, const std::string& session) {
  const std::string index(sessions_object);
  librados::ObjectWriteOperation write;
  write.assert_exists();
  write.rmxattr(index_key(session).c_str());
  int rc = io.operate(index, write);
  if (rc < 0 && rc != -ENOENT && rc != -ENODATA) {
    return fail(session_error(io, "remove the session from", index, rc));
  }
  cluster::BoundedIo::Attributes left;
  std::uint64_t version = 0;
  rc = io.attributes(index, left, &version);
  const bool last = std::none_of(left.begin(), left.end(), [](const auto& one) {
    return one.first.starts_with(session_attribute);
  });
  if (rc < 0 || !last) return {};
  librados::ObjectWriteOperation removal;
  removal.assert_version(version);
  removal.remove();
  (void)io.operate(index, removal);  // another session has just been entered: then it stays
  return {};
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

Status note_session(cluster::BoundedIo& io, const std::string& session) {
  librados::ObjectWriteOperation write;
  librados::bufferlist value;
  value.append("1");
  write.setxattr(index_key(session).c_str(), value);
  const std::string index(sessions_object);
  const int rc = io.operate(index, write);
  if (rc < 0) return fail(session_error(io, "add the session to", index, rc));
  return {};
}

Result<std::vector<std::string>> noted_sessions(cluster::BoundedIo& io) {
  const std::string index(sessions_object);
  cluster::BoundedIo::Attributes attributes;
  const int rc = io.attributes(index, attributes);
  if (rc == -ENOENT) return std::vector<std::string>{};
  if (rc < 0) return fail(session_error(io, "read", index, rc));
  std::vector<std::string> names;
  for (const auto& [key, value] : attributes) {
    if (key.starts_with(session_attribute)) names.push_back(key.substr(session_attribute.size()));
  }
  return names;
}

Status add_members(const cluster::BoundedIo::Attributes& attributes, const std::string& session,
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

Result<SessionSeen> look_at_session(cluster::BoundedIo& io, const std::string& session) {
  SessionSeen seen;
  const std::string hub = session_hub(session);
  cluster::BoundedIo::Attributes of_hub;
  int rc = io.attributes(hub, of_hub);
  if (rc == -ENOENT) {
    seen.missing = true;
    return seen;
  }
  if (rc < 0) return fail(session_error(io, "read", hub, rc));
  std::vector<Owner> owners;
  // A hub without the number of shards was left by a process that was killed as it made it.
  const std::uint64_t shards = parse_count(of_hub[session_shards_key]).value_or(1);
  if (shards > session_shards_limit) {
    return fail({.attempt = "list the objects of session",
                 .subject = session,
                 .reason = fmt::format("it claims {} objects of members; the limit is {}", shards,
                                       session_shards_limit)});
  }
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    const std::string object = session_members(session, shard);
    cluster::BoundedIo::Attributes attributes;
    rc = io.attributes(object, attributes);
    if (rc < 0 && rc != -ENOENT) return fail(session_error(io, "read", object, rc));
    RADOSLOAD_TRY(add_members(attributes, session, seen, owners));
    if (rc >= 0) seen.objects.push_back(object);
  }
  std::list<obj_watch_t> watchers;
  rc = io.watchers(hub, watchers);
  if (rc < 0 && rc != -ENOENT) return fail(session_error(io, "list the watchers of", hub, rc));
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

namespace {

Status remove_seen(cluster::BoundedIo& io, const std::string& session, const SessionSeen& seen) {
  for (const std::string& object : seen.objects) {
    RADOSLOAD_TRY(remove_object(io, object));
  }
  RADOSLOAD_TRY(strike_out(io, session));
  return remove_object(io, session_hub(session));
}

}  // namespace

Status remove_session(cluster::BoundedIo& io, const std::string& session) {
  RADOSLOAD_ASSIGN(const auto seen, look_at_session(io, session));
  return remove_seen(io, session, seen);
}

Result<SessionSeen> remove_dead_session(cluster::BoundedIo& io, const std::string& session) {
  RADOSLOAD_ASSIGN(auto seen, look_at_session(io, session));
  if (!seen.lives) RADOSLOAD_TRY(remove_seen(io, session, seen));
  return seen;
}

Status clean_up_sessions(cluster::BoundedIo io, const CleanupOptions& options,
                         CleanupReport& report) {
  RADOSLOAD_ASSIGN(const auto sessions, noted_sessions(io));
  for (const std::string& session : sessions) {
    const std::string name = "session " + session;
    if (options.agreed && !options.agreed->contains(name)) continue;
    RunCleanup cleaned{.run = name};
    const auto seen =
        options.dry_run ? look_at_session(io, session) : remove_dead_session(io, session);
    if (!seen) {
      cleaned.fate = Fate::failed;
      cleaned.detail = seen.error().message();
    } else if (seen->lives) {
      cleaned.fate = Fate::held;
      cleaned.detail = seen->holder;
    } else {
      cleaned.fate = options.dry_run ? Fate::would : Fate::removed;
      cleaned.objects = seen->objects.size() + 1;
      if (!options.dry_run) cleaned.count.removed = cleaned.objects;
    }
    report.runs.push_back(std::move(cleaned));
  }
  return {};
}

}  // namespace radosload::footprint
