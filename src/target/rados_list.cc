#include "target/rados_list.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "target/rados_driver.h"

namespace radosload::target {

namespace {

// More listings at once would measure this machine's threads, not the cluster.
constexpr std::size_t most_threads = 256;
// The number of names per page; librados's default.
constexpr std::size_t page = 512;

// Lists the names of slice op.object of op.offset slices. 0 or a negative errno.
int list_slice(librados::IoCtx& pool, Op op) {
  if (op.object >= op.offset) return -EINVAL;
  // Cursors are passed in and out, never assigned to, because librados 16 leaks the old content
  // then.
  const librados::ObjectCursor begin = pool.object_list_begin();
  const librados::ObjectCursor end = pool.object_list_end();
  librados::ObjectCursor from(begin);
  librados::ObjectCursor until(end);
  pool.object_list_slice(begin, end, op.object, op.offset, &from, &until);
  std::vector<librados::ObjectItem> names;
  while (from < until && !pool.object_list_is_end(from)) {
    names.clear();
    const int rc = pool.object_list(from, until, page, {}, &names, &from);
    if (rc < 0) return rc;
  }
  return 0;
}

// The listing thread and a cancel race to complete the slot; the first one completes it.
bool claim(Driver& driver) noexcept {
  return driver.listing.exchange(false);
}

}  // namespace

void ListPool::allow(std::size_t slots) {
  const std::lock_guard lock(m_mutex);
  m_limit = std::clamp(slots, m_limit, std::max(m_limit, most_threads));
}

void ListPool::add(Driver& driver) noexcept {
  const std::lock_guard lock(m_mutex);
  driver.listing = true;
  m_queue.push_back(&driver);
  if (m_queue.size() > m_idle && m_threads < m_limit) {
    ++m_threads;
    std::thread([this] { work(); }).detach();
  }
  m_wanted.notify_one();
}

void ListPool::work() noexcept {
  std::unique_lock lock(m_mutex);
  for (;;) {
    ++m_idle;
    m_wanted.wait(lock, [this] { return m_stopping || !m_queue.empty(); });
    --m_idle;
    if (m_queue.empty()) break;
    Driver& driver = *m_queue.front();
    m_queue.pop_front();
    m_running.push_back(&driver);
    const Op op = driver.slot->op;
    lock.unlock();
    const int rc = list_slice(*driver.pool, op);
    const bool ours = claim(driver);
    lock.lock();
    m_running.erase(std::find(m_running.begin(), m_running.end(), &driver));
    lock.unlock();
    if (ours) driver.slot->complete({.rc = rc});
    lock.lock();
  }
  --m_threads;
}

void ListPool::cancel() noexcept {
  std::vector<Driver*> claimed;
  {
    const std::lock_guard lock(m_mutex);
    for (Driver* driver : m_queue) {
      if (claim(*driver)) claimed.push_back(driver);
    }
    for (Driver* driver : m_running) {
      if (claim(*driver)) claimed.push_back(driver);
    }
    m_queue.clear();
  }
  for (Driver* driver : claimed) driver->slot->complete({.rc = -ECANCELED});
}

void ListPool::stop() noexcept {
  const std::lock_guard lock(m_mutex);
  m_stopping = true;
  m_wanted.notify_all();
}

bool ListPool::ended() const noexcept {
  const std::lock_guard lock(m_mutex);
  return m_threads == 0;
}

}  // namespace radosload::target
