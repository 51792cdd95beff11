// Waits for a condition that becomes true after some time.
#pragma once

#include <chrono>
#include <thread>

namespace radosload::test {

// Checks the condition repeatedly; false if it is not true before the limit.
template <typename Condition>
bool eventually(const Condition& condition, std::chrono::milliseconds limit,
                std::chrono::milliseconds tick = std::chrono::milliseconds(10)) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(tick);
  }
  return true;
}

}  // namespace radosload::test
