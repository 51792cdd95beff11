#include "cluster/bounded_call.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "base/idle_threads.h"

namespace radosload::cluster {

namespace {

std::atomic<int>& abandoned(CallKind kind) {
  static std::array<std::atomic<int>, 2> counts{};
  return counts.at(static_cast<std::size_t>(kind));
}

struct Call {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  bool given_up = false;
};

}  // namespace

bool call_within(Time limit, std::function<void()> call, CallKind kind) {
  auto shared = std::make_shared<Call>();
  base::run_apart([shared, kind, call = std::move(call)]() mutable {
    call();
    call = nullptr;  // release the captures before the waiting thread is notified
    const std::lock_guard lock(shared->mutex);
    shared->done = true;
    if (shared->given_up) --abandoned(kind);
    shared->ended.notify_all();
  });

  std::unique_lock lock(shared->mutex);
  if (shared->ended.wait_for(lock, limit, [&] { return shared->done; })) return true;
  shared->given_up = true;
  ++abandoned(kind);
  return false;
}

int abandoned_calls() {
  return abandoned(CallKind::work) + abandoned(CallKind::question);
}

int abandoned_work() {
  return abandoned(CallKind::work);
}

void count_abandoned() {
  ++abandoned(CallKind::work);
}

}  // namespace radosload::cluster
