#include "study/schedule.h"

#include <algorithm>
#include <utility>

#include "base/random.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

constexpr Time one_hour = std::chrono::hours(1);

struct Visit {
  std::size_t arm = 0;
  std::size_t unit = 0;
};

template <typename Item>
void shuffle(std::vector<Item>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

std::vector<Visit> all_visits(const std::vector<ArmUnits>& arms) {
  std::vector<Visit> visits;
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    for (std::size_t unit = 0; unit < arms[arm].units.size(); ++unit) visits.push_back({arm, unit});
  }
  return visits;
}

// Which arm is first in a pair: of each two pairs once the one and once the other, and which of
// them begins is drawn. If the first arm always began, what disturbs every fourth cell would
// disturb the same arm each time. `stream`: of the pairs under one load.
std::size_t first_arm(std::uint64_t seed, std::size_t stream, std::size_t pair) {
  Random random(split_seed(seed, "study turns", stream), "of two pairs", pair / 2);
  return (random.below(2) + pair) % 2;
}

// Which units meet is drawn. `first_arm_of`: by the place of the pair in the round.
template <typename FirstArmOf>
std::vector<Visit> abba_visits(const std::vector<ArmUnits>& arms, Random& random,
                               const FirstArmOf& first_arm_of) {
  std::vector<std::size_t> order[2];
  for (std::size_t arm = 0; arm < 2; ++arm) {
    for (std::size_t unit = 0; unit < arms[arm].units.size(); ++unit) order[arm].push_back(unit);
    shuffle(order[arm], random);
  }
  std::vector<Visit> visits;
  for (std::size_t i = 0; i < std::max(order[0].size(), order[1].size()); ++i) {
    const std::size_t first = first_arm_of(i);
    for (const std::size_t arm : {first, 1 - first}) {
      if (i < order[arm].size()) visits.push_back({arm, order[arm][i]});
    }
  }
  return visits;
}

class Scheduling {
 public:
  Scheduling(const StudyPlan& plan, const std::vector<ArmUnits>& units, std::uint64_t seed)
      : m_plan(plan), m_arms(units), m_seed(seed) {}

  std::vector<StudyCell> cells() && {
    if (m_plan.phases.empty()) {
      add_rounds("", 0);
    } else {
      for (std::size_t i = 0; i < m_plan.phases.size(); ++i) add_rounds(m_plan.phases[i].name, i);
    }
    return std::move(m_cells);
  }

 private:
  void add_rounds(const std::string& phase, std::size_t phase_number) {
    const std::size_t ticks = ticks_of(m_plan);
    for (std::size_t tick = 0; tick < ticks; ++tick) {
      add_round(phase, tick, (phase_number * ticks) + tick);
    }
  }

  // `number`: of the round in the whole study.
  void add_round(const std::string& phase, std::size_t tick, std::size_t number) {
    Random random(m_seed, "study round", number);
    std::vector<std::size_t> works(m_plan.works.size());
    for (std::size_t i = 0; i < works.size(); ++i) works[i] = i;
    if (m_plan.order != Order::listed) shuffle(works, random);
    StudyCell cell{.phase = phase,
                   .round = static_cast<std::uint32_t>(tick + 1),
                   .arm = {},
                   .unit = {},
                   .work = 0,
                   .at = Time(0)};
    if (m_plan.probe) {
      cell.at = m_plan.probe->every * static_cast<std::int64_t>(tick);
      cell.round = static_cast<std::uint32_t>((cell.at / one_hour) + 1);
    }
    for (const std::size_t work : works) {
      cell.work = work;
      for (const Visit& visit : visits(number, work, random)) {
        cell.arm = m_arms[visit.arm].arm;
        cell.unit = m_arms[visit.arm].units[visit.unit];
        m_cells.push_back(cell);
      }
    }
  }

  std::vector<Visit> visits(std::size_t number, std::size_t work, Random& random) const {
    if (m_plan.order == Order::abba && m_arms.size() == 2) {
      // Those of earlier rounds count, so that an odd number of pairs does not favour an arm.
      const std::size_t pairs = std::max(m_arms[0].units.size(), m_arms[1].units.size());
      return abba_visits(m_arms, random, [&](std::size_t pair) {
        return first_arm(m_seed, work, (number * pairs) + pair);
      });
    }
    auto visits = all_visits(m_arms);
    if (m_plan.order != Order::listed) shuffle(visits, random);
    return visits;
  }

 public:
  static std::size_t ticks_of(const StudyPlan& plan) {
    if (!plan.probe) return plan.rounds;
    if (plan.probe->every <= Time(0)) return 0;
    return static_cast<std::size_t>(
        std::max<std::int64_t>(1, plan.probe->for_time / plan.probe->every));
  }

 private:
  const StudyPlan& m_plan;
  const std::vector<ArmUnits>& m_arms;
  std::uint64_t m_seed;
  std::vector<StudyCell> m_cells;
};

}  // namespace

Result<std::vector<StudyCell>> schedule(const StudyPlan& plan, const std::vector<ArmUnits>& units,
                                        std::uint64_t seed) {
  const auto refuse = [](std::string reason, std::string hint) {
    return fail({.attempt = "schedule the study",
                 .reason = std::move(reason),
                 .hint = std::move(hint),
                 .exit = Exit::usage});
  };
  auto each_round = static_cast<double>(plan.works.size());
  std::size_t all_units = 0;
  for (const ArmUnits& arm : units) all_units += arm.units.size();
  each_round *= static_cast<double>(all_units);
  const double cells = each_round * static_cast<double>(Scheduling::ticks_of(plan)) *
                       static_cast<double>(std::max<std::size_t>(1, plan.phases.size()));
  if (cells < 1) return refuse("it has no cells", "name arms, patterns or timers, and rounds");
  if (cells > static_cast<double>(most_study_cells)) {
    return refuse(fmt::format("it has {:.0f} cells, and the limit is {}", cells, most_study_cells),
                  "use fewer rounds, units, patterns or phases");
  }
  return Scheduling(plan, units, seed).cells();
}

bool share_objects(const StudyPlan& plan, const StudyCell& one, const StudyCell& other) {
  if (one.arm != other.arm) return false;
  return plan.keep_objects || (one.phase == other.phase && one.round == other.round);
}

std::uint64_t seed_of_cell(std::uint64_t seed, std::size_t cell) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 53U) - 1;  // a whole number in JSON
  const std::uint64_t split = split_seed(seed, "study cell", cell) & mask;
  return split == 0 ? 1 : split;
}

}  // namespace radosload::study
