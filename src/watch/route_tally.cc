#include "watch/route_tally.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::watch {

namespace {

void add_stray(record::Routing& routing, std::int32_t meant, std::int32_t sent,
               std::uint64_t count) {
  for (record::Stray& known : routing.strays) {
    if (known.meant != meant || known.sent != sent) continue;
    known.count += count;
    return;
  }
  routing.strays.push_back({meant, sent, count});
}

std::string stray_text(const record::Stray& stray) {
  if (stray.meant == no_osd) {
    return fmt::format("{} to osd.{}, on objects that were not chosen", stray.count, stray.sent);
  }
  return fmt::format("{} to osd.{} instead of osd.{}", stray.count, stray.sent, stray.meant);
}

std::string strays_text(const record::Routing& routing) {
  constexpr std::size_t most = 3;
  std::vector<std::string> texts;
  for (const record::Stray& stray : routing.strays) {
    if (texts.size() < most) texts.push_back(stray_text(stray));
  }
  if (routing.strays.size() > most) {
    texts.push_back(fmt::format("{} more routes", routing.strays.size() - most));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

void RouteTally::add(std::uint32_t pg, std::int32_t home, std::int32_t sent) {
  const bool known = m_pinned.empty() || m_pinned.contains(home);
  const std::int32_t meant = known ? home : no_osd;
  if (meant != no_osd) ++m_seen[meant].sampled;
  if (meant == sent) {
    ++m_seen[meant].there;
  } else {
    ++m_elsewhere[{pg, meant, sent}];
  }
}

void RouteTally::put_into(record::Routing& routing, const std::set<std::uint32_t>& moved) const {
  routing.samples += m_samples;
  for (const auto& [osd, seen] : m_seen) {
    record::OsdRoute& route = route_of(routing, osd);
    route.sampled += seen.sampled;
    route.there += seen.there;
  }
  for (const auto& [way, count] : m_elsewhere) {
    const auto& [pg, meant, sent] = way;
    if (!moved.contains(pg)) {
      add_stray(routing, meant, sent, count);
      continue;
    }
    routing.remapped += count;
    if (meant != no_osd) route_of(routing, meant).sampled -= count;
  }
}

record::OsdRoute& route_of(record::Routing& routing, std::int32_t osd) {
  const auto place = std::lower_bound(
      routing.osds.begin(), routing.osds.end(), osd,
      [](const record::OsdRoute& route, std::int32_t id) { return route.osd < id; });
  if (place != routing.osds.end() && place->osd == osd) return *place;
  return *routing.osds.insert(place, record::OsdRoute{.osd = osd, .served = {}});
}

void add_sent(record::Routing& routing, const std::vector<record::Cell>& measured,
              const std::map<std::int32_t, record::Ended>& unmeasured) {
  for (const record::Cell& cell : measured) {
    // A flush is for the client's cache, and a pair is counted as its write.
    const bool elsewhere = cell.kind == OpKind::flush || cell.kind == OpKind::sync;
    if (cell.osd == no_osd || elsewhere) continue;
    record::OsdRoute& route = route_of(routing, cell.osd);
    route.sent += cell.ops() + cell.failed() + cell.cancelled;
    route.answered += cell.ops();
  }
  for (const auto& [osd, ended] : unmeasured) {
    record::OsdRoute& route = route_of(routing, osd);
    route.sent += ended.all;
    route.answered += ended.well;
  }
}

record::Grade grade_of(const record::Routing& routing, bool pinned) {
  using record::GradeValue;
  record::Grade grade;
  if (const std::uint64_t strays = record::strayed(routing); strays > 0) {
    grade.value = pinned ? GradeValue::void_run : GradeValue::contaminated;
    grade.reasons.push_back(fmt::format("of {} sampled operations, {} went to other OSDs: {}",
                                        record::sampled(routing), strays, strays_text(routing)));
  }
  for (const record::OsdRoute& route : routing.osds) {
    if (!route.served || route.served->op >= route.answered) continue;
    grade.value = std::max(grade.value, GradeValue::contaminated);
    grade.reasons.push_back(
        fmt::format("osd.{} counted {} operations but answered {} of this run: it was restarted, "
                    "or other OSDs served them",
                    route.osd, route.served->op, route.answered));
  }
  return grade;
}

}  // namespace radosload::watch
