#include "run/power_watch.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace radosload::run {

namespace {

// Longer than a power command may take.
constexpr Time longest_answer = std::chrono::seconds(6);

}  // namespace

Status PowerWatch::open() {
  RADOSLOAD_ASSIGN(m_meter, watch::PowerMeter::open(m_plan));
  return {};
}

Status PowerWatch::measure_idle(const base::Interrupts& interrupts,
                                record::ProgressListener& listener) {
  constexpr Time between_looks = std::chrono::milliseconds(50);
  if (!m_meter || m_plan.idle <= Time(0)) return {};
  listener.note(fmt::format("measuring the power without load for {}", option_text(m_plan.idle)));
  m_times.idle_begin = watch::PowerMeter::now();
  m_times.idle_end = m_times.idle_begin + m_plan.idle;
  // The first reading after it is still without load, or the load would count as idle power. A
  // source that does not answer is not waited for any longer than its command may take.
  const auto waiting = [this] {
    const Time now = watch::PowerMeter::now();
    return now < m_times.idle_end ||
           (m_meter->read_until() < m_times.idle_end && now < m_times.idle_end + longest_answer);
  };
  while (waiting() && interrupts.count() == 0) std::this_thread::sleep_for(between_looks);
  if (interrupts.count() > 0) {
    return fail(
        {.attempt = "start the run", .reason = interrupts.name(), .exit = Exit::interrupted});
  }
  return {};
}

void PowerWatch::follow(Pass& pass) {
  if (!m_meter) return;
  pass.on_phase = [this, next = pass.on_phase](Phase phase, Time now) {
    enter(phase);
    next(phase, now);
  };
}

void PowerWatch::enter(Phase phase) {
  if (phase == Phase::measure && !m_begun) {
    m_times.begin = watch::PowerMeter::now();
    m_begun = true;
  }
  m_meter->read_soon();
}

std::optional<record::Energy> PowerWatch::finish(const record::RunRecord& so_far, Time measured) {
  if (!m_meter) return std::nullopt;
  const auto readings = m_meter->finish();
  // Of a run that ended in its warm-up nothing was measured.
  if (!m_begun) measured = Time(0);
  return energy_of(readings, m_times,
                   {.timeline = so_far.timeline,
                    .measured = measured,
                    .drained = record::total_of(so_far.kinds).drained.ops});
}

}  // namespace radosload::run
