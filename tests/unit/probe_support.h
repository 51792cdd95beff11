// A cluster of simulated drives for tests of the probe, in virtual time.
#pragma once

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "probe/prober.h"
#include "probe/sim_prober.h"

namespace radosload::probe::testing {

// 2026-11-26T00:00:00Z
inline constexpr Time start_of_tests = std::chrono::seconds(1795651200);

// Answers that a test chooses.
class ScriptedProber final : public Prober {
 public:
  explicit ScriptedProber(VirtualClock& clock) : m_clock(clock) {}

  std::vector<Target> targets = {};
  std::vector<std::int32_t> without_pgs = {};
  PoolCost cost = {};
  std::optional<Error> away = {};            // why the cluster cannot be asked
  std::map<std::int32_t, int> failing = {};  // OSDs whose operations fail, with the error
  Time latency = std::chrono::milliseconds(10);
  std::map<std::int32_t, double> factor = {};
  std::function<void(std::uint64_t survey)> before = [](std::uint64_t) {};
  std::uint64_t surveys = 0;
  std::map<std::int32_t, std::uint64_t> asked = {};

  Result<Survey> survey() override {
    before(surveys++);
    if (away) return fail(*away);
    return Survey{.targets = targets, .without_pgs = without_pgs, .cost = cost};
  }
  Answer probe(const Target& target, Kind /*kind*/, std::uint64_t /*turn*/) override {
    ++asked[target.osd];
    const auto known = factor.find(target.osd);
    const double times = known == factor.end() ? 1 : known->second;
    const Time took(static_cast<std::int64_t>(static_cast<double>(latency.count()) * times));
    m_clock.pass(took);
    const auto failed = failing.find(target.osd);
    return {.took = took, .rc = failed == failing.end() ? 0 : failed->second};
  }
  unsigned at_once() const override { return 1; }

 private:
  VirtualClock& m_clock;
};

// Hard disks of 77 IOPS that other clients use as well: by day more than by night, and each OSD
// with a load that wanders by 3 % within hours.
class Drives {
 public:
  Drives(std::size_t osds, std::uint64_t seed) : m_random(seed), m_drives(osds) {
    constexpr double spread = 0.1;
    for (Drive& drive : m_drives) drive.offset = spread * gauss();
  }

  void slow_down(std::size_t osd, double factor) { m_drives[osd].factor = factor; }

  // A round of 17 reads and a write of each OSD, as --interval 5m makes them.
  Round round(std::uint64_t number) {
    constexpr double rounds_of_day = 288;
    constexpr double turn = 6.283185307179586;
    constexpr int reads = 17;
    const double busy =
        0.3 * (0.6 + 0.4 * std::sin(turn * static_cast<double>(number) / rounds_of_day));
    Round round{.at = start_of_tests + std::chrono::minutes(5) * static_cast<std::int64_t>(number)};
    for (std::size_t osd = 0; osd < m_drives.size(); ++osd) {
      Drive& drive = m_drives[osd];
      constexpr double keeps = 0.98;
      drive.wander = keeps * drive.wander + 0.03 * std::sqrt(1 - keeps * keeps) * gauss();
      const double factor = drive.factor * std::exp(drive.offset + drive.wander);
      double logs = 0;
      for (int i = 0; i < reads; ++i) logs += std::log(factor * operation(busy));
      // It waits for the slowest of three.
      const double write = std::max({factor * operation(busy), operation(busy), operation(busy)});
      Visit visit{.target = {.osd = static_cast<std::int32_t>(osd), .device_class = "hdd"}};
      visit.of(Kind::read) = {.typical = ms(std::exp(logs / reads)), .answered = reads};
      visit.of(Kind::write) = {.typical = ms(write), .answered = 1};
      round.visits.push_back(std::move(visit));
    }
    return round;
  }

 private:
  struct Drive {
    double offset = 0;
    double wander = 0;
    double factor = 1;
  };

  static Time ms(double value) { return Time(static_cast<std::int64_t>(value * 1e6)); }
  double gauss() {
    constexpr double turn = 6.283185307179586;
    return std::sqrt(-2 * std::log(m_random.positive_unit())) * std::cos(turn * m_random.unit());
  }
  // In milliseconds: a seek, half a rotation of 7,200 per minute on average, and the operations of
  // others that are before it.
  double operation(double busy) {
    double time = 0;
    do {
      time += 3 + 11 * m_random.unit() + 8.3 * m_random.unit();
    } while (m_random.unit() < busy);
    return time;
  }

  Random m_random;
  std::vector<Drive> m_drives;
};

}  // namespace radosload::probe::testing
