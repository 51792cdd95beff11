// Making scratch pools: pools of size 1 whose PGs lie on chosen OSDs and nowhere else, so that a
// write touches one OSD. Everything goes through AdminCommands.
//
// How the pool is bound, and why so: its PGs are mapped one by one with `osd pg-upmap`. That names
// the whole set of a PG, whatever CRUSH says, and the balancer leaves such entries alone. The
// mons drop an entry that says what CRUSH says anyway, and a PG without one is the balancer's to
// move, and has been seen to be moved. So the pool gets a weight set of its own first, in which the
// chosen OSDs weigh nothing: CRUSH would put no PG there, and every entry stays.
//
// The alternatives are worse. `pg-upmap-items` exchanges one OSD of what CRUSH says for another, so
// a change of weight anywhere undoes it silently, and the balancer rewrites them. OSDs linked into
// a CRUSH root of their own are in two trees then, which counts them twice and can move the data of
// other pools. A rule that takes an OSD itself can be had by editing the CRUSH map alone, and a map
// written back undoes whatever others have changed meanwhile. Upmaps and weight set touch nothing
// but this pool, and go with it. The mons refuse upmaps that do not fit the pool's rule, so it has
// one that begins above all of the OSDs and spreads over OSDs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/result.h"
#include "radosload/units.h"

#include "footprint/scratch_view.h"
#include "placement/osd_inventory.h"

namespace radosload::footprint {

// The rights that all of this takes, as the caps of a user.
inline constexpr std::string_view scratch_daemon_caps =
    "mon 'allow r, allow service osd rw' mgr 'allow r'";
inline constexpr std::string_view scratch_osd_caps = "osd 'allow rw tag radosload scratch=*'";

struct ScratchWish {
  std::string name = {};  // from scratch_name()
  std::vector<std::int32_t> osds = {};
  std::uint32_t pg_num = 0;  // 0: what is good
};

struct ScratchPlan {
  std::string name = {};
  std::vector<std::int32_t> osds = {};
  placement::CrushTake take = {};
  std::vector<std::int32_t> locations = {};  // the OSD of each PG
  bool others = false;                       // the rule has other OSDs besides
};

// Looks whether it can be made, and removed again, and changes nothing. A refusal names everything
// that stands in the way, with the commands that would change it: they are the user's to give.
Result<ScratchPlan> plan_scratch(AdminCommands& commands, const placement::OsdInventory& inventory,
                                 const ScratchWish& wish);

// The world around: a clock that only goes forward, and who watches.
struct ScratchHooks {
  std::function<Time()> now;
  std::function<void(Time)> sleep;
  // Another step begins; and how far it is, again and again.
  std::function<void(const std::string&)> step = [](const std::string&) {};
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };
};

struct ScratchMaking {
  Time limit = std::chrono::minutes(2);  // for its PGs to be where they belong
  ScratchMark mark = {};                 // who makes it
};

// Makes it and waits until every PG is active and clean where it belongs. Returns the pool's id. It
// gets its name at the end: until then all commands name what nobody else can have made. When
// anything fails, or it is interrupted, what has been made is removed again; the error says what is
// left when even that fails.
Result<std::int64_t> make_scratch(AdminCommands& commands, const ScratchPlan& plan,
                                  const ScratchMaking& making, const ScratchHooks& hooks);

// What the cluster has now.
Result<ScratchView> fetch_scratch(AdminCommands& commands);

// Why a pool must not go: who uses it, what is in it. Empty: nothing keeps it. An Error: it could
// not be seen.
using ScratchInUse = std::function<Result<std::string>(const std::string& pool)>;

// Removes pool, upmaps and rule, if they still are what was found and nobody uses the pool, and
// looks whether they are gone. A pool whose name others could give to theirs gets one first that
// they cannot, and is looked at under it: commands know pools by name alone. Without in_use nobody
// is asked. Says why the pool is left as it was; empty: it is gone.
Result<std::string> delete_scratch(AdminCommands& commands, const ScratchFound& found,
                                   const ScratchInUse& in_use);

}  // namespace radosload::footprint
