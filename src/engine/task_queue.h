// Tasks in the order of their due times; tasks of the same time keep their order. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "radosload/loop.h"

namespace radosload::engine {

class TaskQueue {
 public:
  bool empty() const { return m_heap.empty(); }
  Time next_due() const { return m_heap.front().due; }

  void push(Time due, Loop::Task task) {
    m_heap.push_back({due, m_order++, std::move(task)});
    std::push_heap(m_heap.begin(), m_heap.end(), later);
  }
  Loop::Task pop() {
    std::pop_heap(m_heap.begin(), m_heap.end(), later);
    Loop::Task task = std::move(m_heap.back().task);
    m_heap.pop_back();
    return task;
  }

 private:
  struct Entry {
    Time due;
    std::uint64_t order;
    Loop::Task task;
  };
  static bool later(const Entry& one, const Entry& other) {
    return std::pair(one.due, one.order) > std::pair(other.due, other.order);
  }

  std::vector<Entry> m_heap;  // a heap keeps its memory, so a steady state allocates nothing
  std::uint64_t m_order = 0;
};

}  // namespace radosload::engine
