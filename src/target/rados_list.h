// Listing for the rados target. librados can list only synchronously, so each listing in flight
// takes a thread; there are as many as slots, up to a limit, and none until the first listing.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

namespace radosload::target {

struct Driver;

class ListPool {
 public:
  // So many slots may be listing at the same time.
  void allow(std::size_t slots);
  // Queues the driver's slot, which completes on a thread of the pool.
  void add(Driver& driver) noexcept;
  // Completes with -ECANCELED what is queued, and what is being listed too: the answer of that is
  // dropped when it comes.
  void cancel() noexcept;
  // Lets the threads end. Until they have, they need the pool and the drivers; some may wait for
  // the cluster.
  void stop() noexcept;
  bool ended() const noexcept;

 private:
  void work() noexcept;

  mutable std::mutex m_mutex;
  std::condition_variable m_wanted;
  std::deque<Driver*> m_queue;
  std::deque<Driver*> m_running;
  std::size_t m_limit = 0;
  std::size_t m_threads = 0;
  std::size_t m_idle = 0;
  bool m_stopping = false;
};

}  // namespace radosload::target
