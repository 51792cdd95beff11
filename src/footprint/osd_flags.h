// The flag `noout` of single OSDs, set while `radosload time peering` stops them. Who sets it is
// noted in the mons' config-key store before it is set, each process under a key of its own, so
// that `cleanup --flags` can remove what a killed process left. A flag that another client has set
// before is never touched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/result.h"

#include "footprint/cleanup.h"
#include "footprint/owner.h"

namespace radosload::footprint {

// The prefix of the keys; the OSD's name follows, and what tells the process from all others.
inline constexpr std::string_view noout_keys = "radosload/noout/";
inline constexpr std::string_view flag_caps =
    "mon 'allow r, allow service osd rw, allow service config-key rw' mgr 'allow r'";

struct FlagNote {
  Owner owner = {};
  std::string since = {};  // 2026-11-21T04:00:12Z

  bool operator==(const FlagNote&) const = default;
};

enum class Noout : std::uint8_t {
  ours,   // set, and to be unset
  there,  // it was set before, by another client
};

// Notes the owner and sets the flag. Refused while another process that may be alive holds it; what
// a process that has certainly ended left is taken over.
Result<Noout> set_noout(AdminCommands& commands, std::int32_t osd, const FlagNote& note);

// Unsets the flag and removes the note of its owner. The error says how to do it later.
Status unset_noout(AdminCommands& commands, std::int32_t osd, const FlagNote& note);

struct FlagFound {
  std::int32_t osd = -1;
  FlagNote note = {};
  std::string key = {};  // of the note

  bool operator==(const FlagFound&) const = default;
};
// By OSD.
Result<std::vector<FlagFound>> find_flags(AdminCommands& commands);

struct FlagRemoved {
  FlagFound found = {};
  Fate fate = Fate::removed;
  std::string detail = {};  // who has set it, what failed
  OwnerState owner = OwnerState::unknown;
};
struct FlagRemoval {
  bool force = false;  // also where the owner may still be alive
  bool dry_run = false;
  // Only these, when it is given: what a person was shown.
  std::optional<std::vector<FlagFound>> agreed = std::nullopt;
};
// Unsets what processes that have ended left.
Result<std::vector<FlagRemoved>> remove_flags(AdminCommands& commands, const FlagRemoval& removal);

}  // namespace radosload::footprint
