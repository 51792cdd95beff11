#include "session/joint.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "session/member_figures.h"
#include "session/story.h"

#include <fmt/format.h>

namespace radosload::session {

namespace {

using record::Event;
using record::RunFooter;
using record::RunHeader;

// The members that have measured anything. The others are only named.
std::vector<const Story*> measured(const std::vector<Story>& stories) {
  std::vector<const Story*> found;
  for (const Story& story : stories) {
    if (has_measured(story)) found.push_back(&story);
  }
  return found;
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
  // Of the blocks of all, of which each member follows those that it uses.
  all->followed = std::max(all->followed, more->followed);
  all->given_up += more->given_up;
  all->acknowledged += more->acknowledged;
  all->read_back += more->read_back;
}

// With the sizes that the images have.
RunPlan plan_of_all(RunPlan plan, const RunPlan& member) {
  plan.pattern.working_set = member.pattern.working_set;
  plan.pattern.object_size = member.pattern.object_size;
  plan.pattern.whole_objects = member.pattern.whole_objects;
  return plan;
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
  sum.energy.reset();
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
  header.plan = plan_of_all(joint.plan, header.plan);
  record::Folder folder(std::move(header));
  fold_seconds(folder, counted, end);

  folder.add(Event{.at = Time(0),
                   .kind = session_event,
                   .text = fmt::format("{}, {} members; {}", joint.session, stories.size(),
                                       skew_text(stories))});
  Members own = members_of(stories, end);

  RunFooter footer = whole ? joint_footer(counted, joint.plan.slowest)
                           : footer_of_part(joint, counted, folder.record());
  if (!whole) {
    const bool all_recorded = counted.size() == stories.size();
    std::string why =
        fmt::format("the figures are those of the {} seconds that {} in common", end,
                    all_recorded ? "all members have"
                                 : fmt::format("the {} of {} members with a record have",
                                               counted.size(), stories.size()));
    if (!joint.ended.empty()) why += "; ended by " + joint.ended;
    const bool missing = std::any_of(members.begin(), members.end(),
                                     [](const MemberLines& one) { return !one.missing.empty(); });
    if (joint.ended.empty() || missing) {
      footer.grade.value = std::max(footer.grade.value, record::GradeValue::contaminated);
      footer.grade.reasons.emplace_back("the record is partial: a member is missing");
    }
    footer.warnings.push_back(std::move(why));
  }
  footer.warnings.insert(footer.warnings.begin(), own.warnings.begin(), own.warnings.end());
  footer.members = std::move(own.members);
  folder.add(footer);
  return folder.record();
}

}  // namespace radosload::session
