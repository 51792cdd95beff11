// Listing for the rados target. librados lists only synchronously, so each listing in flight needs
// a thread. There are as many threads as slots, up to a limit, and none before the first listing.
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
  // The number of slots that may list at the same time.
  void allow(std::size_t slots);
  // Queues the driver's slot, which completes on a thread of the pool.
  void add(Driver& driver) noexcept;
  // Completes queued and running listings with -ECANCELED; the answers of running ones are dropped.
  void cancel() noexcept;
  // Tells the threads to end. Until they have ended, they use the pool and the drivers; some may
  // wait for the cluster.
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
