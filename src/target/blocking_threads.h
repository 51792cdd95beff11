// As many threads as operations in flight, each of which carries out one at a time and waits for
// its end. Private to the targets of drives and of files.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "target/blocking_op.h"

namespace radosload::target {

class BlockingThreads {
 public:
  // Carries out one operation and returns what is its result.
  using Call = std::function<int(const BlockingOp&)>;

  // Null when the system allows no more threads.
  static std::unique_ptr<BlockingThreads> make(std::uint32_t depth, Call call);
  // Waits for what was begun: only once it is quiet.
  ~BlockingThreads();
  BlockingThreads(const BlockingThreads&) = delete;
  BlockingThreads& operator=(const BlockingThreads&) = delete;
  BlockingThreads(BlockingThreads&&) = delete;
  BlockingThreads& operator=(BlockingThreads&&) = delete;

  // Any thread; at most `depth` operations at a time.
  void send(BlockingOp& op) noexcept;
  // Whether all of them have ended. Any thread.
  bool quiet() const noexcept { return m_below.load(std::memory_order_acquire) == 0; }

 private:
  BlockingThreads(std::uint32_t depth, Call call) : m_call(std::move(call)), m_waiting(depth) {}
  bool start();
  BlockingOp* next() noexcept;
  void work() noexcept;

  Call m_call;
  std::atomic<std::uint32_t> m_below{0};  // operations that have not ended
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::vector<BlockingOp*> m_waiting;  // a ring with a place for each slot
  std::size_t m_first = 0;
  std::size_t m_count = 0;
  bool m_leaving = false;
  std::vector<std::thread> m_threads;
};

}  // namespace radosload::target
