#include "footprint/osd_flags.h"

#include <algorithm>
#include <utility>

#include "base/ceph_json.h"
#include "footprint/owner.h"
#include "footprint/scratch_commands.h"
#include "observe/osd_timing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::footprint {

namespace {

using FlagJson = nlohmann::json;

std::string osd_name(std::int32_t osd) {
  return fmt::format("osd.{}", osd);
}

// A key for each process: two that begin at once must not write over each other's note.
std::string key_of(std::int32_t osd, const Owner& owner) {
  return fmt::format("{}{}/{}.{}.{}", noout_keys, osd_name(osd), owner.boot, owner.pid,
                     owner.started_ticks);
}

std::string group_command(std::string_view prefix, std::int32_t osd) {
  return FlagJson{{"prefix", prefix}, {"flags", "noout"}, {"who", FlagJson::array({osd_name(osd)})}}
      .dump();
}

std::string note_text(const FlagNote& note) {
  return FlagJson{{"since", note.since},     {"host", note.owner.host},
                  {"boot", note.owner.boot}, {"pid_space", note.owner.pid_space},
                  {"pid", note.owner.pid},   {"started_ticks", note.owner.started_ticks}}
      .dump(-1, ' ', false, FlagJson::error_handler_t::replace);
}

// A note that cannot be read has an owner of whom nothing is known.
FlagNote note_from(const std::string& text) {
  const auto read = ceph_json::parse_object("config-key dump", text);
  if (!read) return {};
  FlagNote note{.since = ceph_json::text(*read, "since")};
  note.owner.host = ceph_json::text(*read, "host");
  note.owner.boot = ceph_json::text(*read, "boot");
  note.owner.pid_space = ceph_json::text(*read, "pid_space");
  note.owner.pid = static_cast<std::int64_t>(ceph_json::number(*read, "pid"));
  note.owner.started_ticks = ceph_json::number(*read, "started_ticks");
  return note;
}

std::optional<std::int32_t> osd_of_key(std::string_view key) {
  const std::string lead = std::string(noout_keys) + "osd.";
  if (!key.starts_with(lead)) return std::nullopt;
  const std::string_view rest = key.substr(lead.size());
  const auto id = parse_count(rest.substr(0, rest.find('/')));
  constexpr std::uint64_t most = 1U << 20U;
  if (!id || *id > most) return std::nullopt;
  return static_cast<std::int32_t>(*id);
}

std::string holder(const FlagNote& note) {
  if (note.owner.pid == 0) return "an unknown process";
  return fmt::format("pid {} on {}, since {}", note.owner.pid, note.owner.host, note.since);
}

// The mons refuse the config-key store to a user without all rights.
Error with_caps(Error error) {
  if (error.exit == Exit::no_cluster && !error.hint.empty()) {
    error.hint = fmt::format("this user needs: ceph auth caps client.USER {}", flag_caps);
  }
  return error;
}

Status tell_flags(AdminCommands& commands, const std::string& command, const std::string& attempt) {
  auto done = tell_mons(commands, command, attempt);
  if (!done) return fail(with_caps(std::move(done).error()));
  return done;
}

Error held_flag(const FlagFound& by) {
  return {.attempt = "set noout for",
          .subject = osd_name(by.osd),
          .reason = fmt::format("radosload has set it already: {}", holder(by.note)),
          .hint = "wait for that process, or remove the flag: radosload cleanup --flags --force",
          .exit = Exit::refused};
}

Status forget_flag(AdminCommands& commands, std::int32_t osd, const std::string& key) {
  const FlagJson forgetting = {{"prefix", "config-key rm"}, {"key", key}};
  return tell_flags(commands, forgetting.dump(), "remove the note of noout of " + osd_name(osd));
}

Status unset_flag(AdminCommands& commands, std::int32_t osd) {
  return tell_flags(commands, group_command("osd unset-group", osd),
                    "unset noout for " + osd_name(osd));
}

// The flags and notes of one OSD, without the note that has this key.
struct FlagLook {
  bool set = false;
  std::vector<FlagFound> left = {};  // by processes that have ended
  std::optional<FlagFound> held = {};

  bool foreign() const { return set && left.empty(); }
};

Result<FlagLook> look_at_flag(AdminCommands& commands, std::int32_t osd,
                              const std::string& own_key) {
  // The flag before the notes: who sets it between the two is found by the note.
  RADOSLOAD_ASSIGN(const auto life, observe::fetch_osd_life(commands, osd));
  RADOSLOAD_ASSIGN(const auto noted, find_flags(commands));
  FlagLook found{.set = life.noout};
  for (const FlagFound& one : noted) {
    if (one.osd != osd || one.key == own_key) continue;
    if (certainly_gone(one.note.owner)) {
      found.left.push_back(one);
    } else {
      found.held = one;
    }
  }
  return found;
}

// With the note written. Others may have come between the first look and the note, so it looks
// again. `touched`: the flag may have been set.
Result<Noout> set_noted(AdminCommands& commands, std::int32_t osd, const std::string& key,
                        bool& touched) {
  RADOSLOAD_ASSIGN(const auto now, look_at_flag(commands, osd, key));
  if (now.held) return fail(held_flag(*now.held));
  if (now.foreign()) return Noout::there;
  touched = true;
  RADOSLOAD_TRY(
      tell_flags(commands, group_command("osd set-group", osd), "set noout for " + osd_name(osd)));
  for (const FlagFound& one : now.left) (void)forget_flag(commands, osd, one.key);
  return Noout::ours;
}

}  // namespace

Result<Noout> set_noout(AdminCommands& commands, std::int32_t osd, const FlagNote& note) {
  const std::string key = key_of(osd, note.owner);
  RADOSLOAD_ASSIGN(const auto before, look_at_flag(commands, osd, key));
  if (before.held) return fail(held_flag(*before.held));
  if (before.foreign()) return Noout::there;
  const FlagJson noting = {{"prefix", "config-key set"}, {"key", key}, {"val", note_text(note)}};
  RADOSLOAD_TRY(tell_flags(commands, noting.dump(), "note the flag noout of " + osd_name(osd)));
  bool touched = false;
  auto done = set_noted(commands, osd, key, touched);
  if (done && *done == Noout::ours) return done;
  if (touched) {
    // It may have been carried out without an answer.
    (void)unset_noout(commands, osd, note);
  } else {
    (void)forget_flag(commands, osd, key);
  }
  return done;
}

Status unset_noout(AdminCommands& commands, std::int32_t osd, const FlagNote& note) {
  auto done = unset_flag(commands, osd);
  // The note goes last: it is what finds the flag.
  if (done) done = forget_flag(commands, osd, key_of(osd, note.owner));
  if (done) return done;
  Error error = std::move(done).error();
  error.hint = fmt::format("'radosload cleanup --flags' removes it{}{}",
                           error.hint.empty() ? "" : "; ", error.hint);
  return fail(std::move(error));
}

Result<std::vector<FlagFound>> find_flags(AdminCommands& commands) {
  const FlagJson listing = {{"prefix", "config-key dump"}, {"key", noout_keys}, {"format", "json"}};
  const auto said = commands.mon(listing.dump());
  if (!said) return fail(with_caps(said.error()));
  RADOSLOAD_ASSIGN(const auto keys, ceph_json::parse_object("config-key dump", *said));
  std::vector<FlagFound> found;
  for (const auto& [key, value] : keys.items()) {
    const auto osd = osd_of_key(key);
    if (!osd || !value.is_string()) continue;
    found.push_back({.osd = *osd, .note = note_from(value.get<std::string>()), .key = key});
  }
  std::sort(found.begin(), found.end(), [](const FlagFound& a, const FlagFound& b) {
    return std::pair(a.osd, a.key) < std::pair(b.osd, b.key);
  });
  return found;
}

namespace {

// Whether another process needs the flag that this one left.
bool is_shared(const std::vector<FlagFound>& all, const FlagFound& flag) {
  return std::any_of(all.begin(), all.end(), [&](const FlagFound& other) {
    return other.osd == flag.osd && other.key != flag.key && !certainly_gone(other.note.owner);
  });
}

Status remove_flag(AdminCommands& commands, const FlagFound& flag, bool note_only) {
  if (!note_only) RADOSLOAD_TRY(unset_flag(commands, flag.osd));
  return forget_flag(commands, flag.osd, flag.key);
}

}  // namespace

Result<std::vector<FlagRemoved>> remove_flags(AdminCommands& commands, const FlagRemoval& removal) {
  RADOSLOAD_ASSIGN(const auto found, find_flags(commands));
  std::vector<FlagRemoved> all;
  for (const FlagFound& flag : found) {
    if (removal.agreed &&
        std::find(removal.agreed->begin(), removal.agreed->end(), flag) == removal.agreed->end()) {
      continue;
    }
    FlagRemoved one{
        .found = flag, .detail = "set by " + holder(flag.note), .owner = state_of(flag.note.owner)};
    const bool note_only = !removal.force && is_shared(found, flag);
    if (!removal.force && one.owner != OwnerState::gone) {
      one.fate = Fate::held;
    } else if (removal.dry_run) {
      one.fate = Fate::would;
    } else if (auto done = remove_flag(commands, flag, note_only); !done) {
      one.fate = Fate::failed;
      one.detail = one_line(std::move(done).error());
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace radosload::footprint
