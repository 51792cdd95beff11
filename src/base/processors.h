// How this process shares the machine's processors with other processes.
#pragma once

#include <string_view>

namespace radosload {

// The processors that this process may use (taskset, a container's cpuset).
unsigned usable_processors();

// From now on this thread and the threads it starts do not preempt other threads when they wake up,
// but wait for their turn. On an idle processor nothing changes. On a busy one (a client on the
// same node as OSDs) it saves a context switch per message, because several messages are handled at
// once. A scheduling policy set by the user is kept.
void use_batch_scheduling();

// The policy of this thread by its name in chrt(1): "other", "batch", ...
std::string_view scheduling_policy();

}  // namespace radosload
