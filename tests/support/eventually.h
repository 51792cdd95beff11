// Waiting for what comes about in its own time.
#pragma once

#include <chrono>
#include <thread>

namespace radosload::test {

// Asks again and again; false when it has not come about at the limit.
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
