#include "session/member_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "record/ranks.h"
#include "session/protocol.h"

#include <fmt/format.h>

namespace radosload::session {

namespace {

using record::SessionMember;

// Its figures before a second.
record::RunRecord own_record(const Story& story, std::int64_t end) {
  record::Folder own(*story.header);
  for (const auto& [second, interval] : story.seconds) {
    if (second < end) own.add(record::unpacked(interval));
  }
  record::RunRecord record = own.record();
  if (came_to_its_end(story) && end == std::numeric_limits<std::int64_t>::max()) {
    record.measured = story.footer->measured;
  }
  return record;
}

std::optional<Time> exact_time(const record::Ranked& ranked) {
  const auto ns = ranked.exact();
  if (!ns) return std::nullopt;
  return Time(static_cast<Time::rep>(*ns));
}

void add_figures(SessionMember& member, const record::RunRecord& record, const record::Cell& all) {
  const record::Ranks ranks = record::response_ranks(all);
  member.ops = all.ops();
  member.lost = all.lost.ops();
  member.iops = record::iops(record, all);
  member.p50 = exact_time(ranks.percentile(record::p50));
  member.p99 = exact_time(ranks.percentile(record::p99));
}

void add_times(SessionMember& member, const Story& story) {
  const auto first = story.seconds.lower_bound(0);
  if (first != story.seconds.end()) member.from = std::max(Time(0), first->second.bare.start);
  const Time whole = std::chrono::seconds(story.whole);
  member.until = std::max(member.from, came_to_its_end(story) ? story.footer->measured : whole);
}

// Since when the member is missing, and about how much that is.
std::string missing_text(const Story& story) {
  if (story.seconds.empty() || story.whole == 0) return "it recorded nothing";
  double ops = 0;
  for (const auto& [second, interval] : story.seconds) {
    if (second < 0 || second >= story.whole) continue;
    ops += static_cast<double>(record::total_of(record::unpacked(interval).kinds).finished.ops);
  }
  std::string text = fmt::format("it is missing from second {} on", story.whole);
  const Time planned = story.header ? story.header->plan.extent.time : Time(0);
  const double left = seconds(planned) - static_cast<double>(story.whole);
  if (left > 0) {
    text += fmt::format(", which is about {:.0f} operations at its rate until then",
                        std::round(ops / static_cast<double>(story.whole) * left));
  }
  return text;
}

std::string missing_warning(const Story& story) {
  const MemberLines& member = story.of;
  const std::string since = missing_text(story);
  if (member.missing.starts_with(left_reason)) {
    constexpr std::size_t it = 3;
    return fmt::format("{} {}: {}", member.who, member.missing.substr(it), since);
  }
  return fmt::format("{} was lost ({}): {}", member.who, member.missing, since);
}

// An interval should end at the first whole second after its start. If that is late by a second or
// more, the member was not running from somewhere in that second on.
void add_pauses(std::vector<Pause>& pauses, const Story& story, std::int64_t end) {
  for (auto at = story.seconds.lower_bound(0); at != story.seconds.end(); ++at) {
    const record::Interval& interval = at->second.bare;
    if (at->first >= end || interval.length < 2 * one_second) continue;
    const Time due = (interval.start / one_second + 1) * one_second;
    pauses.push_back(
        {.at = interval.start,
         .text = fmt::format("{} stood still for {:.1f} to {:.1f} s at {:.0f} s: it was stopped, "
                             "suspended or without CPU",
                             story.of.who, seconds(interval.end() - due), seconds(interval.length),
                             seconds(interval.start))});
  }
}

// Whether a median is far above that of the others. If it falls among lost operations, it always
// is, although by how much is unknown: more than half of the member's operations were lost.
bool is_far_above(const record::Ranked& own, const record::Ranked& usual) {
  constexpr double stands_out = 1.5;
  if (usual.kind == record::Ranked::Kind::beyond) return false;
  if (own.kind == record::Ranked::Kind::beyond) return true;
  return static_cast<double>(own.ns) > stands_out * static_cast<double>(usual.ns);
}

bool is_known(const record::Ranked& median) {
  return median.kind != record::Ranked::Kind::unknown;
}

// A median that falls among lost operations is longer than any other.
bool is_shorter(const record::Ranked& one, const record::Ranked& other) {
  const auto key = [](const record::Ranked& median) {
    return std::pair(median.kind == record::Ranked::Kind::beyond, median.ns);
  };
  return key(one) < key(other);
}

// Marks the members whose median is far above that of the others.
void mark_outliers(const std::vector<record::Ranked>& medians, Members& members) {
  for (std::size_t i = 0; i < medians.size(); ++i) {
    const record::Ranked& own = medians[i];
    std::vector<record::Ranked> others;
    for (std::size_t other = 0; other < medians.size(); ++other) {
      if (other != i && is_known(medians[other])) others.push_back(medians[other]);
    }
    if (!is_known(own) || others.empty()) continue;
    const auto middle = others.begin() + static_cast<std::ptrdiff_t>((others.size() - 1) / 2);
    std::nth_element(others.begin(), middle, others.end(), is_shorter);
    if (!is_far_above(own, *middle)) continue;
    members.members[i].stands_out = true;
    members.warnings.push_back(fmt::format(
        "{} stands out: its p50 is {}, that of the others {}; look at its CPU and its network",
        members.members[i].who, record::ranked_text(own), record::ranked_text(*middle)));
  }
}

}  // namespace

Members members_of(const std::vector<Story>& stories, std::int64_t end) {
  Members members;
  std::vector<record::Ranked> medians;
  for (const Story& story : stories) {
    const MemberLines& lines = story.of;
    SessionMember member;
    member.number = static_cast<std::uint32_t>(medians.size() + 1);
    member.who = lines.who;
    member.run_id = story.header ? story.header->run_id : "";
    member.missing = lines.missing;
    if (lines.start_delay) {
      member.start_delay = lines.start_delay;
      member.clock_bound = lines.clock_bound;
    }
    record::Ranked median;
    if (has_measured(story)) {
      const record::RunRecord own = own_record(story, end);
      const record::Cell all = record::total_of(own.kinds);
      add_figures(member, own, all);
      add_times(member, story);
      add_pauses(members.pauses, story, end);
      median = record::response_ranks(all).percentile(record::p50);
    }
    if (!lines.missing.empty()) members.warnings.push_back(missing_warning(story));
    medians.push_back(median);
    members.members.push_back(std::move(member));
  }
  std::stable_sort(members.pauses.begin(), members.pauses.end(),
                   [](const Pause& one, const Pause& other) { return one.at < other.at; });
  for (const Pause& pause : members.pauses) members.warnings.push_back(pause.text);
  mark_outliers(medians, members);
  return members;
}

std::string skew_text(const std::vector<Story>& stories) {
  Time earliest = Time::max();
  Time latest = Time::min();
  for (const Story& story : stories) {
    const MemberLines& member = story.of;
    if (!member.start_delay) continue;
    earliest = std::min(earliest, *member.start_delay - member.clock_bound);
    latest = std::max(latest, *member.start_delay + member.clock_bound);
  }
  if (latest < earliest) return "nothing is known of when they began";
  return fmt::format("all began within {}", human_text(latest - earliest));
}

}  // namespace radosload::session
