// Tasks in the order of their due times; tasks of the same time keep their order. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "radosload/loop.h"

namespace radosload::engine {

class TaskQueue {
 public:
  bool empty() const { return m_heap.empty(); }
  Time next_due() const { return Time(m_heap.front().due); }

  void push(Time due, Loop::Task task) {
    m_heap.push_back({due.count(), m_order++, kept(std::move(task))});
    std::push_heap(m_heap.begin(), m_heap.end(), Later());
  }
  Loop::Task pop() {
    std::pop_heap(m_heap.begin(), m_heap.end(), Later());
    const std::size_t slot = m_heap.back().slot;
    m_heap.pop_back();
    m_free.push_back(slot);
    return std::exchange(m_tasks[slot], nullptr);
  }

 private:
  // A heap moves its entries again and again, so they are small, and the tasks stay where they are.
  struct Entry {
    Time::rep due;
    std::uint64_t order;
    std::size_t slot;
  };
  struct Later {
    bool operator()(const Entry& one, const Entry& other) const {
      return one.due != other.due ? one.due > other.due : one.order > other.order;
    }
  };

  std::size_t kept(Loop::Task task) {
    if (m_free.empty()) {
      m_tasks.push_back(std::move(task));
      return m_tasks.size() - 1;
    }
    const std::size_t slot = m_free.back();
    m_free.pop_back();
    m_tasks[slot] = std::move(task);
    return slot;
  }

  // All keep their memory, so a steady state allocates nothing.
  std::vector<Entry> m_heap;
  std::vector<Loop::Task> m_tasks;
  std::vector<std::size_t> m_free;
  std::uint64_t m_order = 0;
};

}  // namespace radosload::engine
