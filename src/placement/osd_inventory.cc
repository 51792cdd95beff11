#include "placement/osd_inventory.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "placement/osd_settings.h"
#include "placement/pgs_brief.h"
#include "placement/space_view.h"

namespace radosload::placement {

namespace {

constexpr std::array<std::pair<OsdKind, std::string_view>, 4> kind_names = {
    {{OsdKind::plain, "plain"},
     {OsdKind::wal, "wal"},
     {OsdKind::db, "db"},
     {OsdKind::db_wal, "db+wal"}}};

// Of a const inventory a const OSD, of another one that can be filled in.
auto* find_in(auto& inventory, std::int32_t id) {
  const auto found =
      std::lower_bound(inventory.osds.begin(), inventory.osds.end(), id,
                       [](const Osd& osd, std::int32_t wanted) { return osd.id < wanted; });
  return found == inventory.osds.end() || found->id != id ? nullptr : &*found;
}

// The id in "osd.12"; the rest of the text stays in `text`.
std::optional<std::int32_t> take_name(std::string_view& text) {
  constexpr std::string_view prefix = "osd.";
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (!text.starts_with(prefix)) return {};
  std::int32_t id = -1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, id);
  if (error != std::errc() || id < 0) return {};
  text = {stop, static_cast<std::size_t>(end - stop)};
  return id;
}

}  // namespace

std::string_view kind_name(OsdKind kind) {
  for (const auto& [known, name] : kind_names) {
    if (known == kind) return name;
  }
  return "?";
}

std::optional<OsdKind> kind_named(std::string_view name) {
  for (const auto& [kind, known] : kind_names) {
    if (known == name) return kind;
  }
  return {};
}

std::vector<OsdKind> every_kind() {
  std::vector<OsdKind> all;
  all.reserve(kind_names.size());
  for (const auto& [kind, name] : kind_names) all.push_back(kind);
  return all;
}

const std::string& Osd::host() const {
  const auto found = location.find("host");
  return found == location.end() ? hostname : found->second;
}

const Osd* OsdInventory::find(std::int32_t id) const {
  return find_in(*this, id);
}

Status parse_osd_fill(const std::string& json, OsdInventory& into) {
  RADOSLOAD_ASSIGN(const auto usage, parse_osd_df(json));
  for (const OsdUsage& used : usage) {
    Osd* const osd = find_in(into, used.id);
    // A down OSD that is out has no figures.
    if (osd == nullptr || used.total.count == 0) continue;
    // What is available is on the main drive alone, and so is its size in the metadata.
    const Bytes size = osd->data.size.count > 0 ? osd->data.size : used.total;
    const auto share = static_cast<double>(used.available.count) / static_cast<double>(size.count);
    osd->fill = std::clamp(1 - share, 0.0, 1.0);
  }
  return {};
}

Status parse_osd_pgs(const std::string& json, OsdInventory& into) {
  std::map<std::int32_t, std::pair<std::uint32_t, std::uint32_t>> counts;
  std::uint64_t pgs = 0;
  const auto take = [&](const BriefPg& pg) {
    ++pgs;
    for (const std::int32_t osd : pg.acting) ++counts[osd].first;
    ++counts[pg.primary].second;
  };
  if (auto read = read_pgs_brief(json, take); !read) return read;
  // A manager that has just started has no list yet. That is not the same as no PGs.
  if (pgs == 0) {
    return fail(
        {.attempt = "count the PGs", .reason = "the mgr lists no PGs", .exit = Exit::no_cluster});
  }
  for (Osd& osd : into.osds) {
    const auto [all, first] = counts[osd.id];
    osd.pgs = all;
    osd.primaries = first;
  }
  return {};
}

Status parse_osd_settings(const std::string& json, OsdInventory& into) {
  RADOSLOAD_ASSIGN(const auto options, parse_config_dump(json));
  for (Osd& osd : into.osds) {
    osd.settings = settings_of(osd, options);
    const bool disk = osd.data.rotational.value_or(osd.device_class == "hdd");
    for (const bool of_disks : {true, false}) {
      const auto found = osd.settings.find(of_disks ? "osd_mclock_max_capacity_iops_hdd"
                                                    : "osd_mclock_max_capacity_iops_ssd");
      if (found == osd.settings.end()) continue;
      if (of_disks == disk) osd.mclock_iops = number_in(found->second);
      osd.settings.erase(found);
    }
  }
  into.settings_seen = true;
  return {};
}

void note_complaints(const std::string& code, const std::vector<std::string>& details,
                     OsdInventory& into) {
  for (const std::string& detail : details) {
    std::string_view rest = detail;
    const auto id = take_name(rest);
    Osd* const osd = id ? find_in(into, *id) : nullptr;
    if (osd == nullptr) continue;
    rest.remove_prefix(std::min(rest.find_first_not_of(" :,"), rest.size()));
    osd->complaints[code] = rest;
  }
}

}  // namespace radosload::placement
