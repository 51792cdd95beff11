#include "placement/osd_select.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <span>

#include "base/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::placement {

namespace {

using By = OsdTerm::By;

constexpr std::string_view forms =
    "write OSDs as 0,3-5,osd.7,host=NAME,class=hdd,kind=wal or 'all'";
constexpr std::array<std::string_view, 3> keys = {"host", "class", "kind"};

tl::unexpected<Error> not_understood(std::string_view word, std::string reason,
                                     std::string hint = std::string(forms)) {
  return fail({.attempt = fmt::format("read '{}' as OSDs", word),
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

std::string meant(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view near = nearest_word(word, known);
  return near.empty() ? std::string(forms) : fmt::format("did you mean '{}'?", near);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// "7" or "osd.7", and nothing after it.
std::optional<std::int32_t> id_in(std::string_view text) {
  constexpr std::string_view prefix = "osd.";
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  if (text.empty() || text.front() == '-') return {};
  std::int32_t id = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, id);
  if (error != std::errc() || stop != end) return {};
  return id;
}

Result<OsdTerm> parse_numbers(std::string_view word) {
  if (const auto id = id_in(word)) return OsdTerm{.by = By::id, .first = *id, .last = *id};
  const std::size_t dash = word.find('-');
  const auto first = id_in(word.substr(0, dash));
  const auto last = dash == std::string_view::npos ? std::nullopt : id_in(word.substr(dash + 1));
  if (!first || !last) {
    constexpr std::array<std::string_view, 1> words = {"all"};
    return not_understood(word, "it is not the number, range or name of an OSD",
                          meant(word, words));
  }
  if (*last < *first) {
    return not_understood(word, "the range ends before it begins",
                          fmt::format("did you mean '{}-{}'?", *last, *first));
  }
  return OsdTerm{.by = By::range, .first = *first, .last = *last};
}

Result<OsdTerm> parse_kind(std::string_view word, std::string_view name) {
  if (const auto kind = kind_named(name)) return OsdTerm{.by = By::kind, .kind = *kind};
  std::vector<std::string_view> names;
  for (const OsdKind kind : every_kind()) names.push_back(kind_name(kind));
  return not_understood(word, fmt::format("there is no kind '{}'", name),
                        fmt::format("kinds of OSDs are {}", fmt::join(names, ", ")));
}

std::string_view trimmed(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
  return word.substr(0, word.find_last_not_of(' ') + 1);
}

Result<OsdTerm> parse_term(std::string_view word) {
  if (word.empty()) return not_understood(word, "a name between two commas is missing");
  if (word == "all") return OsdTerm{.by = By::all};
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return parse_numbers(word);
  const std::string_view key = word.substr(0, equals);
  const std::string_view name = word.substr(equals + 1);
  if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
    return not_understood(word, fmt::format("OSDs cannot be chosen by '{}'", key),
                          meant(key, keys));
  }
  if (name.empty()) return not_understood(word, "nothing follows the '='");
  if (key == "kind") return parse_kind(word, name);
  return OsdTerm{.by = key == "host" ? By::host : By::device_class, .name = std::string(name)};
}

std::string term_text(const OsdTerm& term) {
  switch (term.by) {
    case By::all:
      return "all";
    case By::id:
      return fmt::format("{}", term.first);
    case By::range:
      return fmt::format("{}-{}", term.first, term.last);
    case By::host:
      return "host=" + term.name;
    case By::device_class:
      return "class=" + term.name;
    case By::kind:
      return fmt::format("kind={}", kind_name(term.kind));
  }
  return {};
}

bool fits(const OsdTerm& term, const Osd& osd) {
  switch (term.by) {
    case By::all:
      return true;
    case By::id:
    case By::range:
      return term.first <= osd.id && osd.id <= term.last;
    case By::host:
      return osd.host() == term.name || osd.hostname == term.name;
    case By::device_class:
      return osd.device_class == term.name;
    case By::kind:
      return osd.kind == term.kind;
  }
  return false;
}

std::string group_text(const std::vector<OsdTerm>& group) {
  std::vector<std::string> words;
  words.reserve(group.size());
  for (const OsdTerm& term : group) words.push_back(term_text(term));
  return fmt::format("{}", fmt::join(words, "/"));
}

// The possible choices, by the term that fits nothing.
std::string what_there_is(By by, const OsdInventory& inventory) {
  std::set<std::string> names;
  std::vector<std::int32_t> ids;
  for (const Osd& osd : inventory.osds) {
    ids.push_back(osd.id);
    if (by == By::host) names.insert(osd.host());
    if (by == By::device_class) names.insert(osd.device_class);
    if (by == By::kind) names.insert(std::string(kind_name(osd.kind)));
  }
  if (by == By::host) return fmt::format("the hosts are {}", fmt::join(names, ", "));
  if (by == By::device_class) return fmt::format("the classes are {}", fmt::join(names, ", "));
  if (by == By::kind) return fmt::format("there are the kinds {}", fmt::join(names, ", "));
  return ids.empty() ? "the cluster has no OSDs" : "there are the OSDs " + ids_text(ids);
}

tl::unexpected<Error> fits_none(const std::vector<OsdTerm>& group, const OsdInventory& inventory) {
  const auto lonely = std::find_if(group.begin(), group.end(), [&](const OsdTerm& term) {
    return std::none_of(inventory.osds.begin(), inventory.osds.end(),
                        [&](const Osd& osd) { return fits(term, osd); });
  });
  const bool together = lonely == group.end();
  return fail({.attempt = "find the OSDs",
               .subject = fmt::format("'{}'", group_text(group)),
               .reason = together ? "no OSD has all of these properties" : "there is no such OSD",
               .hint = together ? "'radosload osds' shows what each is"
                                : what_there_is(lonely->by, inventory),
               .exit = Exit::no_cluster});
}

}  // namespace

Result<OsdSelection> parse_osd_selection(std::string_view text) {
  OsdSelection selection;
  for (const std::string_view word : split(text, ',')) {
    std::vector<OsdTerm> group;
    for (const std::string_view part : split(word, '/')) {
      RADOSLOAD_ASSIGN(auto term, parse_term(trimmed(part)));
      group.push_back(std::move(term));
    }
    selection.groups.push_back(std::move(group));
  }
  return selection;
}

Result<std::vector<std::int32_t>> select_osds(const OsdSelection& selection,
                                              const OsdInventory& inventory) {
  std::set<std::int32_t> ids;
  for (const auto& group : selection.groups) {
    bool any = false;
    for (const Osd& osd : inventory.osds) {
      const bool chosen = std::all_of(group.begin(), group.end(),
                                      [&](const OsdTerm& term) { return fits(term, osd); });
      if (chosen) ids.insert(osd.id);
      any = any || chosen;
    }
    if (!any) return fits_none(group, inventory);
  }
  return std::vector<std::int32_t>(ids.begin(), ids.end());
}

OsdInventory only(OsdInventory inventory, const std::vector<std::int32_t>& ids) {
  std::erase_if(inventory.osds, [&](const Osd& osd) {
    return !std::binary_search(ids.begin(), ids.end(), osd.id);
  });
  return inventory;
}

std::string ids_text(const std::vector<std::int32_t>& ids) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < ids.size();) {
    std::size_t to = from;
    while (to + 1 < ids.size() && ids[to + 1] == ids[to] + 1) ++to;
    // Two neighbours do not make a range.
    if (to < from + 2) to = from;
    parts.push_back(to == from ? fmt::format("{}", ids[from])
                               : fmt::format("{}-{}", ids[from], ids[to]));
    from = to + 1;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace radosload::placement
