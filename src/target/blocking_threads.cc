#include "target/blocking_threads.h"

#include <system_error>
#include <utility>

namespace radosload::target {

std::unique_ptr<BlockingThreads> BlockingThreads::make(std::uint32_t depth, Call call) {
  // Not make_unique: the constructor is private, so that all of them have their threads.
  std::unique_ptr<BlockingThreads> threads(new BlockingThreads(depth, std::move(call)));
  if (!threads->start()) return nullptr;
  return threads;
}

BlockingThreads::~BlockingThreads() {
  {
    const std::lock_guard lock(m_mutex);
    m_leaving = true;
  }
  m_wake.notify_all();
  for (std::thread& thread : m_threads) thread.join();
}

bool BlockingThreads::start() {
  try {
    while (m_threads.size() < m_waiting.size()) m_threads.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void BlockingThreads::send(BlockingOp& op) noexcept {
  m_below.fetch_add(1, std::memory_order_relaxed);
  {
    const std::lock_guard lock(m_mutex);
    m_waiting[(m_first + m_count++) % m_waiting.size()] = &op;
  }
  m_wake.notify_one();
}

// Null when the threads must end.
BlockingOp* BlockingThreads::next() noexcept {
  std::unique_lock lock(m_mutex);
  m_wake.wait(lock, [this] { return m_count > 0 || m_leaving; });
  if (m_count == 0) return nullptr;
  BlockingOp* const op = m_waiting[m_first];
  m_first = (m_first + 1) % m_waiting.size();
  --m_count;
  return op;
}

void BlockingThreads::work() noexcept {
  while (BlockingOp* const op = next()) {
    const int answer = m_call(*op);
    if (op->arrive(answer)) op->finish();
    m_below.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace radosload::target
