// Threads that wait some seconds for more work before they end. A watch asks each OSD every second,
// and a new thread for each question costs more than the question.
#pragma once

#include <cstddef>
#include <functional>

namespace radosload::base {

// Runs the work on another thread, at once. The process does not wait for it when it ends.
void run_apart(std::function<void()> work);

// Runs the work on so many threads at once, one of them the caller's; returns when all have ended.
void run_together(std::size_t times, const std::function<void()>& work);

}  // namespace radosload::base
