#include "watch/window_signs.h"

#include <algorithm>

#include "observe/compaction.h"
#include "watch/coverage.h"

#include <fmt/format.h>

namespace radosload::watch {

std::vector<observe::Disturbance> compactions_in(const std::vector<record::OsdWindow>& windows,
                                                 Time start) {
  std::vector<observe::Disturbance> found;
  for (const record::OsdWindow& window : windows) {
    const std::string signs = observe::compaction_signs(window.growth);
    if (signs.empty()) continue;
    found.push_back({.harm = observe::Harm::contaminated,
                     .kind = "compaction",
                     .what = fmt::format("osd.{} compacted RocksDB ({})", window.osd, signs),
                     .osd = window.osd,
                     .from = start + window.from,
                     .to = start + window.to});
  }
  return found;
}

std::vector<observe::Disturbance> resets_in(const std::vector<record::OsdWindow>& windows,
                                            Time start) {
  std::vector<observe::Disturbance> found;
  for (const record::OsdWindow& window : windows) {
    if (window.missing != counters_were_reset) continue;
    found.push_back(
        {.kind = "counters",
         .what = fmt::format("the counters of osd.{} were reset: it has no figures", window.osd),
         .osd = window.osd,
         .from = start + window.from,
         .to = start + window.to});
  }
  return found;
}

std::vector<observe::Disturbance> others_in(const std::vector<record::OsdWindow>& windows,
                                            Time start) {
  constexpr double least = 0.05;
  constexpr double percent = 100;
  const auto others = [](const record::OsdWindow& window) {
    return 1 - record::share_ours(window).value_or(1);
  };
  const auto most = std::max_element(
      windows.begin(), windows.end(),
      [&](const auto& one, const auto& other) { return others(one) < others(other); });
  if (most == windows.end() || others(*most) < least) return {};
  return {{.kind = "share",
           .what = fmt::format("{:.0f} % of the operations on osd.{} were of other clients{}",
                               percent * others(*most), most->osd,
                               windows.size() == 1 ? "" : ", on other OSDs less"),
           .osd = most->osd,
           .from = start + most->from,
           .to = start + most->to}};
}

std::vector<std::string> uncounted_osds(const std::vector<record::OsdWindow>& windows, Time end) {
  std::vector<std::string> lines;
  for (const record::OsdWindow& window : windows) {
    if (!window.missing.empty()) {
      lines.push_back(fmt::format("osd.{} has no figures ({})", window.osd, window.missing));
    } else if (window.from > Coverage::most_between) {
      lines.push_back(
          fmt::format("the figures of osd.{} begin at {:.1f} s", window.osd, seconds(window.from)));
    } else if (end - window.to > Coverage::most_between) {
      lines.push_back(
          fmt::format("the figures of osd.{} end at {:.1f} s", window.osd, seconds(window.to)));
    }
  }
  return lines;
}

}  // namespace radosload::watch
