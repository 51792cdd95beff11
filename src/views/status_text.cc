#include "views/status_text.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "radosload/printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::views {

namespace {

using observe::ClusterStatus;
using placement::Pool;

std::string counted(const auto& counts) {
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [name, count] : counts) {
    parts.push_back(fmt::format("{} {}", count, printable(name)));
  }
  return parts.empty() ? "unknown" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string versions_text(const ClusterStatus& status) {
  std::vector<std::string> parts;
  for (const auto& [version, daemons] : status.versions) {
    const std::string shown = printable(version);
    parts.push_back(status.versions.size() == 1 ? shown
                                                : fmt::format("{} ({} daemons)", shown, daemons));
  }
  return parts.empty() ? "unknown" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string kind_text(const Pool& pool) {
  if (!pool.erasure) return fmt::format("{} x, min {}", pool.size, pool.min_size);
  return fmt::format("EC {}+{}{}", pool.k, pool.m, pool.overwrites ? "" : ", append only");
}

std::string space_text(const std::optional<Bytes>& bytes) {
  return bytes ? human_text(*bytes) : "?";
}

void append_pools(const ClusterStatus& status, std::string& text) {
  if (status.osdmap.pools.empty()) return;
  std::size_t width = 4;
  for (const Pool& pool : status.osdmap.pools) width = std::max(width, printable(pool.name).size());
  auto out = std::back_inserter(text);
  fmt::format_to(out, "\n{:<{}}  {:<20}  {:>6}  {:>10}  {:>10}\n", "pool", width, "kind", "PGs",
                 "stored", "free");
  for (const Pool& pool : status.osdmap.pools) {
    fmt::format_to(out, "{:<{}}  {:<20}  {:>6}  {:>10}  {:>10}{}\n", printable(pool.name), width,
                   kind_text(pool), pool.pg_num, space_text(pool.stored),
                   space_text(pool.max_avail), pool.full ? "  FULL" : "");
  }
}

void append_distortions(const ClusterStatus& status, std::string& text) {
  auto out = std::back_inserter(text);
  const auto found = observe::distortions(status);
  if (found.empty() && status.unseen.empty()) {
    fmt::format_to(out, "\nNothing found that would distort a run.\n");
  }
  if (!found.empty()) fmt::format_to(out, "\nThese may distort a run now:\n");
  for (const auto& distortion : found) {
    fmt::format_to(out, "  - {}\n", printable(distortion.what));
    if (!distortion.advice.empty()) fmt::format_to(out, "    {}\n", printable(distortion.advice));
  }
  if (!status.unseen.empty()) fmt::format_to(out, "\nNot available:\n");
  for (const std::string& part : status.unseen) {
    fmt::format_to(out, "  - {}\n", printable_lines(part));
  }
}

}  // namespace

std::string status_text(const ClusterStatus& status) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "cluster   {}\n", printable(status.fsid));
  fmt::format_to(out, "health    {}\n", printable(status.health));
  fmt::format_to(out, "version   {}\n", versions_text(status));
  fmt::format_to(out, "mons      {} of {} in quorum ({})\n", status.quorum.size(), status.mons,
                 printable(fmt::format("{}", fmt::join(status.quorum, ", "))));
  fmt::format_to(out, "mgr       {}\n", status.mgr_available ? "available" : "not available");
  fmt::format_to(out, "osds      {} up, {} in, of {}; map epoch {}\n", status.osds_up,
                 status.osds_in, status.osds, status.osdmap_epoch);
  fmt::format_to(out, "PGs       {}\n", counted(status.pg_states));
  fmt::format_to(out, "space     {} free of {}\n", human_text(status.available),
                 human_text(status.total));
  append_pools(status, text);
  append_distortions(status, text);
  return text;
}

}  // namespace radosload::views
