// When a warm-up that lasts until the load is steady may end (`--warmup auto`). Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/interval.h"
#include "stats/steady.h"

namespace radosload::run {

class Settling {
 public:
  // Open loop: throughput follows the rate on any cluster, so response times are judged.
  explicit Settling(bool open_loop) : m_open_loop(open_loop) {}

  // One second of the warm-up, in the order of time.
  void add(const record::Interval& interval);
  bool steady() const;
  // What still changed, in words; empty when the load is steady.
  std::string trouble() const;

 private:
  struct Second {
    double ops = 0;
    double length = 0;  // s
    double time = 0;    // the sum of response times, s
  };
  std::optional<stats::Steadiness> judge(std::size_t seconds_each) const;
  // The steadiest of all widths; empty while there is too little to judge.
  std::optional<stats::Steadiness> best() const;
  static Second sum_of(std::span<const Second> seconds);
  // Open loop: how much longer operations took in the last quarter of the warm-up than in the one
  // before, where that is more than chance explains; else 0. Where operations arrive faster than
  // they are answered, response times grow in proportion to the time, so their trend within a few
  // seconds gets ever smaller.
  double growth() const;

  bool m_open_loop;
  std::vector<Second> m_seconds;
};

}  // namespace radosload::run
