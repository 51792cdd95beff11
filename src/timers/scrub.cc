#include "timers/scrub.h"

#include <algorithm>
#include <utility>

#include "observe/fetch_osd_map.h"

#include <fmt/format.h>

namespace radosload::timers {

namespace {

constexpr std::chrono::seconds scrub_poll(1);

// What holds for the whole cluster and keeps scrubs from beginning; empty: nothing known.
std::string cluster_reason(AdminCommands& commands, bool deep) {
  const auto map = observe::fetch_osd_map(commands);
  if (!map) return {};
  for (const std::string& flag : map->flags) {
    if (flag == "noscrub" || (deep && flag == "nodeep-scrub")) {
      return fmt::format("the cluster's flag {} is set", flag);
    }
  }
  const auto left = observe::fetch_recovery(commands);
  if (left && left->copies() > 0) {
    return "recovery is running, and OSDs begin no scrub meanwhile (osd_scrub_during_recovery)";
  }
  return {};
}

// A scrub of another PG that has this OSD in its acting set takes the one slot (osd_max_scrubs).
std::string busy_reason(AdminCommands& commands, std::int32_t osd) {
  const auto pgs = observe::fetch_pgs_on(commands, osd);
  if (!pgs) return {};
  for (const observe::PgTiming& pg : *pgs) {
    if (pg.is("scrubbing")) {
      return fmt::format("osd.{} is scrubbing PG {}; osd_max_scrubs limits how many at once", osd,
                         pg.pgid);
    }
  }
  return {};
}

std::vector<std::string> why_undone(const World& world, std::int32_t osd, bool deep,
                                    const ScrubWatch& watch) {
  std::map<std::string, std::uint64_t> counts;
  std::optional<std::string> shared;  // asked once, and only when it is needed
  for (const observe::PgTiming& pg : watch.undone()) {
    std::string reason;
    if (watch.begun(pg.pgid)) {
      reason = "began, and did not finish";
    } else if (!pg.is("active") || !pg.is("clean")) {
      reason = fmt::format("never began: the state is {}", pg.state);
    } else {
      if (!shared) {
        shared = cluster_reason(world.commands, deep);
        if (shared->empty()) shared = busy_reason(world.commands, osd);
        if (shared->empty()) shared = "they wait in the OSD's queue";
      }
      reason = "never began: " + *shared;
    }
    ++counts[reason];
  }
  std::vector<std::string> reasons;
  reasons.reserve(counts.size());
  for (const auto& [reason, count] : counts) {
    reasons.push_back(fmt::format("{} {}: {}", count, count == 1 ? "PG" : "PGs", reason));
  }
  return reasons;
}

struct Span {
  Time begin{0};
  Time end{0};
};

// The time in at least one of them: several PGs may be scrubbed at once.
Time covered(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  Time sum{0};
  Time until{0};
  for (const Span& span : spans) {
    const Time begin = std::max(span.begin, until);
    if (span.end <= begin) continue;
    sum += span.end - begin;
    until = span.end;
  }
  return sum;
}

Status order_scrub(AdminCommands& commands, std::int32_t osd, bool deep) {
  RADOSLOAD_TRY(commands.mgr(fmt::format(R"({{"prefix": "{}", "who": "{}"}})",
                                         deep ? "osd deep-scrub" : "osd scrub", osd)));
  return {};
}

}  // namespace

ScrubWatch::ScrubWatch(const Pgs& before, bool deep, Time ordered)
    : m_deep(deep), m_ordered(ordered) {
  for (const observe::PgTiming& pg : before) {
    m_pgs[pg.pgid] = {.old_stamp = stamp_of(pg), .last = pg};
  }
}

void ScrubWatch::see(const Pgs& now, Time wall) {
  for (const observe::PgTiming& pg : now) {
    const auto found = m_pgs.find(pg.pgid);
    if (found == m_pgs.end() || found->second.end) continue;
    One& one = found->second;
    one.last = pg;
    const auto stamp = stamp_of(pg);
    if (stamp && stamp != one.old_stamp) {
      // The OSD's clock, unless it cannot be right.
      constexpr Time tolerance = std::chrono::seconds(1);
      const bool credible = *stamp >= m_ordered - tolerance && *stamp <= wall + tolerance;
      one.end = credible ? std::max(*stamp, m_ordered) : wall;
      one.duration = pg.scrub_duration;
      ++m_done;
    } else if (pg.is("scrubbing") && !one.begun) {
      one.begun = wall;
    }
  }
}

ScrubTimes ScrubWatch::times() const {
  ScrubTimes times{.pgs = m_pgs.size(), .done = m_done};
  std::vector<Span> spans;
  std::optional<Time> first;
  std::optional<Time> last;
  for (const auto& [id, one] : m_pgs) {
    std::optional<Time> begun = one.begun;
    if (one.end) {
      last = std::max(last.value_or(*one.end), *one.end);
      if (one.duration) {
        begun = *one.end - *one.duration;
      } else {
        times.error = statistics_lag;
        if (!begun || *begun >= *one.end) {
          begun = *one.end;
          ++times.unseen;
        }
      }
      spans.push_back({.begin = *begun, .end = *one.end});
    }
    if (begun) first = std::min(first.value_or(*begun), *begun);
  }
  times.work = covered(std::move(spans));
  if (first) times.first = std::max(*first - m_ordered, Time{0});
  if (last) times.finished = *last - m_ordered;
  return times;
}

std::vector<observe::PgTiming> ScrubWatch::undone() const {
  std::vector<observe::PgTiming> pgs;
  for (const auto& [id, one] : m_pgs) {
    if (!one.end) pgs.push_back(one.last);
  }
  return pgs;
}

bool ScrubWatch::begun(const std::string& pgid) const {
  const auto found = m_pgs.find(pgid);
  return found != m_pgs.end() && found->second.begun.has_value();
}

Row time_scrub(const World& world, std::int32_t osd, const ScrubWish& wish) {
  Row row{.osd = osd, .began = world.wall()};
  const auto before = observe::fetch_pgs_led_by(world.commands, osd);
  if (!before) {
    row.failure = one_line(before.error());
    return row;
  }
  row.began = world.wall();
  const Time start = world.now();
  ScrubWatch watch(*before, wish.deep, row.began);
  if (const auto ordered = order_scrub(world.commands, osd, wish.deep); !ordered) {
    row.failure = one_line(ordered.error());
    return row;
  }
  while (!watch.done() && !world.interrupted() && world.now() - start < wish.limit) {
    world.sleep(scrub_poll);
    if (const auto now = observe::fetch_pgs_led_by(world.commands, osd)) {
      watch.see(*now, world.wall());
    }
    const ScrubTimes times = watch.times();
    world.progress(fmt::format("osd.{}: {} of {} PGs are scrubbed", osd, times.done, times.pgs));
  }
  row.elapsed = world.now() - start;
  row.scrub = watch.times();
  if (watch.done()) return row;
  row.scrub->waiting = why_undone(world, osd, wish.deep, watch);
  row.failure = fmt::format(
      "{} of {} PGs were not scrubbed {}", row.scrub->pgs - row.scrub->done, row.scrub->pgs,
      world.interrupted() ? "when it was interrupted" : "within " + human_text(wish.limit));
  return row;
}

}  // namespace radosload::timers
