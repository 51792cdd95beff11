// Notes when a daemon was seen, to report the times that were not watched. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/units.h"

namespace radosload::watch {

class Coverage {
 public:
  // The longest time between two looks that is not a gap. A shorter disturbance may be missed.
  static constexpr Time most_between = std::chrono::seconds(10);

  // `who`: "the mgr"
  explicit Coverage(std::string who) : m_who(std::move(who)) {}

  // `at`: when the daemon was asked. Calls must be in the order of time.
  void seen(Time at);
  void unseen(Time at, std::string why);

  // The parts of the time from `from` to `to` that were not covered, with times relative to `from`;
  // empty: all was covered. Needs a first look at `from` or earlier, and a last one at `to` or
  // later.
  std::vector<std::string> gaps(Time from, Time to) const;

 private:
  struct Gap {
    std::optional<Time> from;  // empty: it had never been seen
    Time to{0};
    std::string why;
  };

  std::string text_of(const Gap& gap, Time from, Time to) const;

  std::string m_who;
  std::optional<Time> m_last;
  std::string m_why;  // why it was not seen since m_last
  std::vector<Gap> m_gaps;
};

}  // namespace radosload::watch
