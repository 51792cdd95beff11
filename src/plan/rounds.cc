#include "plan/rounds.h"

#include <utility>

#include "base/random.h"

#include <fmt/format.h>

namespace radosload::plan {

Result<Steps> one_at_a_time(const Step& single, const std::string& title,
                            const std::vector<std::int32_t>& osds, std::uint32_t rounds) {
  constexpr std::size_t most_cells = 1000;
  if (rounds == 0 || osds.size() * rounds > most_cells) {
    return fail(
        {.attempt = "measure one OSD at a time",
         .reason = fmt::format("{} OSDs in {} rounds are {} runs", osds.size(), rounds,
                               osds.size() * rounds),
         .hint = fmt::format("give --osd and --rounds so that there are 1 to {} runs", most_cells),
         .exit = Exit::usage});
  }
  Steps result{.title = title, .suite = each_suite, .steps = {}};
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    std::vector<std::int32_t> order = osds;
    Random random(single.plan.seed, "order of OSDs", round);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (const std::int32_t osd : order) {
      Step step = single;
      step.plan.pins.osds = std::to_string(osd);
      step.settings = {{"round", std::to_string(round)}, {"osd", std::to_string(osd)}};
      step.name = fmt::format("round {} osd.{}", round, osd);
      result.steps.push_back(std::move(step));
    }
  }
  return result;
}

}  // namespace radosload::plan
