// When a daemon was seen, and so when what it shows was not watched. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/units.h"

namespace radosload::watch {

class Coverage {
 public:
  // Between two looks. A disturbance shorter than that may be missed.
  static constexpr Time most_between = std::chrono::seconds(10);

  // `who`: "the mgr"
  explicit Coverage(std::string who) : m_who(std::move(who)) {}

  // `at`: when the question was asked. In the order of time.
  void seen(Time at);
  void unseen(Time at, std::string why);

  // Why the time from `from` to `to` was not covered, with times from `from` on; empty: it was. The
  // last look is to be from `to` or later, and the first from `from` or earlier.
  std::vector<std::string> gaps(Time from, Time to) const;

 private:
  struct Gap {
    std::optional<Time> from;  // nothing: it had never been seen
    Time to{0};
    std::string why;
  };

  std::string text_of(const Gap& gap, Time from, Time to) const;

  std::string m_who;
  std::optional<Time> m_last;
  std::string m_why;  // it was not seen since m_last
  std::vector<Gap> m_gaps;
};

}  // namespace radosload::watch
