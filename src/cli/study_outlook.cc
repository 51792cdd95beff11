#include "cli/study_outlook.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/output.h"
#include "cluster/admin.h"
#include "observe/osds.h"
#include "placement/osd_confounders.h"
#include "report/layout.h"
#include "run/series.h"
#include "views/study_text.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

std::optional<Time> length_of_study(const study::StudyDocument& document,
                                    const StudyRunPlans& plans) {
  Time sum{0};
  for (const study::StudyCell& cell : document.cells) {
    if (document.plan.works[cell.work].what == study::Work::What::timer) return std::nullopt;
    const auto arm = std::find_if(document.plan.arms.begin(), document.plan.arms.end(),
                                  [&](const study::Arm& one) { return one.name == cell.arm; });
    if (arm == document.plan.arms.end()) return std::nullopt;
    const auto place = static_cast<std::size_t>(arm - document.plan.arms.begin());
    const Time length = run::planned_length(plans[place][cell.work]);
    if (length == Time(0)) return std::nullopt;
    sum += length;
  }
  return sum;
}

// What the statistics will not be able to say, however the figures come out.
std::vector<std::string> not_assessable(const study::StudyDocument& document) {
  constexpr std::size_t enough_units = 4;
  std::vector<std::string> lines;
  const bool paired = !document.plan.phases.empty();
  std::size_t fewest = document.units.empty() ? 0 : document.units.front().units.size();
  for (const study::ArmUnits& arm : document.units) fewest = std::min(fewest, arm.units.size());
  if (fewest < 2) {
    lines.push_back(fmt::format(
        "scope this-kind is not assessable: an arm has 1 {}, and 2 are needed; these very ones can "
        "be compared",
        paired ? "unit" : "OSD, pool or image"));
  } else if (fewest < enough_units) {
    lines.push_back(fmt::format(
        "scope this-kind needs an assumption (log-normal figures) with {} units in an arm; with {} "
        "it does not",
        fewest, enough_units));
  }
  if (document.plan.rounds < 2 && !document.plan.probe) {
    lines.emplace_back("scope these-osds is not assessable with 1 round; give 5 or more");
  }
  return lines;
}

std::vector<const placement::Osd*> osds_of_arm(const study::ArmUnits& arm,
                                               const placement::OsdInventory& inventory) {
  std::vector<const placement::Osd*> osds;
  for (const std::string& unit : arm.units) {
    const auto id = osd_of_unit(unit);
    const placement::Osd* const osd = id ? inventory.find(*id) : nullptr;
    if (osd != nullptr) osds.push_back(osd);
  }
  return osds;
}

struct Partner {
  const placement::Osd* osd;
  std::vector<placement::Confounder> differences;
};

// The OSD of the first arm that is most like this one: with that it is compared, in effect.
std::optional<Partner> best_partner(const placement::Osd& osd,
                                    const std::vector<const placement::Osd*>& candidates) {
  std::optional<Partner> best;
  for (const placement::Osd* const candidate : candidates) {
    if (candidate->id == osd.id) return std::nullopt;  // the very same
    auto found = placement::confounders(*candidate, osd);
    const auto rank = [](const std::vector<placement::Confounder>& all) {
      return std::pair(!placement::fair(all), placement::burden(all));
    };
    if (best && rank(best->differences) <= rank(found)) continue;
    best = Partner{.osd = candidate, .differences = std::move(found)};
  }
  return best;
}

std::string confounder_text(const placement::Osd& a, const placement::Osd& b,
                            const placement::Confounder& one) {
  return fmt::format("osd.{} and osd.{} differ in {}: {} / {}{}", a.id, b.id, one.what,
                     one.a.empty() ? "?" : one.a, one.b.empty() ? "?" : one.b,
                     one.gravity == placement::Confounder::Gravity::unfair ? " (unfair)" : "");
}

}  // namespace

Status look_ahead(study::StudyDocument& document, const StudyRunPlans& plans, bool force,
                  bool dry_run) {
  // Phases pair each unit with itself.
  if (document.units.size() < 2 || !document.plan.phases.empty()) return {};
  for (const auto& of_arm : plans) {
    if (!of_arm.front().pins.any()) return {};
  }
  RADOSLOAD_ASSIGN(const auto admin, cluster::Admin::open(plans.front().front().cluster));
  RADOSLOAD_ASSIGN(const auto inventory, observe::fetch_osds(*admin));
  bool unfair = false;
  for (std::size_t arm = 1; arm < document.units.size(); ++arm) {
    for (const placement::Osd* const osd : osds_of_arm(document.units[arm], inventory)) {
      const auto partner = best_partner(*osd, osds_of_arm(document.units.front(), inventory));
      if (!partner) continue;
      unfair = unfair || !placement::fair(partner->differences);
      for (const placement::Confounder& one : partner->differences) {
        if (one.gravity == placement::Confounder::Gravity::unknown) continue;
        document.remarks.push_back(confounder_text(*partner->osd, *osd, one));
      }
    }
  }
  if (!unfair || force || dry_run) return {};
  return fail({.attempt = "compare the arms",
               .reason = "they differ in more than the question:\n  " +
                         report::joined(document.remarks, "\n  "),
               .hint = "choose OSDs that are alike ('radosload osds --match' finds them), or add "
                       "--force: the study then names the differences",
               .exit = Exit::refused});
}

Result<Exit> show_outlook(const study::StudyDocument& document, const StudyRunPlans& plans) {
  views::StudyOutlook outlook{.document = document,
                              .length = length_of_study(document, plans),
                              .space = {},
                              .lacking = not_assessable(document)};
  return print_text(views::outlook_text(outlook));
}

}  // namespace radosload::cli
