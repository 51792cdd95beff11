#include "session/joint.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "record/ranks.h"

#include <fmt/format.h>

namespace radosload::session {

namespace {

using record::Event;
using record::Interval;
using record::RunFooter;
using record::RunHeader;

constexpr Time one_second = std::chrono::seconds(1);

// The record of one member, sorted.
struct Story {
  const MemberLines* of = nullptr;
  std::optional<RunHeader> header;
  std::optional<RunFooter> footer;
  std::map<std::int64_t, Interval> seconds;  // by the second of their middle
  std::int64_t whole = 0;                    // measured seconds without a gap, from the first
};

// The second that contains the middle of the interval. Intervals of a warm-up are before zero.
std::int64_t second_of(const Interval& interval) {
  const auto middle = (interval.start + interval.length / 2).count();
  const auto per_second = one_second.count();
  const auto second =
      middle >= 0 ? middle / per_second : -((-middle + per_second - 1) / per_second);
  return interval.start < Time(0) ? std::min<std::int64_t>(second, -1) : second;
}

// The number of seconds from zero on that are recorded without a gap. On a busy machine an interval
// may end late, and the next one is shorter then.
std::int64_t whole_seconds(const std::map<std::int64_t, Interval>& intervals) {
  constexpr Time tolerance = std::chrono::milliseconds(100);
  Time covered{0};
  for (auto at = intervals.lower_bound(0); at != intervals.end(); ++at) {
    if (at->second.start > covered + tolerance) break;
    covered = std::max(covered, at->second.end());
  }
  return (covered + tolerance) / one_second;
}

Story story_of(const MemberLines& member) {
  Story story{.of = &member, .header = {}, .footer = {}, .seconds = {}};
  for (const record::JournalLine& line : member.lines) {
    if (const auto* const header = std::get_if<RunHeader>(&line)) story.header = *header;
    if (const auto* const footer = std::get_if<RunFooter>(&line)) story.footer = *footer;
    const auto* const interval = std::get_if<Interval>(&line);
    if (interval == nullptr) continue;
    const auto [place, fresh] = story.seconds.try_emplace(second_of(*interval), *interval);
    if (!fresh) place->second = record::merge_sequence(place->second, *interval);
  }
  story.whole = whole_seconds(story.seconds);
  return story;
}

bool came_to_its_end(const Story& story) {
  return story.footer && story.of->missing.empty() && record::is_planned(story.footer->ended_by);
}

// The members that have measured anything. The others are only named.
std::vector<const Story*> measured(const std::vector<Story>& stories) {
  std::vector<const Story*> found;
  for (const Story& story : stories) {
    if (story.header && (story.whole > 0 || came_to_its_end(story))) found.push_back(&story);
  }
  return found;
}

void fold_seconds(record::Folder& folder, const std::vector<const Story*>& stories,
                  std::int64_t end) {
  std::map<std::int64_t, Interval> joint;
  for (const Story* const story : stories) {
    for (const auto& [second, interval] : story->seconds) {
      if (second >= end) continue;
      const auto [place, fresh] = joint.try_emplace(second, interval);
      if (!fresh) place->second = record::merge_parallel(place->second, interval);
    }
  }
  for (const auto& [second, interval] : joint) folder.add(interval);
}

// Orders grades from the best to the worst. A run without a grade may have been disturbed, so it
// counts as worse than a clean one.
int badness(record::GradeValue grade) {
  return grade == record::GradeValue::clean          ? 0
         : grade == record::GradeValue::unwatched    ? 1
         : grade == record::GradeValue::contaminated ? 2
                                                     : 3;
}

void add_grade(record::Grade& grade, const record::Grade& more, const std::string& who,
               bool first) {
  if (first || badness(more.value) > badness(grade.value)) grade.value = more.value;
  for (const std::string& reason : more.reasons) {
    const bool known =
        std::any_of(grade.reasons.begin(), grade.reasons.end(),
                    [&](const std::string& one) { return one.find(reason) != std::string::npos; });
    if (!known) grade.reasons.push_back(fmt::format("{}: {}", who, reason));
  }
}

void add_verification(std::optional<Verification>& all, const std::optional<Verification>& more) {
  if (!more) return;
  if (!all) {
    all = more;
    return;
  }
  all->followed += more->followed;
  all->given_up += more->given_up;
  all->acknowledged += more->acknowledged;
  all->read_back += more->read_back;
}

// The sum of the footers, for a load that all members have finished.
RunFooter joint_footer(const std::vector<const Story*>& stories, std::size_t most_slowest) {
  RunFooter sum = *stories.front()->footer;
  sum.grade = {};
  sum.warnings.clear();
  sum.routing.reset();
  sum.counters.clear();
  sum.slow_search.reset();
  sum.client_load.reset();
  for (const Story* const story : stories) {
    const RunFooter& footer = *story->footer;
    const bool first = story == stories.front();
    add_grade(sum.grade, footer.grade, story->of->who, first);
    for (const std::string& warning : footer.warnings) {
      sum.warnings.push_back(fmt::format("{}: {}", story->of->who, warning));
    }
    if (first) continue;
    sum.measured = std::max(sum.measured, footer.measured);
    sum.last_answer = std::max(sum.last_answer, footer.last_answer);
    sum.measured_flow += footer.measured_flow;
    sum.unmeasured_flow += footer.unmeasured_flow;
    sum.unissued += footer.unissued;
    sum.client.user_s += footer.client.user_s;
    sum.client.system_s += footer.client.system_s;
    sum.client.peak_rss_mib = std::max(sum.client.peak_rss_mib, footer.client.peak_rss_mib);
    add_verification(sum.verification, footer.verification);
    record::merge_cells(sum.osds, footer.osds);
    sum.slowest.insert(sum.slowest.end(), footer.slowest.begin(), footer.slowest.end());
  }
  std::stable_sort(sum.slowest.begin(), sum.slowest.end(),
                   [](const record::SlowOp& one, const record::SlowOp& other) {
                     return one.response > other.response;
                   });
  sum.slowest.resize(std::min<std::size_t>(sum.slowest.size(), most_slowest));
  return sum;
}

// For a load that ended early: the sum of the intervals, marked as incomplete.
RunFooter footer_of_part(const JointPlan& joint, const std::vector<const Story*>& stories,
                         const record::RunRecord& so_far) {
  RunFooter footer;
  footer.status =
      joint.ended.empty() ? record::RunStatus::incomplete : record::RunStatus::interrupted;
  footer.measured = so_far.measured;
  footer.last_answer = so_far.last_answer;
  footer.measured_flow = so_far.measured_flow;
  footer.unmeasured_flow = so_far.unmeasured_flow;
  for (const Story* const story : stories) {
    if (!story->footer) continue;
    const bool first = footer.ended_by == record::EndedBy::nothing;
    if (first || !record::is_planned(story->footer->ended_by)) {
      footer.ended_by = story->footer->ended_by;
    }
    add_grade(footer.grade, story->footer->grade, story->of->who, first);
    footer.client.user_s += story->footer->client.user_s;
    footer.client.system_s += story->footer->client.system_s;
    footer.client.peak_rss_mib =
        std::max(footer.client.peak_rss_mib, story->footer->client.peak_rss_mib);
  }
  if (joint.ended.empty()) footer.ended_by = record::EndedBy::nothing;
  return footer;
}

std::string figures_text(const record::RunRecord& record) {
  const record::Cell all = record::total_of(record.kinds);
  const record::Ranks ranks = record::response_ranks(all);
  std::string text =
      fmt::format("{} operations, {:.0f} IOPS, {:.1f} MiB/s, p50 {}, p99 {}", all.ops(),
                  record::iops(record, all), record::mib_per_s(record, all),
                  record::ranked_text(ranks.percentile(record::p50)),
                  record::ranked_text(ranks.percentile(record::p99)));
  if (all.lost.ops() > 0) text += fmt::format(", {} lost", all.lost.ops());
  return text;
}

struct OwnFigures {
  std::string text;
  record::Ranked median;
};

OwnFigures own_figures(const Story& story, std::int64_t end) {
  record::Folder own(*story.header);
  fold_seconds(own, {&story}, end);
  record::RunRecord record = own.record();
  if (story.footer && came_to_its_end(story) && end == std::numeric_limits<std::int64_t>::max()) {
    record.measured = story.footer->measured;
  }
  const record::Cell all = record::total_of(record.kinds);
  return {figures_text(record), record::response_ranks(all).percentile(record::p50)};
}

std::string start_text(const MemberLines& member) {
  if (!member.start_delay) return {};
  return fmt::format("; began {} after the agreed moment, which it knew to {}",
                     human_text(std::max(Time(0), *member.start_delay)),
                     human_text(member.clock_bound));
}

// Describes a missing member: since when it is missing, and what the others did after that.
std::string missing_text(const Story& story) {
  if (story.seconds.empty() || story.whole == 0) return "it recorded nothing";
  double ops = 0;
  for (const auto& [second, interval] : story.seconds) {
    if (second < 0 || second >= story.whole) continue;
    ops += static_cast<double>(record::total_of(interval.kinds).finished.ops);
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

// The largest difference between the members' start times, with the error of their clocks.
std::string skew_text(const std::vector<Story>& stories) {
  Time earliest = Time::max();
  Time latest = Time::min();
  for (const Story& story : stories) {
    const MemberLines& member = *story.of;
    if (!member.start_delay) continue;
    earliest = std::min(earliest, *member.start_delay - member.clock_bound);
    latest = std::max(latest, *member.start_delay + member.clock_bound);
  }
  if (latest < earliest) return "nothing is known of when they began";
  return fmt::format("all began within {}", human_text(latest - earliest));
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

std::vector<std::string> outliers(const std::vector<std::pair<std::string, OwnFigures>>& figures) {
  std::vector<std::string> found;
  for (const auto& [who, own] : figures) {
    std::vector<record::Ranked> others;
    for (const auto& [name, other] : figures) {
      if (name != who && is_known(other.median)) others.push_back(other.median);
    }
    if (!is_known(own.median) || others.empty()) continue;
    std::sort(others.begin(), others.end(), is_shorter);
    const record::Ranked& usual = others[(others.size() - 1) / 2];
    if (!is_far_above(own.median, usual)) continue;
    found.push_back(fmt::format(
        "{} stands out: its p50 is {}, that of the others {}; look at its CPU and its network", who,
        record::ranked_text(own.median), record::ranked_text(usual)));
  }
  return found;
}

}  // namespace

Result<record::RunRecord> joint_record(const JointPlan& joint,
                                       const std::vector<MemberLines>& members) {
  std::vector<Story> stories;
  stories.reserve(members.size());
  for (const MemberLines& member : members) stories.push_back(story_of(member));
  const auto counted = measured(stories);
  if (counted.empty()) {
    return fail({.attempt = "make the joint record of session",
                 .subject = joint.session,
                 .reason = joint.ended.empty()
                               ? "no member has measured a whole second"
                               : "it was ended before a second was measured: " + joint.ended});
  }
  const bool whole = counted.size() == stories.size() &&
                     std::all_of(counted.begin(), counted.end(),
                                 [](const Story* story) { return came_to_its_end(*story); });
  std::int64_t end = std::numeric_limits<std::int64_t>::max();
  if (!whole) {
    for (const Story* const story : counted) end = std::min(end, story->whole);
  }

  RunHeader header = *counted.front()->header;
  header.run_id = joint.run_id;
  header.plan = joint.plan;
  record::Folder folder(std::move(header));
  fold_seconds(folder, counted, end);

  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, OwnFigures>> figures;
  folder.add(Event{.at = Time(0),
                   .kind = session_event,
                   .text = fmt::format("{}, {} members; {}", joint.session, stories.size(),
                                       skew_text(stories))});
  for (const Story& story : stories) {
    const MemberLines& member = *story.of;
    std::string text = member.who;
    if (story.header && (story.whole > 0 || came_to_its_end(story))) {
      figures.emplace_back(member.who, own_figures(story, end));
      text += ": " + figures.back().second.text + start_text(member);
    } else {
      text += ": nothing measured";
    }
    if (!member.missing.empty()) {
      warnings.push_back(
          fmt::format("{} was lost ({}): {}", member.who, member.missing, missing_text(story)));
      text += "; lost: " + member.missing;
    }
    folder.add(Event{.at = Time(0), .kind = member_event, .text = std::move(text)});
  }
  for (std::string& outlier : outliers(figures)) warnings.push_back(std::move(outlier));

  RunFooter footer = whole ? joint_footer(counted, joint.plan.slowest)
                           : footer_of_part(joint, counted, folder.record());
  if (!whole) {
    std::string why = fmt::format(
        "the figures are those of the {} seconds that all members have in "
        "common",
        end);
    if (!joint.ended.empty()) why += "; ended by " + joint.ended;
    if (joint.ended.empty()) {
      footer.grade.value = std::max(footer.grade.value, record::GradeValue::contaminated);
      footer.grade.reasons.emplace_back("the record is partial: a member is missing");
    }
    footer.warnings.push_back(std::move(why));
  }
  footer.warnings.insert(footer.warnings.begin(), warnings.begin(), warnings.end());
  folder.add(footer);
  return folder.record();
}

}  // namespace radosload::session
