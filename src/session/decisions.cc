// The leader's part of the Protocol: makes the next State from the members' entries.
#include <algorithm>
#include <utility>

#include "session/protocol.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::session {

namespace {

// A text lists at most this many names.
constexpr std::size_t most_named = 4;

Step after(Step step) {
  return static_cast<Step>(static_cast<std::uint8_t>(step) + 1);
}

// Whether the member has finished the step. A new leader resets this for `ready`, because the
// member must then compare its clock with the new leader's.
bool has_done(const Entry& entry, const State& state, Step step) {
  return entry.done >= step && (step != Step::ready || entry.clock_term == state.term);
}

void call_off(State& state, std::string reason) {
  state.called_off = true;
  state.ended = std::move(reason);
  state.step = Step::clean_up;
}

// The steps in which the loss of a member makes the load impossible.
bool before_load(Step step) {
  return step >= Step::prepare && step < Step::load;
}

// Whether this member's wish ends the load for all. One that only leaves does so if it is the last.
bool ends_load(const Entry& entry, const State& state) {
  if (entry.wants_end.empty()) return false;
  if (!entry.leaves || before_load(state.step)) return true;
  return state.loss_of(entry.id) == nullptr && state.is_last(entry.id);
}

}  // namespace

State Protocol::decided(Time now) const {
  State state = m_state;
  if (state.step == Step::gather) {
    decide_gathering(state, now);
  } else {
    if (state.step <= Step::load) find_lost(state, now);
    decide_step(state, now);
  }
  state.waits_for = waiting_for(state);
  return state;
}

void Protocol::decide_gathering(State& state, Time now) const {
  std::vector<MemberId> here;
  const Entry* ends = nullptr;
  for (const auto& [id, seen] : m_seen) {
    const Entry& entry = seen.entry;
    if (!entry.wants_end.empty()) ends = &entry;
    const bool alive = !entry.gone && now - seen.alive <= m_limits.silent;
    if (alive && entry.failed.empty() && id != m_self.id) here.push_back(id);
  }
  here.insert(here.begin(), m_self.id);
  if (ends != nullptr) {
    state.roster = here;
    return call_off(state, fmt::format("{} at {}", ends->wants_end, ends->who));
  }
  if (here.size() > m_limits.at_most) here.resize(m_limits.at_most);
  const bool waited = now - m_came >= m_limits.gather;
  if (here.size() < m_limits.at_most && !waited) return;
  state.roster = here;
  if (here.size() < m_limits.at_least) {
    return call_off(state, fmt::format("{} of {} members came within {}", here.size(),
                                       m_limits.at_least, human_text(m_limits.gather)));
  }
  state.step = Step::prepare;
}

std::string Protocol::loss_reason(const MemberId& member, const State& state, Time now) const {
  const auto found = m_seen.find(member);
  // This leader has not read the member's entry yet, so the full time limit applies.
  const Time alive = found == m_seen.end() ? m_came : found->second.alive;
  if (found != m_seen.end()) {
    const Entry& entry = found->second.entry;
    if (!entry.failed.empty()) return entry.failed;
    if (has_done(entry, state, state.step)) return {};
    if (entry.gone) return "its process has ended";
    const Time moved = std::max(found->second.moved, m_step_began);
    if (now - moved > m_limits.stuck) {
      return fmt::format("no progress for {}", human_text(m_limits.stuck));
    }
  }
  if (now - std::max(alive, m_came) <= m_limits.silent) return {};
  return fmt::format("no sign of life for {}", human_text(m_limits.silent));
}

void Protocol::find_lost(State& state, Time now) const {
  for (const MemberId& member : state.roster) {
    if (member == m_self.id || state.loss_of(member) != nullptr) continue;
    std::string reason = loss_reason(member, state, now);
    if (reason.empty()) continue;
    state.lost.push_back({.member = member, .step = state.step, .reason = std::move(reason)});
  }
  // A leader that failed before the load calls the session off itself; during the load it is
  // counted as lost like any other member. One that leaves as the last ends the load instead.
  if (state.step != Step::load || m_self.failed.empty() || state.loss_of(m_self.id) != nullptr) {
    return;
  }
  if (m_leaving && state.is_last(m_self.id)) return;
  state.lost.push_back({.member = m_self.id, .step = state.step, .reason = m_self.failed});
}

bool Protocol::all_done(const State& state, Step step) const {
  return std::all_of(state.roster.begin(), state.roster.end(), [&](const MemberId& member) {
    if (state.loss_of(member) != nullptr) return true;
    const Entry* const entry = member == m_self.id ? &m_self : entry_of(member);
    return entry != nullptr && has_done(*entry, state, step);
  });
}

void Protocol::decide_step(State& state, Time now) const {
  if (state.step == Step::clean_up || state.step == Step::report) {
    if (m_self.done < state.step) return;
    state.step = state.called_off || state.step == Step::report ? Step::over : Step::report;
    return;
  }
  for (const MemberId& member : state.roster) {
    const Entry* const entry = member == m_self.id ? &m_self : entry_of(member);
    if (entry == nullptr || !ends_load(*entry, state) || !state.ended.empty()) continue;
    std::string reason = fmt::format("{} at {}", entry->wants_end, entry->who);
    if (before_load(state.step)) return call_off(state, std::move(reason));
    state.ended = std::move(reason);
  }
  if (before_load(state.step)) {
    if (!m_self.failed.empty()) {
      return call_off(state, fmt::format("{}: {}", m_self.who, m_self.failed));
    }
    if (!state.lost.empty()) {
      const Loss& loss = state.lost.front();
      const Entry* const entry = entry_of(loss.member);
      return call_off(
          state, fmt::format("{}: {}", entry == nullptr ? loss.member : entry->who, loss.reason));
    }
  }
  if (!all_done(state, state.step)) return;
  if (state.step == Step::ready) {
    state.start = now + m_limits.start_lead;
    state.start_term = state.term;
  }
  state.step = after(state.step);
}

std::string Protocol::waiting_for(const State& state) const {
  if (state.step == Step::gather) {
    return fmt::format("{} of {} members are there", std::max<std::size_t>(1, m_seen.size()),
                       m_limits.at_most);
  }
  std::vector<std::string> missing;
  std::size_t more = 0;
  for (const MemberId& member : state.roster) {
    const Entry* const entry = member == m_self.id ? &m_self : entry_of(member);
    if (state.loss_of(member) != nullptr ||
        (entry != nullptr && has_done(*entry, state, state.step))) {
      continue;
    }
    if (missing.size() == most_named) {
      ++more;
    } else {
      missing.push_back(entry == nullptr ? member : entry->who);
    }
  }
  if (missing.empty() || state.step >= Step::clean_up) return {};
  return fmt::format("{}{}", fmt::join(missing, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace radosload::session
