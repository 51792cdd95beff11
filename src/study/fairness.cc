#include "study/fairness.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "placement/osd_confounders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::study {

namespace {

constexpr std::string_view unit_of_osd = "osd.";

std::vector<const placement::Osd*> osds_of_arm(const ArmUnits& arm,
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

std::optional<std::int32_t> osd_of_unit(const std::string& unit) {
  if (!unit.starts_with(unit_of_osd)) return std::nullopt;
  std::int32_t osd = -1;
  const char* const end = unit.data() + unit.size();
  const auto read = std::from_chars(unit.data() + unit_of_osd.size(), end, osd);
  return read.ec == std::errc() && read.ptr == end && osd >= 0 ? std::optional(osd) : std::nullopt;
}

Fairness fairness_of(const std::vector<ArmUnits>& arms, const placement::OsdInventory& inventory) {
  Fairness fairness;
  for (std::size_t arm = 1; arm < arms.size(); ++arm) {
    for (const placement::Osd* const osd : osds_of_arm(arms[arm], inventory)) {
      const auto partner = best_partner(*osd, osds_of_arm(arms.front(), inventory));
      if (!partner) continue;
      fairness.unfair = fairness.unfair || !placement::fair(partner->differences);
      for (const placement::Confounder& one : partner->differences) {
        if (one.gravity == placement::Confounder::Gravity::unknown) continue;
        fairness.differences.push_back(confounder_text(*partner->osd, *osd, one));
      }
    }
  }
  return fairness;
}

std::optional<Error> refusal_of(const Fairness& fairness, bool force) {
  if (!fairness.unfair || force) return std::nullopt;
  return Error{
      .attempt = "compare the arms",
      .reason = fmt::format("they differ in more than the question:\n  {}",
                            fmt::join(fairness.differences, "\n  ")),
      .hint =
          "choose OSDs that are alike ('radosload osds --match' finds them), or add --force: "
          "the study then names the differences",
      .exit = Exit::refused};
}

}  // namespace radosload::study
