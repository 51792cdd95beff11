// The end of a member's part in a session: the member hands in its record, and the leader removes
// the objects and makes the joint record.
#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "footprint/cleanup.h"
#include "footprint/site.h"
#include "session/joint.h"
#include "session/membership.h"

#include <fmt/format.h>

namespace radosload::session {

// Ends when all lines are in the cluster, or the cluster does not accept them. A full pool will not
// change its mind soon.
Status Membership::hand_in() {
  {
    const std::lock_guard lock(m_mutex);
    m_last_lines = true;
  }
  m_news.notify_all();
  constexpr Time limit = std::chrono::seconds(60);
  const Time until = steady_now() + limit;
  bool whole = false;
  wait_for(
      [&] {
        whole = m_lines.empty() && !m_flushing;
        const bool full = m_refused && m_refused->errnum == ENOSPC;
        return whole || full || steady_now() > until;
      },
      "the cluster to take this member's record");
  if (whole) return {};
  const std::lock_guard lock(m_mutex);
  return fail({.attempt = "hand in the record of this member",
               .reason = m_refused ? one_line(*m_refused)
                                   : fmt::format("the cluster did not take it within {}",
                                                 human_text(limit))});
}

bool Membership::is_leaving() const {
  const State& state = m_protocol->state();
  return m_coming.leaves && m_interrupts.count() > 0 && state.step == Step::load &&
         state.ended.empty() && m_protocol->outcome() == Outcome::none;
}

Result<WoundUp> Membership::wind_up(const std::optional<Error>& failed, bool cut_short) {
  Status handed_in;
  if (!failed) handed_in = hand_in();
  WoundUp result;
  bool cancelled = false;  // before this member's own failure
  {
    const std::lock_guard lock(m_mutex);
    cancelled = m_protocol->state().called_off;
    result.left = cut_short && is_leaving();
    if (result.left) {
      m_protocol->leave(fmt::format("{} ({})", left_reason, m_interrupts.name()));
    } else {
      if (failed && !cancelled) m_protocol->fail(one_line(*failed));
      if (!handed_in) m_protocol->fail(one_line(handed_in.error()));
      if (!failed) m_protocol->finish(Step::load);
    }
  }
  m_news.notify_all();
  lead_to_the_end(result, result.left ? "another member to lead" : "the others to finish");
  const std::lock_guard lock(m_mutex);
  const State& state = m_protocol->state();
  const Outcome outcome = m_protocol->outcome();
  result.ended = state.ended;
  result.leader = state.leader;
  if (result.left) {
    const bool heard = outcome == Outcome::left || outcome == Outcome::finished;
    if (!heard) result.unheard = one_line(end_error());
    return result;
  }
  if (failed) return cancelled ? fail(end_error()) : fail(*failed);
  const bool well = outcome == Outcome::finished && !state.called_off;
  if (!well) return fail(end_error());
  return result;
}

// Waits for the end of this member's part, and does what is the leader's work while it leads.
void Membership::lead_to_the_end(WoundUp& result, const char* waits_for) {
  Step done = Step::load;
  const auto mine = [&](Step step) {
    return m_protocol->leads() && m_protocol->step() == step && done < step;
  };
  while (true) {
    wait_for([&] { return mine(Step::clean_up) || mine(Step::report); }, waits_for);
    std::unique_lock lock(m_mutex);
    if (m_protocol->outcome() != Outcome::none || m_interrupts.hurry()) return;
    done = m_protocol->state().step;
    lock.unlock();
    if (done == Step::clean_up) {
      remove_objects();
    } else {
      auto joint = make_joint();
      if (joint) {
        result.joint = *std::move(joint);
      } else {
        m_listener.note(joint.error().message());
      }
    }
    lock.lock();
    m_protocol->finish(done);
    lock.unlock();
    m_news.notify_all();
  }
}

void Membership::remove_objects() {
  footprint::ClusterSite site(m_board->io());
  const auto entry = site.look_up(m_charter.run);
  if (!entry || !entry->manifest) return;
  const footprint::Manifest& manifest = *entry->manifest;
  if (manifest.keep && manifest.state == footprint::State::ready) {
    m_listener.note(
        fmt::format("the {2} are kept: use them with --reuse {0}, remove them with "
                    "'radosload cleanup --pool {1} --run {0}'",
                    manifest.run, manifest.pool,
                    manifest.content == footprint::Content::image ? "images" : "objects"));
    return;
  }
  footprint::CleanupOptions options;
  const Time began = steady_now();
  options.progress = [&](const footprint::CleanupProgress& now) {
    record::Progress progress;
    progress.phase = "clean up";
    progress.elapsed = steady_now() - began;
    if (now.of > 0) progress.done = static_cast<double>(now.done) / static_cast<double>(now.of);
    m_listener.progress(progress);
    get_on();
  };
  options.interrupted = [this] { return m_interrupts.hurry(); };
  const auto removed = footprint::remove_run(site, manifest, options);
  if (removed.fate == footprint::Fate::removed) return;
  m_listener.note(
      fmt::format("not everything that the session created was removed: {}\n  remove the rest with "
                  "'radosload cleanup --pool {}'",
                  removed.detail.empty() ? "interrupted" : removed.detail, m_coming.pool));
}

Result<record::RunRecord> Membership::make_joint() {
  State state;
  {
    const std::lock_guard lock(m_mutex);
    state = m_protocol->state();
  }
  RADOSLOAD_ASSIGN(const auto entries, m_board->entries());
  RunPlan plan = m_charter.plan;
  plan.cluster = m_coming.cluster;
  JointRecord joint({.session = m_coming.session,
                     .run_id = m_charter.run,
                     .plan = std::move(plan),
                     .ended = state.ended});
  for (const MemberId& id : state.roster) {
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&](const Entry& one) { return one.id == id; });
    if (entry == entries.end()) {
      joint.add({.who = id, .lines = {}, .missing = "it is not known any more"});
      continue;
    }
    MemberLines member{.who = entry->who,
                       .lines = {},
                       .missing = {},
                       .start_delay = entry->start_delay,
                       .clock_bound = entry->clock_bound};
    if (const Loss* const loss = state.loss_of(id)) member.missing = loss->reason;
    if (auto lines = m_board->parts_of(*entry)) {
      member.lines = *std::move(lines);
    } else {
      member.missing = one_line(lines.error());
    }
    joint.add(std::move(member));
  }
  return std::move(joint).finish();
}

}  // namespace radosload::session
