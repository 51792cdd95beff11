// A study as its file describes it: which arms are compared, under which loads, how often and in
// which order. The file is read in study_file; schedules and verdicts follow from this alone. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/units.h"

namespace radosload::study {

// One of the things that are compared: the options of `radosload run` that lead to it, such as
// {"--pool", "hdd", "--osd", "0-3"}. Every OSD named in --osd is a unit with cells of its own;
// without --osd the pool or the image is the unit.
struct Arm {
  std::string name;
  std::vector<std::string> options;
  bool operator==(const Arm&) const = default;
};

// What is done in a cell: a run of a pattern, or `radosload time` with its words.
struct Work {
  enum class What : std::uint8_t { pattern, timer };
  What what = What::pattern;
  std::string name;                // of its metrics: "randwrite4k IOPS"
  std::vector<std::string> words;  // {"randwrite4k,qd=16"} or {"scrub", "--deep"}
  bool operator==(const Work&) const = default;
};

enum class Order : std::uint8_t { shuffled, abba, listed };

// How much load: at the depth of the pattern, at a rate, or at a share of the capacity of the
// slowest arm, which is found before the first round.
struct Load {
  std::string rate;           // as --rate takes it; empty: closed
  double capacity_share = 0;  // 0.6 for `rate: 60%`; 0: not this
  bool operator==(const Load&) const = default;
};

// A state of the cluster in which all rounds are run, such as `before` and `after` a change. The
// phases are the arms of a study that names phases: each unit is paired with itself.
struct Phase {
  std::string name;
  std::string command;  // makes the state; empty: a person does, and confirms it with --phase
  bool operator==(const Phase&) const = default;
};

// The same cell again and again for a long time; rounds are hours.
struct Probe {
  Time every{0};
  Time for_time{0};
  bool operator==(const Probe&) const = default;
};

struct StudyPlan {
  std::string name;
  std::string question;
  std::vector<Arm> arms;
  std::vector<Work> works;
  std::vector<std::string> options;  // of every run: {"--time", "10s", "--observer-id", "admin"}
  unsigned rounds = 10;
  Order order = Order::shuffled;  // two arms: abba
  std::uint64_t seed = 0;         // 0: one is drawn when the study begins, and kept
  Load load;
  std::vector<Phase> phases;
  std::optional<Probe> probe;
  bool require_clean = false;  // a contaminated cell is repeated like a void one
  // The same objects in all rounds. Where objects lie is chance, and with kept ones the chance
  // belongs to the arm; new ones in each round make it part of what rounds scatter by.
  bool keep_objects = false;
  std::string primary;  // "randwrite4k IOPS"; empty: all metrics share the level
  double threshold = 0.05;
  double level = 0.95;
  bool operator==(const StudyPlan&) const = default;
};

}  // namespace radosload::study
