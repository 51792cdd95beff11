#include "base/processors.h"

#include <algorithm>
#include <sched.h>

namespace radosload {

unsigned usable_processors() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  // Fails on machines with more processors than the set can hold: there are enough.
  if (::sched_getaffinity(0, sizeof usable, &usable) != 0) return CPU_SETSIZE;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&usable)));
}

void use_batch_scheduling() {
  if (::sched_getscheduler(0) != SCHED_OTHER) return;
  const sched_param priority{};
  // Needs no privileges; if a sandbox forbids it, the load only costs more.
  ::sched_setscheduler(0, SCHED_BATCH, &priority);
}

std::string_view scheduling_policy() {
  switch (::sched_getscheduler(0)) {
    case SCHED_OTHER:
      return "other";
    case SCHED_BATCH:
      return "batch";
    case SCHED_IDLE:
      return "idle";
    case SCHED_FIFO:
      return "fifo";
    case SCHED_RR:
      return "rr";
    default:
      return "unknown";
  }
}

}  // namespace radosload
