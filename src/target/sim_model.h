// The properties of a simulated cluster, and their notation in --sim:
//
//   latency=exp:1ms,osds=7,slow=3:4,error=EIO:0.01,stall=2s:500ms,servers=1,lose=0.001
//
// Every latency law has a closed form, so tests know the expected percentiles.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::target {

struct LatencyLaw {
  enum class Kind : std::uint8_t { constant, uniform, exponential, lognormal };
  Kind kind = Kind::constant;
  Time first = std::chrono::milliseconds(1);  // the value, lower bound, mean or median
  Time second{0};                             // uniform's upper bound
  double sigma = 0;                           // lognormal's

  // The latency that a uniform draw in (0, 1) stands for: the law's quantile function.
  Time quantile(double draw) const;
};

struct SimModel {
  struct Slow {
    std::int32_t osd;
    double factor;
  };
  struct Failure {
    int rc;
    double probability;
  };
  struct Stall {
    Time at;
    Time length;
    std::int32_t osd;  // no_osd: all of them
  };

  LatencyLaw latency;
  std::uint32_t osds = 1;
  std::uint32_t servers = 0;  // operations an OSD works on at a time; 0: any number
  std::vector<Slow> slow;
  std::vector<Failure> failures;
  std::vector<Stall> stalls;
  std::uint32_t threads = 0;  // that answer, in real time; 0: virtual time
  Time op_timeout{0};         // after which operations fail with ETIMEDOUT; 0: none
  double lost = 0;            // probability that an operation is answered only after a cancel
  double never = 0;           // ... not even then
  // Whether writes are kept and returned by reads. The fractions of acknowledged writes that are
  // ...
  bool keeps_content = false;
  double lose = 0;       // not carried out
  double tear = 0;       // carried out half
  double reorder = 0;    // carried out after the next one to the same block
  double misdirect = 0;  // carried out on another object

  // Completion times in a stall move to its end.
  Time after_stalls(Time due, std::int32_t osd) const;
  double factor(std::int32_t osd) const;
};

Result<SimModel> parse_sim(std::string_view text);

}  // namespace radosload::target
