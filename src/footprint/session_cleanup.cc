// What a cleanup does about the sessions of a namespace.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "footprint/session_objects.h"

namespace radosload::footprint {

namespace {

struct SessionLook {
  std::string session;
  Result<SessionSeen> seen = {};
  bool by_scan = false;  // the index does not have it

  bool may_be_new() const { return seen && !seen->lives && !seen->ended && !seen->missing; }
};

// Also at objects that a scan has found and the session itself does not tell of.
Result<SessionSeen> look_with(SessionSite& site, const std::string& session,
                              const std::vector<std::string>& scanned) {
  std::string of_members = session_members(session, 0);
  of_members.pop_back();
  // Before the hub: those of a session that is made in between have other versions.
  std::map<std::string, std::uint64_t> members;
  for (const std::string& object : scanned) {
    if (!object.starts_with(of_members)) continue;
    RADOSLOAD_ASSIGN(members[object], version_of(site, object));
  }
  RADOSLOAD_ASSIGN(auto seen, look_at_session(site, session));
  for (const auto& [object, version] : members) {
    if (version != 0) seen.members.emplace(object, version);
  }
  const std::set<std::string> known(seen.objects.begin(), seen.objects.end());
  for (const std::string& object : scanned) {
    const bool more = !known.contains(object) && !members.contains(object);
    if (more && object != session_hub(session)) seen.objects.push_back(object);
  }
  return seen;
}

Result<std::vector<SessionLook>> look_at_sessions(SessionSite& site, const CleanupOptions& options,
                                                  const CleanupReport& report) {
  std::map<std::string, std::vector<std::string>> scanned;
  for (const std::string& object : report.session_objects) {
    scanned[session_of(object)].push_back(object);
  }
  RADOSLOAD_ASSIGN(const auto noted, noted_sessions(site));
  for (const std::string& session : noted) scanned[session];
  std::vector<SessionLook> looks;
  for (const auto& [session, objects] : scanned) {
    if (options.agreed && !options.agreed->contains("session " + session)) continue;
    const bool by_scan = std::find(noted.begin(), noted.end(), session) == noted.end();
    looks.push_back({session, look_with(site, session, objects), by_scan});
  }
  return looks;
}

// False: interrupted.
bool wait_for_second_look(SessionSite& site, const CleanupOptions& options) {
  constexpr std::chrono::milliseconds slice(200);
  for (Time waited{0}; waited < session_second_look; waited += slice) {
    if (options.interrupted && options.interrupted()) return false;
    site.pause(slice);
  }
  return true;
}

// Whether it is still as it was.
Result<bool> remove_as_seen(SessionSite& site, const SessionLook& look) {
  if (look.may_be_new()) {
    RADOSLOAD_ASSIGN(const auto now, look_at_session(site, look.session));
    if (now.lives || !unchanged(*look.seen, now)) return false;
  }
  return remove_dead_session(site, look.session, *look.seen);
}

RunCleanup cleaned_session(SessionSite& site, const SessionLook& look, bool dry_run) {
  RunCleanup cleaned{
      .run = "session " + look.session, .fate = Fate::failed, .by_scan = look.by_scan};
  if (!look.seen) {
    cleaned.detail = look.seen.error().message();
    return cleaned;
  }
  cleaned.objects = look.seen->count();
  if (look.seen->lives || dry_run) {
    cleaned.fate = look.seen->lives ? Fate::held : Fate::would;
    cleaned.detail = look.seen->holder;
    return cleaned;
  }
  const auto removed = remove_as_seen(site, look);
  if (!removed) {
    cleaned.detail = removed.error().message();
  } else if (*removed) {
    cleaned.fate = Fate::removed;
    cleaned.count.removed = cleaned.objects;
  } else {
    cleaned.fate = Fate::held;
    cleaned.detail = "a process that has changed it during this cleanup";
  }
  return cleaned;
}

}  // namespace

Status clean_up_sessions(SessionSite& site, const CleanupOptions& options, CleanupReport& report) {
  RADOSLOAD_ASSIGN(const auto looks, look_at_sessions(site, options, report));
  const bool again =
      !options.dry_run &&
      std::any_of(looks.begin(), looks.end(), [](const auto& one) { return one.may_be_new(); });
  if (again && !wait_for_second_look(site, options)) {
    report.interrupted = true;
    return {};
  }
  for (const SessionLook& look : looks) {
    RunCleanup cleaned = cleaned_session(site, look, options.dry_run);
    // A name in the index without an object: of a session that is about to begin, which enters it
    // again, or of one whose removal was cut short.
    const bool only_a_name = cleaned.fate == Fate::removed && cleaned.objects == 0;
    if (!only_a_name) report.runs.push_back(std::move(cleaned));
  }
  return {};
}

}  // namespace radosload::footprint
