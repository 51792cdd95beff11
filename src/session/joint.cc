#include "session/joint.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "session/member_figures.h"

#include <fmt/format.h>

namespace radosload::session {

namespace {

using record::Event;
using record::RunFooter;
using record::RunHeader;

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

// What is summed up of a member's footer; the rest is its own.
void add_footer(std::optional<RunFooter>& sum, RunFooter footer, const std::string& who,
                std::size_t most_slowest) {
  const bool first = !sum;
  if (first) {
    sum = footer;
    sum->grade = {};
    sum->warnings.clear();
    sum->routing.reset();
    sum->counters.clear();
    sum->slow_search.reset();
    sum->client_load.reset();
    sum->energy.reset();
  }
  add_grade(sum->grade, footer.grade, who, first);
  for (const std::string& warning : footer.warnings) {
    sum->warnings.push_back(fmt::format("{}: {}", who, warning));
  }
  if (first) return;
  sum->measured = std::max(sum->measured, footer.measured);
  sum->last_answer = std::max(sum->last_answer, footer.last_answer);
  sum->measured_flow += footer.measured_flow;
  sum->unmeasured_flow += footer.unmeasured_flow;
  sum->unissued += footer.unissued;
  sum->client.user_s += footer.client.user_s;
  sum->client.system_s += footer.client.system_s;
  sum->client.peak_rss_mib = std::max(sum->client.peak_rss_mib, footer.client.peak_rss_mib);
  add_verification(sum->verification, footer.verification);
  record::merge_cells(sum->osds, footer.osds);
  sum->slowest.insert(sum->slowest.end(), footer.slowest.begin(), footer.slowest.end());
  std::stable_sort(sum->slowest.begin(), sum->slowest.end(),
                   [](const record::SlowOp& one, const record::SlowOp& other) {
                     return one.response > other.response;
                   });
  sum->slowest.resize(std::min<std::size_t>(sum->slowest.size(), most_slowest));
}

// Of a footer that has been summed up: what says how the member's part ended.
RunFooter end_of(RunFooter footer) {
  footer.osds.clear();
  footer.counters.clear();
  footer.slowest.clear();
  return footer;
}

}  // namespace

void JointRecord::add(MemberLines member) {
  Story story = story_of(std::move(member));
  const bool counted = has_measured(story);
  for (auto& [second, interval] : story.seconds) {
    if (counted) m_rows.add(second, interval);
    interval.osds = {};
  }
  if (counted && story.footer)
    add_footer(m_footer, *story.footer, story.of.who, m_joint.plan.slowest);
  if (story.footer) story.footer = end_of(*std::move(story.footer));
  if (counted && !m_header) m_header = story.header;
  if (story.header) story.header->environment = {};
  m_stories.push_back(std::move(story));
}

bool JointRecord::is_whole() const {
  return std::all_of(m_stories.begin(), m_stories.end(), [](const Story& story) {
    return has_measured(story) && came_to_its_end(story);
  });
}

std::int64_t JointRecord::common_seconds() const {
  std::int64_t end = std::numeric_limits<std::int64_t>::max();
  for (const Story& story : m_stories) {
    if (has_measured(story)) end = std::min(end, story.whole);
  }
  return m_rows.end_of_rows(end);
}

// For a load that ended early: the sum of the intervals, marked as incomplete.
RunFooter JointRecord::footer_of_part(const record::RunRecord& so_far) const {
  RunFooter footer;
  footer.status =
      m_joint.ended.empty() ? record::RunStatus::incomplete : record::RunStatus::interrupted;
  footer.measured = so_far.measured;
  footer.last_answer = so_far.last_answer;
  footer.measured_flow = so_far.measured_flow;
  footer.unmeasured_flow = so_far.unmeasured_flow;
  for (const Story& story : m_stories) {
    if (!has_measured(story) || !story.footer) continue;
    const bool first = footer.ended_by == record::EndedBy::nothing;
    if (first || !record::is_planned(story.footer->ended_by)) {
      footer.ended_by = story.footer->ended_by;
    }
    add_grade(footer.grade, story.footer->grade, story.of.who, first);
    footer.client.user_s += story.footer->client.user_s;
    footer.client.system_s += story.footer->client.system_s;
    footer.client.peak_rss_mib =
        std::max(footer.client.peak_rss_mib, story.footer->client.peak_rss_mib);
  }
  if (m_joint.ended.empty()) footer.ended_by = record::EndedBy::nothing;
  return footer;
}

void JointRecord::say_that_it_is_partial(RunFooter& footer, std::int64_t end) const {
  const auto counted =
      static_cast<std::size_t>(std::count_if(m_stories.begin(), m_stories.end(), has_measured));
  std::string why = fmt::format(
      "the figures are those of the {} seconds that {} in common", end,
      counted == m_stories.size()
          ? "all members have"
          : fmt::format("the {} of {} members with a record have", counted, m_stories.size()));
  if (!m_joint.ended.empty()) why += "; ended by " + m_joint.ended;
  const bool missing = std::any_of(m_stories.begin(), m_stories.end(),
                                   [](const Story& one) { return !one.of.missing.empty(); });
  if (m_joint.ended.empty() || missing) {
    footer.grade.value = std::max(footer.grade.value, record::GradeValue::contaminated);
    footer.grade.reasons.emplace_back("the record is partial: a member is missing");
  }
  footer.warnings.push_back(std::move(why));
}

Result<record::RunRecord> JointRecord::finish() && {
  if (!m_header) {
    return fail({.attempt = "make the joint record of session",
                 .subject = m_joint.session,
                 .reason = m_joint.ended.empty()
                               ? "no member has measured a whole second"
                               : "it was ended before a second was measured: " + m_joint.ended});
  }
  const bool whole = is_whole();
  const std::int64_t end = whole ? std::numeric_limits<std::int64_t>::max() : common_seconds();
  RunHeader header = *std::move(m_header);
  header.run_id = m_joint.run_id;
  header.plan = plan_of_all(m_joint.plan, header.plan);
  record::Folder folder(std::move(header));
  for (const record::Interval& row : m_rows.take(end)) folder.add(row);
  folder.add(Event{.at = Time(0),
                   .kind = session_event,
                   .text = fmt::format("{}, {} members; {}", m_joint.session, m_stories.size(),
                                       skew_text(m_stories))});
  Members own = members_of(m_stories, end);
  for (const Pause& pause : own.pauses) {
    folder.add(Event{.at = pause.at, .kind = pause_event, .text = pause.text});
  }
  RunFooter footer = whole ? *std::move(m_footer) : footer_of_part(folder.record());
  if (!whole) say_that_it_is_partial(footer, end);
  footer.warnings.insert(footer.warnings.begin(), own.warnings.begin(), own.warnings.end());
  footer.members = std::move(own.members);
  folder.add(footer);
  return folder.record();
}

}  // namespace radosload::session
