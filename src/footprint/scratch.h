// Making scratch pools: pools of size 1 whose PGs lie on chosen OSDs and nowhere else, so that a
// write touches one OSD. Everything goes through AdminCommands.
//
// How the pool is bound to its OSDs: each PG is mapped with `osd pg-upmap`, which names the
// complete acting set in place of that of CRUSH; the balancer leaves such entries alone. The mons
// drop an entry that equals what CRUSH says, and the balancer moves PGs without an entry (this has
// happened). So the pool first gets its own weight set, in which the chosen OSDs have weight 0:
// CRUSH then puts no PG there, and every entry stays.
//
// The alternatives are worse. `pg-upmap-items` exchanges one OSD of what CRUSH says for another, so
// a change of weight anywhere undoes it silently, and the balancer rewrites them. OSDs linked into
// a CRUSH root of their own are in two trees then, which counts them twice and can move the data of
// other pools. A rule that takes an OSD itself can be had by editing the CRUSH map alone, and a map
// written back undoes every change that was made meanwhile. Upmaps and weight set touch nothing
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

// Checks that the pool can be created and removed again; changes nothing. A refusal names every
// obstacle with the command that removes it, for the user to run.
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

// Creates the pool and waits until every PG is active and clean on its OSD. Returns the pool's id.
// The pool gets its final name last: until then its name cannot belong to any other client. After a
// failure or an interrupt, what was created is removed again; if that fails too, the error says
// what is left.
Result<std::int64_t> make_scratch(AdminCommands& commands, const ScratchPlan& plan,
                                  const ScratchMaking& making, const ScratchHooks& hooks);

// What the cluster has now.
Result<ScratchView> fetch_scratch(AdminCommands& commands);

// Why a pool must not be removed: who uses it, what is in it. Empty: it may be removed. An Error:
// the pool could not be examined.
using ScratchInUse = std::function<Result<std::string>(const std::string& pool)>;

// Removes pool, upmaps and rule if they have not changed since they were found and the pool is not
// in use, then checks that they are gone. Commands identify pools by name only, so the pool is
// first renamed to a name that no other client uses, and checked again under it. Without in_use
// that check is left out. Returns why the pool was left as it was; empty: it is gone.
Result<std::string> delete_scratch(AdminCommands& commands, const ScratchFound& found,
                                   const ScratchInUse& in_use);

}  // namespace radosload::footprint
