#include "cluster/bounded_call.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace radosload::cluster {

namespace {

std::atomic<int>& abandoned() {
  static std::atomic<int> count{0};
  return count;
}

struct Call {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  bool given_up = false;
};

}  // namespace

bool call_within(Time limit, std::function<void()> call) {
  auto shared = std::make_shared<Call>();
  std::thread([shared, call = std::move(call)]() mutable {
    call();
    call = nullptr;  // what it captured is released before anybody is told that it ended
    const std::lock_guard lock(shared->mutex);
    shared->done = true;
    if (shared->given_up) --abandoned();
    shared->ended.notify_all();
  }).detach();

  std::unique_lock lock(shared->mutex);
  if (shared->ended.wait_for(lock, limit, [&] { return shared->done; })) return true;
  shared->given_up = true;
  ++abandoned();
  return false;
}

int abandoned_calls() {
  return abandoned();
}

void count_abandoned() {
  ++abandoned();
}

}  // namespace radosload::cluster
