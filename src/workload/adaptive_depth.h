// How many operations of a bulk job (prefill, removal of objects) may be in flight: more while this
// does not slow them down, fewer when it does. Pure: it gets the duration of each operation, and
// knows no clock, no bytes and no target.
//
// The rule. Answers are taken in rounds of at least as many as were in flight, and their mean
// counts, so that a single quick or slow one changes little. (A round that is far too slow ends
// early.) The lowest mean so far stands for an operation that waits for no other; a lower mean
// moves it only half the way down, as a few answers may be quick by chance. The mean of a round may
// be `tolerance` times the lowest, at most `too_long`: disks that need a second for a write must
// not get work for a minute. After each round the depth moves towards the one that has this mean:
//
//     depth = depth * clamp(sqrt(allowed / mean), 1/2, 2)
//
// Below saturation the mean is constant and the depth doubles. Beyond, the mean grows with the
// depth, so both settle where operations wait a few times as long as they are worked on: enough to
// keep the disks busy, and no more. The square root damps random changes.
//
// Answers to operations sent at an earlier depth are left out, so that one slow moment lowers the
// depth once. At depth 1 no operation waits for another of this job: its mean becomes the lowest,
// so a server that has become slow for good is learned anew. If fewer operations are sent than
// allowed (a rate limit), the depth does not grow, because its effect is unknown.
#pragma once

#include <chrono>
#include <cstdint>

#include "radosload/units.h"

namespace radosload::workload {

class AdaptiveDepth {
 public:
  // The mean of a round may be this many times the lowest.
  static constexpr double tolerance = 4;
  // A mean below this never lowers the depth: that of some 16 small writes in flight to hard disks,
  // which do 56 of them a second in three copies.
  static constexpr Time unnoticed = std::chrono::milliseconds(300);
  // The upper limit for the mean of a round. On busy disks single writes take more than twice the
  // mean, and none may take ten seconds.
  static constexpr Time too_long = std::chrono::seconds(4);

  // Where little is known of the server.
  static constexpr std::uint32_t cautious = 3;

  // It begins with `first`, and never exceeds `most`.
  explicit AdaptiveDepth(std::uint32_t most, std::uint32_t first = cautious);

  std::uint32_t depth() const { return m_depth; }
  // An operation succeeded after this time; so many others are still in flight. Failed operations
  // say nothing about load and are not passed.
  void answered(Time took, std::uint32_t others);

 private:
  // The least answers in a round; as many suffice to see that it is far too slow.
  static constexpr std::uint32_t few = 4;
  static constexpr std::uint32_t enough = 8;

  bool round_is_over(Time mean) const;
  void learn_lowest(Time mean);
  Time allowed() const;
  // The depth after a round of that mean.
  std::uint32_t next_depth(Time mean) const;

  std::uint32_t m_most;
  std::uint32_t m_depth;
  Time m_lowest{0};              // 0: none yet
  std::uint32_t m_outdated = 0;  // unanswered operations that were sent at an earlier depth
  std::uint32_t m_answers = 0;   // of this round
  Time m_sum{0};
  bool m_used = false;  // whether this round had the full depth in flight
};

}  // namespace radosload::workload
