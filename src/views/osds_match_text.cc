// The text of `radosload osds --match`.

#include <algorithm>
#include <set>

#include "radosload/printable.h"

#include "placement/osd_select.h"
#include "report/layout.h"
#include "views/osds_text.h"

#include <fmt/format.h>

namespace radosload::views {

namespace {

using placement::Confounder;
using placement::KindMatch;
using placement::OsdPair;
using Gravity = Confounder::Gravity;

constexpr std::size_t match_label_width = 10;
constexpr std::size_t match_indent = 2;

std::string match_line(std::string_view label, const std::string& text) {
  return report::paragraph(label, text, match_indent, match_label_width);
}

// Properties that are unknown for every pair; the text lists them once, below the pairs.
std::set<std::string> never_known(const KindMatch& match) {
  std::set<std::string> names;
  const std::vector<OsdPair> shown =
      match.nearest ? std::vector<OsdPair>{*match.nearest} : match.pairs;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    std::set<std::string> here;
    for (const Confounder& one : shown[i].found) {
      if (one.gravity == Gravity::unknown) here.insert(one.what);
    }
    if (i == 0) names = here;
    std::erase_if(names, [&](const std::string& name) { return !here.contains(name); });
  }
  return names;
}

std::string found_text(const OsdPair& pair, const std::set<std::string>& said_once) {
  std::vector<std::string> parts;
  for (const Confounder& one : pair.found) {
    if (one.gravity != Gravity::unknown) {
      parts.push_back(fmt::format("{} {} v {}", one.what, one.a, one.b));
    } else if (!said_once.contains(one.what)) {
      parts.push_back(one.what + " not known");
    }
  }
  return parts.empty() ? "no difference found" : report::joined(parts, "; ");
}

std::string name_of(const OsdPair& pair) {
  return fmt::format("osd.{} osd.{}", pair.a, pair.b);
}

std::string head_of(const KindMatch& match) {
  const auto number = [](std::size_t count) { return report::grouped(count); };
  return fmt::format(
      "{} against {}{}: {} of {} {} and {} {} OSDs\n", placement::kind_name(match.a),
      placement::kind_name(match.b),
      match.device_class.empty() ? "" : ", class " + printable(match.device_class),
      match.pairs.empty() ? "no fair pair" : report::counted(match.pairs.size(), "fair pair"),
      number(match.of_a.size()), placement::kind_name(match.a), number(match.of_b.size()),
      placement::kind_name(match.b));
}

std::vector<std::int32_t> left_over(const std::vector<std::int32_t>& all,
                                    const std::vector<OsdPair>& pairs,
                                    std::int32_t OsdPair::*side) {
  std::vector<std::int32_t> rest = all;
  std::erase_if(rest, [&](std::int32_t id) {
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](const OsdPair& pair) { return pair.*side == id; });
  });
  return rest;
}

std::string pairs_text(const KindMatch& match, const std::set<std::string>& unknown) {
  std::size_t width = 4;
  for (const OsdPair& pair : match.pairs) width = std::max(width, name_of(pair).size());
  std::string text =
      report::paragraph("pair", "differences that may distort it", match_indent, width + 2);
  for (const OsdPair& pair : match.pairs) {
    text += report::paragraph(name_of(pair), found_text(pair, unknown), match_indent, width + 2);
  }
  std::vector<std::string> parts;
  for (const auto& [kind, rest] :
       {std::pair(match.a, left_over(match.of_a, match.pairs, &OsdPair::a)),
        std::pair(match.b, left_over(match.of_b, match.pairs, &OsdPair::b))}) {
    if (!rest.empty()) {
      parts.push_back(fmt::format("{} {}", placement::kind_name(kind), placement::ids_text(rest)));
    }
  }
  if (!parts.empty()) text += "\n" + match_line("unpaired", report::joined(parts, "; "));
  return text;
}

std::string obstacles_text(const KindMatch& match, const std::set<std::string>& unknown) {
  const std::size_t possible = match.of_a.size() * match.of_b.size();
  std::vector<std::pair<std::size_t, std::string>> sorted;
  for (const auto& [what, count] : match.obstacles) sorted.emplace_back(count, what);
  std::sort(sorted.rbegin(), sorted.rend());
  std::vector<std::string> parts;
  parts.reserve(sorted.size());
  for (const auto& [count, what] : sorted) {
    parts.push_back(fmt::format("{} in {}", what, report::grouped(count)));
  }
  std::string text =
      match_line("obstacles", fmt::format("{} of {}", report::joined(parts, ", "),
                                          report::counted(possible, "possible pair")));
  if (match.nearest) {
    text +=
        match_line("nearest", fmt::format("osd.{} and osd.{}: {}", match.nearest->a,
                                          match.nearest->b, found_text(*match.nearest, unknown)));
  }
  return text;
}

std::string match_text(const KindMatch& match) {
  const std::set<std::string> unknown = never_known(match);
  std::string text = head_of(match) + "\n";
  text += match.pairs.empty() ? obstacles_text(match, unknown) : pairs_text(match, unknown);
  if (!unknown.empty()) {
    text += match_line("unknown", report::joined({unknown.begin(), unknown.end()}, ", "));
  }
  return text + match_line("scope", placement::scope_text(match.pairs.size()));
}

}  // namespace

std::string matches_text(const placement::OsdInventory& inventory,
                         const std::vector<KindMatch>& matches) {
  std::string text;
  for (const KindMatch& match : matches) text += match_text(match) + "\n";
  if (matches.empty()) {
    text += "No two kinds of OSD share a device class: there is nothing to match.\n";
  } else {
    text +=
        "Not compared, since Ceph does not know them: age and wear of the drives, controllers, "
        "cables,\nthe network of the hosts.\n";
  }
  std::vector<std::int32_t> kindless;
  for (const placement::Osd& osd : inventory.osds) {
    if (osd.kind == placement::OsdKind::unknown) kindless.push_back(osd.id);
  }
  if (!kindless.empty()) {
    text +=
        fmt::format("Left out, since their kind is unknown: {}\n", placement::ids_text(kindless));
  }
  return text + unseen_text(inventory);
}

}  // namespace radosload::views
