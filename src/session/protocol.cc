#include "session/protocol.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace radosload::session {

namespace {

template <typename... Calls>
struct Overloaded : Calls... {
  using Calls::operator()...;
};
template <typename... Calls>
Overloaded(Calls...) -> Overloaded<Calls...>;

}  // namespace

std::string_view step_name(Step step) {
  constexpr std::array<std::string_view, 8> names = {"gather", "prepare",  "prefill", "ready",
                                                     "load",   "clean up", "report",  "over"};
  return names.at(static_cast<std::size_t>(step));
}

bool State::lists(const MemberId& member) const {
  return std::find(roster.begin(), roster.end(), member) != roster.end();
}

const Loss* State::loss_of(const MemberId& member) const {
  const auto found =
      std::find_if(lost.begin(), lost.end(), [&](const Loss& one) { return one.member == member; });
  return found == lost.end() ? nullptr : &*found;
}

bool State::is_last(const MemberId& member) const {
  return std::all_of(roster.begin(), roster.end(),
                     [&](const MemberId& one) { return one == member || loss_of(one) != nullptr; });
}

Protocol::Protocol(Entry self, bool creates, const Limits& limits, Time now)
    : m_limits(limits),
      m_creates(creates),
      m_self(std::move(self)),
      m_came(now),
      m_contact(now),
      m_state_changed(now),
      m_step_began(now) {}

std::optional<std::uint32_t> Protocol::number() const {
  const auto& roster = m_state.roster;
  const auto found = std::find(roster.begin(), roster.end(), m_self.id);
  if (found == roster.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - roster.begin());
}

// ---- the member's own work ----

void Protocol::finish(Step step) {
  if (step <= m_self.done) return;
  m_self.done = step;
  m_tell = true;
}

void Protocol::reserve_chunks(std::uint64_t chunks) {
  if (chunks <= m_self.chunks) return;
  m_self.chunks = chunks;
  m_tell = true;
}

void Protocol::started(Time delay, Time clock_bound) {
  m_self.start_delay = delay;
  m_self.clock_bound = clock_bound;
  m_tell = true;
}

void Protocol::fail(std::string reason) {
  if (!m_self.failed.empty()) return;
  m_self.failed = std::move(reason);
  m_tell = true;
}

void Protocol::ask_for_end(std::string reason) {
  if (!m_self.wants_end.empty()) return;
  m_self.wants_end = std::move(reason);
  m_tell = true;
}

void Protocol::ask_to_leave(std::string reason) {
  if (m_self.wants_end.empty()) m_self.leaves = true;
  ask_for_end(std::move(reason));
}

void Protocol::leave(std::string reason) {
  m_leaving = true;
  finish(Step::load);
  fail(std::move(reason));
}

// ---- which request comes next ----

std::optional<Request> Protocol::next(Time now) {
  if (m_outcome != Outcome::none) return std::nullopt;
  if (now - m_contact > m_limits.cut_off) {
    end(Outcome::cut_off,
        fmt::format("the cluster has not answered for {}", human_text(m_limits.cut_off)));
    return std::nullopt;
  }
  if (!joined()) return next_of_newcomer(now);
  if (m_tell || now >= m_tell_at) {
    m_tell = false;
    ++m_self.beat;
    m_tell_at = now + tell_every();
    return Tell{m_self};
  }
  const bool strange_clock = m_member && m_self.clock_term != m_state.term;
  if (m_state.step == Step::ready && strange_clock && now >= m_compare_at) {
    m_compare_at = now + m_limits.beat / 2;
    return CompareClocks{m_state.term};
  }
  if (now >= m_look_at) {
    m_look_at = now + look_every();
    return ReadState{};
  }
  return next_of_leader(now);
}

std::optional<Request> Protocol::next_of_newcomer(Time now) {
  if (m_absent && m_creates) {
    m_absent = false;
    State first;
    first.serial = first.term = 1;
    first.leader = m_self.id;
    return Create{std::move(first)};
  }
  if (now < m_look_at) return std::nullopt;
  m_look_at = now + m_limits.beat / 2;
  return ReadState{};
}

bool Protocol::leaderless(Time now) const {
  const bool lost = m_member && m_state.loss_of(m_state.leader) != nullptr;
  return lost || now - m_state_changed > m_limits.leaderless;
}

bool Protocol::hands_over(Time now) const {
  const bool left = m_leaving && leads() && m_state.loss_of(m_self.id) != nullptr;
  return left && !m_state.is_last(m_self.id) && now - m_state_changed <= m_limits.silent;
}

std::optional<Request> Protocol::next_of_leader(Time now) {
  if (!leads() && !m_locked && !leaderless(now)) return std::nullopt;
  if (hands_over(now)) {
    if (!std::exchange(m_locked, false)) return std::nullopt;
    return Release{};
  }
  if (now >= m_lead_at) {
    m_lead_at = now + m_limits.lock / 4;
    return Lead{};
  }
  if (!m_locked) return std::nullopt;
  if (!m_looked) {
    m_looked = true;
    return ReadState{};
  }
  if (!leads()) {
    State mine = m_state;
    mine.leader = m_self.id;
    ++mine.term;
    ++mine.serial;
    return Write{.state = std::move(mine), .over = m_state.serial};
  }
  if (now >= m_count_at) {
    m_count_at = now + look_every() / 2;
    return Count{};
  }
  // Entries that were read before this process was paused do not show which members live now.
  const bool fresh = m_counted && now - m_counted_at <= m_limits.beat;
  m_counted = false;
  if (!fresh) return std::nullopt;
  if (m_state.step == Step::over) {
    const bool farewell = now - m_step_began > m_limits.farewell;
    if (farewell || all_done(m_state, Step::over)) return Remove{};
    return std::nullopt;
  }
  State wanted = decided(now);
  const bool changed = !(wanted == m_state);
  if (!changed && now < m_write_at) return std::nullopt;
  m_write_at = now + m_limits.beat;
  wanted.serial = m_state.serial + 1;
  wanted.joint = counted_rates();
  return Write{.state = std::move(wanted), .over = m_state.serial};
}

Time Protocol::due(Time now) const {
  if (m_tell) return now;
  Time soonest = std::min(m_look_at, joined() ? m_tell_at : m_look_at);
  if (joined() && hands_over(now)) {
    return std::max(m_locked ? now : std::min(soonest, m_state_changed + m_limits.silent), now);
  }
  if (joined() && (leads() || m_locked || leaderless(now))) {
    soonest = std::min(soonest, m_lead_at);
    if (m_locked) soonest = std::min(soonest, m_count_at);
  }
  return std::max(soonest, now);
}

// ---- how the answers change the state ----

void Protocol::answer(const Request& asked, const Answer& answer, Time now) {
  const bool known = answer.kind != Answer::Kind::unknown;
  const bool yes = answer.kind == Answer::Kind::yes;
  if (known) m_contact = now;
  std::visit(Overloaded{
                 [&](const ReadState&) {
                   if (known) take_state(answer.state, now);
                 },
                 [&](const Create&) { m_look_at = Time::min(); },
                 [&](const Tell& tell) {
                   if (!yes) {
                     m_tell_at = now + m_limits.beat / 4;
                     m_look_at = Time::min();
                     return;
                   }
                   m_told = tell.entry;
                   m_registered = true;
                 },
                 [&](const Lead&) {
                   if (!known) return;
                   if (yes && !m_locked) m_looked = false;
                   m_locked = yes;
                 },
                 [](const Release&) {},
                 [&](const Count&) {
                   if (known) take_entries(answer.entries, now);
                 },
                 [&](const Write& write) {
                   if (yes) {
                     take_state(write.state, now);
                   } else {
                     m_look_at = Time::min();
                   }
                 },
                 [&](const CompareClocks& clocks) {
                   if (!yes) {
                     m_look_at = Time::min();
                     return;
                   }
                   m_self.clock_term = clocks.term;
                   m_tell = true;
                 },
                 [&](const Remove&) { end(Outcome::finished, {}); },
             },
             asked);
}

void Protocol::take_state(const std::optional<State>& found, Time now) {
  if (!found) {
    if (!joined()) {
      m_absent = true;
      if (now - m_came > m_limits.gather) {
        end(Outcome::no_session, fmt::format("there was none for {}", human_text(now - m_came)));
      }
      return;
    }
    if (m_leaving) return end(Outcome::left, m_self.failed);
    const bool after_load = m_state.step >= Step::clean_up;
    return end(after_load ? Outcome::finished : Outcome::removed,
               after_load ? "" : "its objects are gone from the pool");
  }
  if (found->serial < m_state.serial) return;
  if (found->serial > m_state.serial) m_state_changed = now;
  if (found->step != m_state.step) m_step_began = now;
  m_state = *found;
  if (m_state.step != Step::gather && !m_state.lists(m_self.id)) {
    return end(Outcome::refused,
               fmt::format("it has begun with {} members without this one", m_state.roster.size()));
  }
  m_member = m_state.step != Step::gather;
  if (!joined()) {
    m_tell_at = now;
    m_registered = true;
    return;
  }
  if (const Loss* const loss = m_state.loss_of(m_self.id)) {
    if (!m_leaving) return end(Outcome::dropped, loss->reason);
    if (!leads()) return end(Outcome::left, loss->reason);
  }
  if (m_state.step != Step::over) return;
  finish(Step::over);
  if (!leads() && m_told.done == Step::over) end(Outcome::finished, {});
}

void Protocol::end(Outcome outcome, std::string reason) {
  m_outcome = outcome;
  m_reason = std::move(reason);
}

void Protocol::take_entries(const std::vector<Entry>& entries, Time now) {
  m_counted = true;
  m_counted_at = now;
  for (const Entry& entry : entries) {
    auto [place, fresh] = m_seen.try_emplace(entry.id, Seen{entry, now, now});
    Seen& seen = place->second;
    if (fresh) continue;
    if (entry.beat != seen.entry.beat) seen.alive = now;
    if (entry.done != seen.entry.done || entry.progress != seen.entry.progress) seen.moved = now;
    seen.entry = entry;
  }
}

const Entry* Protocol::entry_of(const MemberId& member) const {
  const auto found = m_seen.find(member);
  return found == m_seen.end() ? nullptr : &found->second.entry;
}

JointRates Protocol::counted_rates() const {
  JointRates joint;
  for (const MemberId& member : m_state.roster) {
    if (m_state.loss_of(member) != nullptr) continue;
    const Entry* const entry = member == m_self.id ? &m_self : entry_of(member);
    if (entry == nullptr) continue;
    if (++joint.members == 1 || entry->rates.ops < joint.lowest_ops) {
      joint.lowest = entry->who;
      joint.lowest_ops = entry->rates.ops;
    }
    joint.all.ops += entry->rates.ops;
    joint.all.bytes += entry->rates.bytes;
  }
  return joint;
}

std::optional<JointRates> Protocol::joint_rates() const {
  const JointRates joint = leads() ? counted_rates() : m_state.joint;
  if (joint.all == Rates{}) return std::nullopt;
  return joint;
}

}  // namespace radosload::session
