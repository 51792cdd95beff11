#include "probe/service.h"

#include <utility>

#include "base/log.h"
#include "probe/rounds.h"

#include <fmt/format.h>

namespace radosload::probe {

namespace {

// Visits are spread over this part of the interval: what is left is for answers that take long.
constexpr double spread_share = 0.8;
// The wall clock is corrected by less all the time.
constexpr Time least_jump = std::chrono::seconds(5);

}  // namespace

Result<ProbeEnd> Service::run(const ProbeSink& sink) {
  auto survey = m_prober.survey();
  if (!survey) return fail(survey.error());
  if (!m_wish.force) RADOSLOAD_TRY(check_budget(survey->cost, m_wish.samples, m_wish.interval));
  Survey latest = *survey;
  Time due = m_clock.now();
  std::uint64_t missed = 0;
  while (!m_clock.ended()) {
    ++m_end.rounds;
    Round round{.at = m_clock.wall(), .missed = missed};
    note_jump(round);
    if (survey) {
      latest = *std::move(survey);
      round.without_pgs = latest.without_pgs;
      round.visits = visit_all(
          m_prober, m_clock, latest.targets,
          {.number = m_end.rounds,
           .samples = m_wish.samples,
           .begin = due,
           .spread = std::chrono::duration_cast<Time>(std::chrono::duration<double, std::nano>(
               spread_share * static_cast<double>(m_wish.interval.count())))});
    } else {
      round.error = one_line(survey.error());
    }
    round.took = m_clock.now() - due;
    // A round that was cut short has figures of a part of the OSDs only.
    const bool whole = !m_clock.ended();
    if (whole) deliver(sink, round, latest);
    if (!whole || m_end.rounds == m_wish.rounds) break;
    // The next one that is still to come: late ones are left out.
    const auto passed = (m_clock.now() - due) / m_wish.interval;
    missed = static_cast<std::uint64_t>(passed);
    due += m_wish.interval * (passed + 1);
    if (!m_clock.sleep_until(due)) break;
    survey = m_prober.survey();
    if (!survey && survey.error().exit == Exit::refused) return fail(survey.error());
  }
  return m_end;
}

void Service::note_jump(Round& round) {
  const Time offset = round.at - m_clock.now();
  if (m_wall_offset) {
    const Time jump = offset - *m_wall_offset;
    if (jump >= least_jump || jump <= -least_jump) {
      round.notes.push_back(fmt::format("the wall clock jumped by {:+.0f} s", seconds(jump)));
    }
  }
  m_wall_offset = offset;
}

void Service::deliver(const ProbeSink& sink, const Round& round, const Survey& survey) {
  bool failed = !round.error.empty();
  for (const Visit& visit : round.visits) failed = failed || visit.failed();
  m_end.failed += failed ? 1 : 0;
  if (failed) {
    base::log_warning("round {} of the probe had failures{}{}", m_end.rounds,
                      round.error.empty() ? "" : ": ", round.error);
  }
  sink.on_round(round, survey);
  for (const Change& change : m_finder.add(round)) {
    ++m_end.changes;
    base::log_warning("{}", change_text(change));
    sink.on_change(change, round.at);
  }
}

}  // namespace radosload::probe
