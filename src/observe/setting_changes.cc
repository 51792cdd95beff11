// Settings that were changed in the middle of a measurement: those that the mons keep, and those of
// pools.

#include <algorithm>
#include <string_view>

#include "observe/disturbances.h"
#include "observe/json.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

// "osd.3" -> 3
std::optional<std::int32_t> osd_in(std::string_view section) {
  constexpr std::string_view lead = "osd.";
  if (!section.starts_with(lead)) return std::nullopt;
  std::int32_t osd = 0;
  for (const char digit : section.substr(lead.size())) {
    constexpr std::int32_t most = 1'000'000;
    if (digit < '0' || digit > '9' || osd > most) return std::nullopt;
    osd = 10 * osd + (digit - '0');
  }
  return osd;
}

std::string change_text(const std::string& name, const std::string& before,
                        const std::string& after) {
  const auto shown = [](const std::string& value) {
    return value.empty() ? std::string("its default") : value;
  };
  return fmt::format("{} became {}, from {}", name, shown(after), shown(before));
}

}  // namespace

std::string config_log_command(std::uint64_t count) {
  return Json{{"prefix", "config log"}, {"num", count}, {"format", "json"}}.dump();
}

Result<std::vector<SettingChange>> parse_config_log(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto log, ceph_json::parse_array("config log", json));
  std::vector<SettingChange> changes;
  for (const Json& entry : log) {
    const std::uint64_t version = number(entry, "version");
    const Json& changed = member(entry, "changes");
    // The first version of all has no changes.
    if (!changed.is_array() || changed.empty()) changes.push_back({.version = version});
    for (const Json& one : changed) {
      // "osd/osd_max_scrubs", "osd/class:hdd/osd_recovery_sleep", "mgr/mgr/balancer/active"
      const std::string path = text(one, "name");
      const std::size_t mask_end =
          path.find(':') == std::string::npos ? path.find('/') : path.find('/', path.find(':'));
      const std::size_t end = std::min(mask_end, path.size());
      changes.push_back({.version = version,
                         .section = path.substr(0, end),
                         .name = path.substr(std::min(end + 1, path.size())),
                         .before = text(one, "previous_value"),
                         .after = text(one, "new_value")});
    }
  }
  return changes;
}

bool Disturbances::concerns(const SettingChange& change) const {
  const std::string_view section = change.section;
  const std::string_view who = section.substr(0, section.find('/'));
  if (const auto osd = osd_in(who)) return m_measured.osds.contains(*osd);
  if (who == "mds" || who.starts_with("mds.")) return m_measured.file_system >= 0;
  // Those of mons and mgr serve no operation; what the balancer does is seen by what it moves.
  return who == "global" || who == "osd" || (who == "client" && !m_measured.counters_only);
}

void Disturbances::add(const std::vector<SettingChange>& changes, Time at) {
  std::uint64_t newest = m_settings.value_or(0);
  for (const SettingChange& change : changes) {
    newest = std::max(newest, change.version);
    // What was set before the first look is how the run began.
    if (!m_settings || change.version <= *m_settings || !concerns(change)) continue;
    note({.harm = Harm::contaminated,
          .kind = "setting",
          .what = change_text(fmt::format("the setting {} of {}", change.name, change.section),
                              change.before, change.after),
          .from = at});
  }
  m_settings = newest;
}

void Disturbances::compare_settings(const placement::Pool& before, const placement::Pool& now,
                                    Time at) {
  const auto value_in = [](const placement::Pool& pool, const std::string& name) {
    const auto found = pool.settings.find(name);
    return found == pool.settings.end() ? std::string() : found->second;
  };
  std::set<std::string> names;
  for (const placement::Pool* const pool : {&before, &now}) {
    for (const auto& [name, value] : pool->settings) names.insert(name);
  }
  for (const std::string& name : names) {
    const std::string then = value_in(before, name);
    const std::string later = value_in(now, name);
    if (then == later) continue;
    note({.harm = Harm::contaminated,
          .kind = "setting",
          .what = change_text(fmt::format("{} of pool {}", name, now.name), then, later),
          .from = at});
  }
}

}  // namespace radosload::observe
