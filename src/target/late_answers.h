// Destroys a target whose library may still answer. Private to the targets.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "radosload/units.h"

#include "cluster/bounded_call.h"

namespace radosload::target {

// Waits until the library no longer refers to the core, at most `farewell`. After that the last
// answer, whenever it comes, frees the core with its handles and images; until then it counts as
// abandoned work.
template <typename Core>
void leave_to_late_answers(std::shared_ptr<Core> core, Time farewell) {
  cluster::call_within(farewell, [core = std::move(core)] {
    std::chrono::milliseconds pause(1);
    constexpr std::chrono::milliseconds longest_pause(100);
    while (!core->quiet()) {
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, longest_pause);
    }
  });
}

}  // namespace radosload::target
