// The placement of the objects of a run: the PG of each, which never changes, and the current
// primary OSD of each PG. Every operation reads it when it is created, so that it carries the OSD
// that was primary when it was sent.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "radosload/op.h"

namespace radosload {

class ObjectPlacement {
 public:
  // For each object of the working set its number in names, or in images, and its PG. Without
  // numbers, the place in the working set is the number. The OSDs are unknown at first.
  ObjectPlacement(std::vector<std::uint64_t> numbers, std::vector<std::uint32_t> pgs,
                  std::uint32_t pg_num)
      : m_numbers(std::move(numbers)), m_pgs(std::move(pgs)), m_osds(pg_num) {
    for (auto& osd : m_osds) osd.store(no_osd, std::memory_order_relaxed);
  }

  std::size_t size() const noexcept { return m_pgs.size(); }
  std::span<const std::uint32_t> pgs() const noexcept { return m_pgs; }
  std::uint64_t number(std::size_t place) const noexcept {
    return m_numbers.empty() ? place : m_numbers[place];
  }
  // Replaces the place in the working set by the object's number, and sets PG and OSD. Any thread.
  void locate(Op& op) const noexcept {
    op.pg = m_pgs[op.object];
    op.osd = osd_of(op.pg);
    op.object = number(op.object);
  }
  std::int32_t osd_of(std::uint32_t pg) const noexcept {
    return m_osds[pg].load(std::memory_order_relaxed);
  }
  // The OSDs that hold the PG, when the run began; empty: unknown.
  std::span<const std::int32_t> members_of(std::uint32_t pg) const noexcept {
    if (pg >= m_members.size()) return {};
    return std::span(m_member_osds).subspan(m_members[pg].first, m_members[pg].count);
  }
  // Once for each PG, before anything is read. Negative ones are left out.
  void set_members(std::uint32_t pg, std::span<const std::int32_t> osds) {
    m_members.resize(m_osds.size());
    m_members[pg].first = static_cast<std::uint32_t>(m_member_osds.size());
    for (const std::int32_t osd : osds) {
      if (osd < 0) continue;
      m_member_osds.push_back(osd);
      ++m_members[pg].count;
      m_osd_limit = std::max(m_osd_limit, static_cast<std::size_t>(osd) + 1);
    }
  }
  // Above all members.
  std::size_t osd_limit() const noexcept { return m_osd_limit; }
  // From now on. Any thread.
  void move(std::uint32_t pg, std::int32_t osd) noexcept {
    m_osds[pg].store(osd, std::memory_order_relaxed);
  }

 private:
  std::vector<std::uint64_t> m_numbers;
  std::vector<std::uint32_t> m_pgs;
  std::vector<std::atomic<std::int32_t>> m_osds;  // by PG
  struct Members {
    std::uint32_t first = 0;  // in m_member_osds
    std::uint32_t count = 0;
  };
  std::vector<Members> m_members;  // by PG
  std::vector<std::int32_t> m_member_osds;
  std::size_t m_osd_limit = 0;
};

}  // namespace radosload
