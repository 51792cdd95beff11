#include "placement/osd_match.h"

#include <algorithm>
#include <array>
#include <set>

#include "placement/osd_pairing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::placement {

namespace {

using Group = std::vector<const Osd*>;
using Groups = std::map<std::string, std::map<OsdKind, Group>>;  // by class, then kind

Groups groups_of(const OsdInventory& inventory) {
  Groups groups;
  for (const Osd& osd : inventory.osds) {
    if (osd.kind != OsdKind::unknown) groups[osd.device_class][osd.kind].push_back(&osd);
  }
  return groups;
}

std::size_t grave(const std::vector<Confounder>& found) {
  return static_cast<std::size_t>(std::count_if(
      found.begin(), found.end(),
      [](const Confounder& one) { return one.gravity == Confounder::Gravity::unfair; }));
}

void note_unfair(const Osd& a, const Osd& b, std::vector<Confounder> found, KindMatch& match) {
  std::set<std::string> named;
  for (const Confounder& one : found) {
    if (one.gravity == Confounder::Gravity::unfair) named.insert(one.what);
  }
  for (const std::string& what : named) ++match.obstacles[what];
  const auto badness = [](const std::vector<Confounder>& of) {
    return std::pair(grave(of), burden(of));
  };
  if (!match.nearest || badness(found) < badness(match.nearest->found)) {
    match.nearest = OsdPair{a.id, b.id, std::move(found)};
  }
}

std::vector<std::int32_t> ids_of(const Group& group) {
  std::vector<std::int32_t> ids;
  for (const Osd* const osd : group) ids.push_back(osd->id);
  return ids;
}

KindMatch match_groups(const Group& a, const Group& b, const MatchLimits& limits) {
  KindMatch match{.a = a.front()->kind,
                  .b = b.front()->kind,
                  .device_class = a.front()->device_class,
                  .of_a = ids_of(a),
                  .of_b = ids_of(b)};
  std::vector<PossiblePair> possible;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::vector<Confounder> found = confounders(*a[i], *b[j], limits);
      if (fair(found)) {
        possible.push_back({i, j, burden(found)});
      } else {
        note_unfair(*a[i], *b[j], std::move(found), match);
      }
    }
  }
  for (const PossiblePair& pair : pair_off(std::move(possible))) {
    match.pairs.push_back(
        {a[pair.a]->id, b[pair.b]->id, confounders(*a[pair.a], *b[pair.b], limits)});
  }
  if (!match.pairs.empty()) {
    match.nearest.reset();
    match.obstacles.clear();
  }
  return match;
}

std::string what_there_is(const Groups& groups) {
  std::vector<std::string> parts;
  for (const auto& [device_class, kinds] : groups) {
    for (const auto& [kind, group] : kinds) {
      parts.push_back(fmt::format("{} {} {}", group.size(), device_class, kind_name(kind)));
    }
  }
  return parts.empty() ? "no OSD has a known kind"
                       : fmt::format("there are {}", fmt::join(parts, ", "));
}

}  // namespace

Result<std::optional<KindPair>> parse_kinds(std::string_view text) {
  if (text.empty()) return std::optional<KindPair>();
  const std::size_t comma = text.find(',');
  const auto a = kind_named(text.substr(0, comma));
  // Without a comma the second has no name either, and no kind is called so.
  const auto b = kind_named(comma == std::string_view::npos ? "" : text.substr(comma + 1));
  if (a && b && *a != *b) return std::optional(KindPair(*a, *b));
  std::string reason =
      a && b ? "both kinds are the same" : "give two of the kinds plain, wal, db and db+wal";
  return fail({.attempt = fmt::format("match '{}'", text),
               .reason = std::move(reason),
               .hint = "for example --match wal,db; a list of OSDs goes before --match",
               .exit = Exit::usage});
}

Result<std::vector<KindMatch>> match_osds(const OsdInventory& inventory,
                                          const std::optional<KindPair>& kinds,
                                          const MatchLimits& limits) {
  const Groups groups = groups_of(inventory);
  std::vector<KindMatch> matches;
  for (const auto& [device_class, by_kind] : groups) {
    for (const OsdKind a : every_kind()) {
      for (const OsdKind b : every_kind()) {
        const bool wanted = kinds ? *kinds == KindPair(a, b) : a < b;
        const auto of_a = by_kind.find(a);
        const auto of_b = by_kind.find(b);
        if (!wanted || of_a == by_kind.end() || of_b == by_kind.end()) continue;
        matches.push_back(match_groups(of_a->second, of_b->second, limits));
      }
    }
  }
  if (kinds && matches.empty()) {
    return fail({.attempt = fmt::format("match {} with {}", kind_name(kinds->first),
                                        kind_name(kinds->second)),
                 .reason = "no device class has OSDs of both kinds",
                 .hint = what_there_is(groups),
                 .exit = Exit::no_cluster});
  }
  return matches;
}

std::string scope_text(std::size_t pairs) {
  if (pairs == 0) return "nothing can be compared";
  if (pairs == 1) {
    return "one OSD per kind: the result holds for these two OSDs, not for their kinds";
  }
  // The smallest difference that shows, in coefficients of variation between OSDs of a kind.
  struct Power {
    std::size_t pairs;
    std::string_view effect;
  };
  constexpr std::array<Power, 3> powers = {{{8, "1.5"}, {5, "2"}, {3, "3"}}};
  std::string text =
      pairs < 4
          ? fmt::format(
                "{} OSDs per kind: a result for the kinds assumes that OSDs of a kind vary "
                "log-normally; 4 OSDs per kind need no such assumption",
                pairs)
          : fmt::format(
                "{} OSDs per kind: a result for the kinds needs no assumption about how OSDs vary",
                pairs);
  const auto* const power = std::find_if(powers.begin(), powers.end(),
                                         [&](const Power& known) { return pairs >= known.pairs; });
  if (power == powers.end()) return text;
  return text + fmt::format(
                    ". Differences below about {} times the variation between OSDs of a kind stay "
                    "undetected",
                    power->effect);
}

}  // namespace radosload::placement
