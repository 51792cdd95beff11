#include "watch/counter_window.h"

#include <utility>

#include "observe/fetch_osd_map.h"
#include "observe/osd_counters.h"
#include "watch/ask_osds.h"
#include "watch/window_signs.h"

#include <fmt/format.h>

namespace radosload::watch {

namespace {

// The period of ticks. A tick may be a little late, but never early.
constexpr Time tick = std::chrono::seconds(1);

// Why the OSD is not the same process as before; empty: it is the same.
std::string change_of(std::int32_t osd, const placement::OsdMap& before,
                      const placement::OsdMap& after) {
  const auto then = before.identities.find(osd);
  const auto now = after.identities.find(osd);
  if (then == before.identities.end() || now == after.identities.end()) {
    return fmt::format("osd.{} is not in the osdmap", osd);
  }
  if (!now->second.up) return fmt::format("osd.{} was down at the end", osd);
  if (then->second.nonce != now->second.nonce) return fmt::format("osd.{} was restarted", osd);
  if (then->second != now->second) return fmt::format("osd.{} was down for a time", osd);
  return {};
}

}  // namespace

CounterWindow::CounterWindow(std::shared_ptr<AdminCommands> commands,
                             std::vector<std::int32_t> osds, Time planned)
    : m_commands(std::move(commands)),
      m_dumps(std::make_unique<OsdDumps>(m_commands)),
      m_osds(std::move(osds)),
      m_planned(planned) {
  m_poll.emplace(Time(0), [this] { return read_all(); });
}

void CounterWindow::begin() {
  if (auto kinds = observe::fetch_kinds(*m_commands, m_osds)) m_kinds = std::move(*kinds);
  m_begin = observe::fetch_osd_map(*m_commands);
}

void CounterWindow::enter(Phase phase, Time now) {
  m_measuring = phase == Phase::measure;
  if (m_measuring) {
    m_start = now;
    m_next = now;
    poll(now);
  } else if (phase == Phase::drain) {
    const std::lock_guard lock(m_mutex);
    m_end = now;
  }
}

void CounterWindow::on_interval(const record::Interval& interval) {
  for (const record::Cell& cell : interval.osds) {
    // A flush is answered by the client's cache, and a pair is counted as its write.
    if (cell.osd == no_osd || cell.kind == OpKind::flush || cell.kind == OpKind::sync) continue;
    m_answered[cell.osd] += cell.finished.ops + cell.drained.ops;
  }
}

bool CounterWindow::due(Time now) const {
  if (!m_measuring || m_asked_last) return false;
  if (m_planned == Time(0)) return now >= m_next;
  const Time left = m_start + m_planned - now;
  // This may be the last tick before the end.
  return left > Time(0) && (now >= m_next || left <= tick);
}

void CounterWindow::poll(Time now) {
  if (due(now)) ask(now);
}

void CounterWindow::ask(Time now) {
  {
    const std::lock_guard lock(m_mutex);
    m_round = {.at = now, .asked = Clock::now(), .answered = m_answered};
  }
  if (!m_poll->ask_now()) return;  // a request is still under way: try again at the next tick
  m_asked_last = m_planned > Time(0) && m_start + m_planned - now <= tick;
  // Readings stay at whole periods, even if this tick was late.
  m_next += period;
  if (m_next <= now) m_next = now + period;
}

bool CounterWindow::read_all() {
  Round round;
  {
    const std::lock_guard lock(m_mutex);
    round = m_round;
  }
  const auto answers = ask_osds(m_osds, [&](std::int32_t osd) -> Result<Reading> {
    RADOSLOAD_ASSIGN(auto dump, m_dumps->fetch(osd));
    const auto answered = round.answered.find(osd);
    return Reading{.at = round.at + std::chrono::duration_cast<Time>(Clock::now() - round.asked),
                   .answered = answered == round.answered.end() ? 0 : answered->second,
                   .dump = std::move(dump)};
  });
  const std::lock_guard lock(m_mutex);
  for (const auto& [osd, answer] : answers) {
    if (answer) {
      note(osd, *answer);
    } else {
      m_seen[osd].trouble = one_line(answer.error());
    }
  }
  return true;
}

void CounterWindow::note(std::int32_t osd, Reading reading) {
  if (m_end && reading.at > *m_end) return;
  Seen& seen = m_seen[osd];
  if (!seen.first) {
    seen.first = std::move(reading);
    return;
  }
  const Reading& before = seen.last ? *seen.last : *seen.first;
  if (!observe::growth(before.dump.counters, reading.dump.counters)) seen.reset = true;
  seen.last = std::move(reading);
}

std::string CounterWindow::missing_of(std::int32_t osd,
                                      const Result<placement::OsdMap>& end) const {
  const auto& map = m_begin ? end : m_begin;
  if (!map) return "it is unknown whether it was restarted: " + one_line(map.error());
  if (auto change = change_of(osd, *m_begin, *end); !change.empty()) return change;
  const auto seen = m_seen.find(osd);
  if (seen == m_seen.end()) return "the measured phase was too short";
  if (seen->second.reset) return std::string(counters_were_reset);
  if (seen->second.last) return {};
  return seen->second.trouble.empty() ? "the measured phase was too short" : seen->second.trouble;
}

record::OsdWindow CounterWindow::window_of(std::int32_t osd,
                                           const Result<placement::OsdMap>& end) const {
  record::OsdWindow window{.osd = osd};
  if (const auto kind = m_kinds.find(osd);
      kind != m_kinds.end() && kind->second != placement::OsdKind::unknown) {
    window.kind = placement::kind_name(kind->second);
  }
  window.missing = missing_of(osd, end);
  const auto seen = m_seen.find(osd);
  if (seen == m_seen.end() || !seen->second.last) return window;
  const Reading& first = *seen->second.first;
  const Reading& last = *seen->second.last;
  window.from = first.at - m_start;
  window.to = last.at - m_start;
  window.ours = last.answered - first.answered;
  if (!window.missing.empty()) return window;
  const auto at_first = m_dumps->read(osd, first.dump);
  const auto at_last = m_dumps->read(osd, last.dump);
  if (auto grown = observe::growth(at_first, at_last)) {
    window.growth = std::move(*grown);
  } else {
    window.missing = counters_were_reset;
  }
  return window;
}

std::vector<record::OsdWindow> CounterWindow::finish() {
  m_poll.reset();
  const auto end = observe::fetch_osd_map(*m_commands);
  std::vector<record::OsdWindow> windows;
  windows.reserve(m_osds.size());
  for (const std::int32_t osd : m_osds) windows.push_back(window_of(osd, end));
  return windows;
}

}  // namespace radosload::watch
