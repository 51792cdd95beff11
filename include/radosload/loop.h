// The one clock and timer of a run. Real and simulated loops are interchangeable, so that tests run
// all timing logic in virtual time, and no thread sleeps on its own clock.
#pragma once

#include <functional>

#include "radosload/units.h"

namespace radosload {

class Loop {
 public:
  using Task = std::function<void()>;

  Loop() = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  Loop(Loop&&) = delete;
  Loop& operator=(Loop&&) = delete;
  virtual ~Loop() = default;

  // Monotonic time since the loop was made. Any thread.
  virtual Time now() const noexcept = 0;
  // Runs the task on the loop's thread at that time, or at once when it has passed. Tasks of the
  // same time run in the order in which they were given. Any thread.
  virtual void at(Time due, Task task) = 0;
  // Runs the task on the loop's thread as soon as possible. Any thread.
  virtual void post(Task task) = 0;
  // Runs tasks on the calling thread until stop() is called, or (simulated) nothing is left to do.
  virtual void run() = 0;
  virtual void stop() = 0;
};

}  // namespace radosload
