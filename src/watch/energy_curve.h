// The energy that a source of power has delivered, as a curve over time: from the readings of a
// counter of energy, or from single readings of the power. Time in which it is not known belongs to
// no part of the curve. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "radosload/units.h"

namespace radosload::watch {

// How far a counter of microjoules has come. `range`: where it begins again at 0; 0: it never does.
// Empty when it went back for another reason.
std::optional<double> joules_between(std::uint64_t before, std::uint64_t after,
                                     std::uint64_t range);

class EnergyCurve {
 public:
  // Readings in the order of time. A curve has readings of one kind only.
  void add_counter(Time at, std::uint64_t microjoules, std::uint64_t range);
  void add_power(Time at, double watts);
  // A reading of the power has failed: it is not known until the next one. A counter counts on.
  void miss_power() { m_missed = true; }
  // The last reading of the power holds until then, unless it is too old.
  void hold(Time until);

  struct Part {
    double joules = 0;  // of the known time
    Time known{0};
    double watts() const;
  };
  Part between(Time from, Time to) const;
  // The first moment of that time at which the power is not known.
  std::optional<Time> first_unknown(Time from, Time to) const;
  std::size_t points() const { return m_points.size(); }
  // When it was read last; nothing before the first reading.
  std::optional<Time> last() const;
  // Of readings of the power: the last digit that they have, at most 1 W. 0 with a counter.
  double resolution_w() const { return m_resolution_w; }

 private:
  struct Point {
    Time at{0};
    double joules = 0;    // since the first point, of the known time
    bool joined = false;  // the time since the point before is known
  };
  void add(const Point& point);
  void thin_out();

  std::vector<Point> m_points;
  std::uint64_t m_counter = 0;
  double m_watts = 0;
  double m_resolution_w = 0;
  bool m_missed = false;  // a reading of the power since the last point
};

}  // namespace radosload::watch
