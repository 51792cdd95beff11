// How many operations of a bulk job (prefill, removal of objects) may be in flight: more for as
// long as they do not take longer for it, fewer when they do. A pure rule: it is told how long each
// operation took, and knows no clock, no bytes and no target.
//
// The rule. Answers are taken in rounds, at least as many as were in flight, and their mean counts:
// a single quick or slow one moves little. (A round that is far too slow ends early.) The lowest
// mean so far stands for an operation that waits for no other; it goes down half the way only, as
// a few answers may be quick by chance. A round may take `tolerance` times as long as that, at most
// `too_long`: disks that need a second for a write must not be given a minute's work. After each
// round the depth moves towards where a round would take just that:
//
//     depth = depth * clamp(sqrt(allowed / mean), 1/2, 2)
//
// Below saturation the mean stays, and the depth doubles. Beyond, the mean grows with the depth, so
// the two settle where operations wait a few times as long as they are worked on: enough to keep
// the disks busy, and no more. The root keeps chance from throwing the depth about.
//
// Answers to what was sent at an earlier depth are left out, so that one slow moment lowers the
// depth once. At depth 1 nothing waits for anything else of ours: what is seen there becomes the
// lowest, so a server that has become slow for good is learned anew. Where less is sent than might
// be (a rate is kept), the depth does not grow: nobody knows whether more would be good.
#pragma once

#include <chrono>
#include <cstdint>

#include "radosload/units.h"

namespace radosload::workload {

class AdaptiveDepth {
 public:
  // A round may take so many times as long as the lowest.
  static constexpr double tolerance = 4;
  // What takes no longer than that is no reason to send less.
  static constexpr Time unnoticed = std::chrono::milliseconds(100);
  // No round may take longer, as far as the depth can help it. Where disks are busy single writes
  // take more than twice the mean, and none may take ten seconds.
  static constexpr Time too_long = std::chrono::seconds(4);

  // It begins with two, and never exceeds `most`.
  explicit AdaptiveDepth(std::uint32_t most);

  std::uint32_t depth() const { return m_depth; }
  // An operation has been carried out, took so long, and leaves so many others in flight. Failed
  // ones say nothing, and are not told.
  void answered(Time took, std::uint32_t others);

 private:
  // A round has at least so many answers; and so many tell that it is far too slow.
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
  std::uint32_t m_outdated = 0;  // answers to what was sent at an earlier depth, still to come
  std::uint32_t m_answers = 0;   // of this round
  Time m_sum{0};
  bool m_used = false;  // in this round as many were in flight as may be
};

}  // namespace radosload::workload
