// The figures of each OSD in one row of a timeline, in a few bytes each: a run of days has
// thousands of rows with dozens of OSDs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "record/figures.h"

namespace radosload::record {

// A map from OSDs to figures, in the order of the OSDs. What is read from it is a copy.
class FiguresByOsd {
 public:
  using value_type = std::pair<std::int32_t, Figures>;

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = FiguresByOsd::value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    reference operator*() const { return m_value; }
    pointer operator->() const { return &m_value; }
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return m_left == other.m_left; }

   private:
    friend class FiguresByOsd;
    Iterator(std::string_view rest, std::size_t left);
    void read();

    std::string_view m_rest;
    std::size_t m_left;  // OSDs from this one on
    value_type m_value;
  };

  Iterator begin() const { return {m_bytes, m_size}; }
  Iterator end() const { return {{}, 0}; }
  std::size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }

  // Adds figures, or replaces those of the OSD. Quick for the highest OSD so far.
  void set(std::int32_t osd, const Figures& figures);
  // Keeps the given number of OSDs: those with the most failures, then the highest mean.
  void keep_worst(std::size_t limit);
  // Call it when all are there.
  void shrink_to_fit() { m_bytes.shrink_to_fit(); }
  bool operator==(const FiguresByOsd& other) const = default;

 private:
  void append(std::int32_t osd, const Figures& figures);

  std::string m_bytes;
  std::size_t m_size = 0;
  std::int32_t m_highest = 0;  // without meaning when empty
};

}  // namespace radosload::record
