#include "views/scratch_text.h"

#include <algorithm>

#include "radosload/printable.h"

#include "placement/osd_select.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

using footprint::Fate;
using footprint::ScratchFound;
using footprint::ScratchPlan;
using footprint::ScratchRemoved;
using State = ScratchFound::State;

std::string osds_word(const std::vector<std::int32_t>& osds) {
  std::string text = placement::ids_text(osds);
  std::erase(text, ' ');
  return text;
}

std::string counts_text(const std::map<std::int32_t, std::uint32_t>& counts) {
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [osd, pgs] : counts) {
    const std::string who = osd < 0 ? "no OSD" : fmt::format("osd.{}", osd);
    parts.push_back(fmt::format("{}: {}", who, report::counted(pgs, "PG")));
  }
  return report::joined(parts, ", ");
}

std::map<std::int32_t, std::uint32_t> counts_of(const ScratchPlan& plan) {
  std::map<std::int32_t, std::uint32_t> counts;
  for (const std::int32_t osd : plan.locations) ++counts[osd];
  return counts;
}

std::string pool_line(const ScratchPlan& plan) {
  return report::line("pool", fmt::format("{}, size 1, {}: its data is lost with its OSD",
                                          plan.name, report::counted(plan.locations.size(), "PG")));
}

std::string rule_line(const ScratchPlan& plan) {
  return report::line("rule",
                      fmt::format("{}, from {}", plan.name, placement::take_text(plan.take)));
}

std::string use_of(const ScratchPlan& plan) {
  return fmt::format("radosload --pool {} --pattern randwrite4k --osd {}{}", plan.name,
                     osds_word(plan.osds), plan.osds.size() > 1 ? " --each" : "");
}

std::string destroy_of(const std::string& name) {
  return fmt::format("radosload scratch destroy {} --yes", name);
}

std::string line_of(const ScratchRemoved& one) {
  const std::string kind =
      one.state == State::ready ? "" : fmt::format(" ({})", footprint::state_name(one.state));
  std::string name = printable(one.name);
  switch (one.fate) {
    case Fate::removed:
      return fmt::format("{}: removed{}", name, kind);
    case Fate::would:
      return fmt::format("{}: would be removed{}", name, kind);
    case Fate::held:
    case Fate::kept:
    case Fate::unreadable:
      return fmt::format("{}: left alone{}: {}", name, kind, one.detail);
    case Fate::failed:
      return fmt::format("{}: NOT removed{}: {}", name, kind, one.detail);
  }
  return name;
}

}  // namespace

PgCounts counted_pgs(const placement::PgMap& map) {
  std::map<std::int32_t, std::uint32_t> counts;
  for (std::size_t i = 0; i < map.size(); ++i) ++counts[map.at(i).primary];
  return counts;
}

std::string scratch_plan_text(const ScratchPlan& plan) {
  std::string text = pool_line(plan);
  text += report::line("OSDs", counts_text(counts_of(plan)));
  text += rule_line(plan);
  text += report::line(
      "binding", fmt::format("{}{}", report::counted(plan.locations.size(), "upmap"),
                             plan.others ? ", and CRUSH weights of the pool's own, which keep the "
                                           "balancer off it"
                                         : ""));
  text +=
      report::line("health", "may be HEALTH_WARN (POOL_NO_REDUNDANCY) for as long as it is there");
  return text;
}

std::string scratch_made_text(const ScratchPlan& plan) {
  std::string text = pool_line(plan);
  text += report::line("OSDs", counts_text(counts_of(plan)));
  text += rule_line(plan);
  text += report::line("use it", use_of(plan));
  text += report::line("remove", destroy_of(plan.name));
  return text;
}

std::string scratch_list_text(const std::vector<ScratchShown>& pools) {
  if (pools.empty()) return "no scratch pools\n";
  report::Table table({{"pool", report::Align::left},
                       {"state", report::Align::left},
                       {"bound to", report::Align::left},
                       {"PGs"},
                       {"made", report::Align::left},
                       {"by", report::Align::left},
                       {"now on", report::Align::left}});
  const auto or_dash = [](const std::string& text) {
    return text.empty() ? std::string("-") : text;
  };
  bool left = false;
  for (const ScratchShown& pool : pools) {
    const ScratchFound& found = pool.found;
    left = left || (found.state != State::ready && !footprint::by_prefix_alone(found));
    const auto& owner = found.mark.owner;
    table.add({found.name, std::string(footprint::state_name(found.state)), or_dash(found.osds),
               found.pool < 0 ? "-" : std::to_string(found.pg_num), or_dash(found.mark.since),
               owner.pid == 0 ? "-" : fmt::format("pid {} on {}", owner.pid, owner.host),
               pool.pgs ? or_dash(counts_text(*pool.pgs)) : "?"});
  }
  std::string text = table.text(0);
  if (left) text += "\n'radosload cleanup --scratch' removes the rest of a killed 'create'.\n";
  return text;
}

std::string scratch_removed_text(const footprint::ScratchRemovals& removals) {
  if (removals.pools.empty()) return "no scratch pools to remove\n";
  std::string text;
  bool held = false;
  for (const ScratchRemoved& one : removals.pools) {
    text += printable_lines(line_of(one)) + "\n";
    held =
        held || (one.fate == Fate::held && one.state != footprint::ScratchFound::State::rule_only);
  }
  if (held) text += "--force removes it nevertheless, with everything in it.\n";
  return text;
}

}  // namespace radosload::views
