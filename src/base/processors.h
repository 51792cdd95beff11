// How this process shares the machine's processors with others.
#pragma once

#include <string_view>

namespace radosload {

// Those that this process may use (taskset, a container's cpuset).
unsigned usable_processors();

// From now on this thread, and those that it starts, do not interrupt whoever has a processor when
// they wake up; they wait for their turn. Where a processor is free, nothing changes. On a busy
// one, as where a client shares a node with OSDs, what came in meanwhile is handled in one go, and
// a switch of threads for every message is saved. A policy that somebody has chosen stays.
void use_batch_scheduling();

// The policy of this thread by its name in chrt(1): "other", "batch", ...
std::string_view scheduling_policy();

}  // namespace radosload
