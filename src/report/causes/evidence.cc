#include "report/causes/evidence.h"

#include <algorithm>
#include <cmath>

#include "plan/names.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report::causes {

using record::OsdWindow;
using record::RunRecord;

namespace {

constexpr double ns_in_s = 1e9;

std::string why_undivided(const RunRecord& record, const std::vector<OsdWindow>& windows) {
  const TargetKind target = record.header.plan.target;
  if (!needs_cluster(target)) {
    return fmt::format("OSDs and client: a run with --target {} has no cluster",
                       plan::name_of(target));
  }
  if (target == TargetKind::cephfs && !record.header.plan.pattern.is_data()) {
    return "the MDSs: operations on the names of files are theirs, and their counters are not read";
  }
  if (target == TargetKind::cephfs && record.osds.empty()) {
    return "OSDs: each file is divided into several objects, so it is unknown which OSD serves "
           "which operation; an --object-size that fits into one object lets it be known";
  }
  if (record.header.plan.images.cache) {
    return "operations that librbd's cache answers do not reach the OSDs, so their counters do not "
           "explain them";
  }
  if (windows.empty()) {
    return "the counters of the OSDs are not in the record: give the run an --observer-id whose "
           "key "
           "may ask the OSDs ('radosload auth counters')";
  }
  const auto share = share_of_run(windows);
  if (!share) return "what share of the OSDs' operations was of this run is unknown";
  if (*share >= share_enough) return {};
  return fmt::format(
      "only {} of the operations on these OSDs were of this run, at least {:.0f} % are needed: "
      "measure when other clients are idle",
      share_of_ops_text(share), 100 * share_enough);
}

}  // namespace

Evidence::Evidence(const RunRecord& record) : m_record(record) {
  for (const OsdWindow& window : record.counters) {
    if (window.missing.empty()) m_windows.push_back(window);
  }
  m_undivided = why_undivided(record, m_windows);
  if (!m_undivided.empty()) return;
  for (const TimeParts& parts : time_parts(m_windows, record)) {
    (parts.kind == "write" ? m_write : m_read) = parts;
  }
}

std::vector<std::int32_t> Evidence::osds() const {
  std::vector<std::int32_t> osds;
  for (const OsdWindow& window : m_windows) osds.push_back(window.osd);
  return osds;
}

const record::PoolFacts* Evidence::pool() const {
  const record::Environment& environment = m_record.header.environment;
  const auto& pool = environment.data_pool ? environment.data_pool : environment.pool;
  return pool ? &*pool : nullptr;
}

double Evidence::events(std::string_view timer) const {
  double sum = 0;
  for (const OsdWindow& window : m_windows) {
    const auto found = window.growth.times.find(timer);
    if (found != window.growth.times.end()) sum += static_cast<double>(found->second.count);
  }
  return sum;
}

std::optional<double> Evidence::mean(std::string_view timer) const {
  const double count = events(timer);
  if (count == 0) return std::nullopt;
  double seconds = 0;
  for (const OsdWindow& window : m_windows) {
    const auto found = window.growth.times.find(timer);
    if (found != window.growth.times.end()) seconds += found->second.seconds;
  }
  return seconds * ns_in_s / count;
}

double Evidence::count(std::string_view name) const {
  double sum = 0;
  for (const OsdWindow& window : m_windows) sum += count_of(window, name).value_or(0);
  return sum;
}

std::vector<OsdValue> Evidence::means(std::string_view timer, std::uint64_t least) const {
  std::vector<OsdValue> values;
  for (const OsdWindow& window : m_windows) {
    const auto found = window.growth.times.find(timer);
    if (found == window.growth.times.end() ||
        found->second.count < std::max<std::uint64_t>(1, least))
      continue;
    values.push_back({window.osd, *mean_ns(window, timer)});
  }
  std::sort(values.begin(), values.end(),
            [](const OsdValue& a, const OsdValue& b) { return a.value < b.value; });
  return values;
}

double median_of(const std::vector<OsdValue>& ascending) {
  return ascending.empty() ? 0 : ascending[ascending.size() / 2].value;
}

std::string osds_text(const std::vector<std::int32_t>& osds) {
  constexpr std::size_t most = 4;
  std::vector<std::string> names;
  for (const std::int32_t osd : osds) {
    if (names.size() == most) break;
    names.push_back(fmt::format("osd.{}", osd));
  }
  if (osds.size() > most) {
    return fmt::format("{} and {} more", joined(names, ", "), osds.size() - most);
  }
  if (names.size() < 2) return joined(names, "");
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", joined(names, ", "), last);
}

std::string osds_word(const std::vector<std::int32_t>& osds) {
  std::vector<std::int32_t> sorted = osds;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t last = i;
    while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
    ranges.push_back(last == i ? fmt::format("{}", sorted[i])
                               : fmt::format("{}-{}", sorted[i], sorted[last]));
    i = last + 1;
  }
  return joined(ranges, ",");
}

std::string ns_text(double ns) {
  return human_text(Time(std::llround(ns)));
}

std::string percent_text(double share) {
  const double percent = 100 * share;
  return percent < 10 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

}  // namespace radosload::report::causes
