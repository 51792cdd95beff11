#include "run/measure.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <sys/resource.h>
#include <utility>

#include "run/findings.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

constexpr Time second = std::chrono::seconds(1);
// Operations in flight for longer are reported as stuck. Large writes to busy hard disks may take
// seconds normally.
constexpr Time stuck_after = std::chrono::seconds(10);

std::atomic<int> abandoned{0};

record::ClientCost cpu_now() {
  constexpr double micro = 1e-6;
  constexpr double kib_per_mib = 1024;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto in_seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * micro;
  };
  return {in_seconds(usage.ru_utime), in_seconds(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) / kib_per_mib};
}

const char* phase_name(Phase phase, const std::string& pass) {
  switch (phase) {
    case Phase::warmup:
      return "warm-up";
    case Phase::drain:
      if (pass != "measure") break;
      return "drain";
    case Phase::measure:
      break;
  }
  return pass.c_str();
}

// Ends an interval every second and reports it. Lives on the control loop.
class Ticker {
 public:
  Ticker(Pass& pass, engine::Engine& engine, Loop& control, record::ProgressListener& listener)
      : m_pass(pass), m_engine(engine), m_control(control), m_listener(listener) {}

  // An interval also ends at the start and the end of the measured phase, so that none belongs to
  // two phases.
  void end_warmup() { cut(); }
  void begin(Phase phase) {
    if (m_started && phase == Phase::drain) cut();
    if (m_started && phase == Phase::measure) tell_warmup();
    if (!m_started) m_pass_start = m_cut = m_control.now();
    m_started = true;
    m_phase = phase;
    m_phase_start = m_control.now();
    if (phase == Phase::measure) {
      // Answers have come since.
      m_cut = m_engine.measure_start();
      m_cpu_start = cpu_now();
      m_wall_ahead = std::chrono::system_clock::now().time_since_epoch() - m_control.now();
    }
    if (phase == Phase::drain) m_cpu_end = cpu_now();
    m_pass.on_event(
        {.at = m_phase_start - origin(), .kind = "phase", .text = phase_name(phase, m_pass.name)});
    m_pass.on_phase(phase, m_phase_start);
    schedule();
  }
  void end() {
    ++m_turn;
    cut();
  }
  void notice(int signal) { ask({.phase = m_phase, .signal = signal}); }

  PassEnd result(const engine::EngineEnd& end) const {
    return {.end = end,
            .measured = m_total.measured,
            .unmeasured = m_total.unmeasured,
            .carried = m_total.carried,
            .client = {.user_s = m_cpu_end.user_s - m_cpu_start.user_s,
                       .system_s = m_cpu_end.system_s - m_cpu_start.system_s,
                       .peak_rss_mib = m_cpu_end.peak_rss_mib},
            .total = m_total,
            .wall_ahead = m_wall_ahead,
            .met = m_pass.ends.met()};
  }

 private:
  // Ticks are whole seconds after the phase's start, so late ticks do not add up to a drift.
  void schedule() {
    const std::uint64_t turn = ++m_turn;
    const Time elapsed = m_control.now() - m_phase_start;
    const Time next = m_phase_start + (elapsed / second + 1) * second;
    // In virtual time the answers of this moment come first: they belong to the second that ends.
    m_control.at(next, [this, turn] { m_control.post([this, turn] { tick(turn); }); });
  }

  void tick(std::uint64_t turn) {
    if (turn != m_turn) return;
    cut();
    schedule();
  }

  void cut() {
    const Time now = m_control.now();
    record::Interval interval;
    interval.start = m_cut - origin();
    // Intervals of a warm-up begin before zero, also when its timers are late.
    if (m_phase == Phase::warmup) interval.start = std::min(interval.start, Time(-1));
    interval.length = now - m_cut;
    m_engine.take_interval(interval);
    m_cut = now;
    m_pass.on_interval(interval);
    if (m_phase == Phase::warmup) judge_warmup(interval);
    tell(interval);
    // Totals of counts only: the histograms of the whole run are the record's business.
    ask({.phase = m_phase,
         .length = interval.length,
         .completed = interval.measured.completed + interval.unmeasured.completed,
         .failed = interval.measured.failed + interval.unmeasured.failed,
         .alarm = take_alarm(now)});
    tell_findings();
    m_total.measured += interval.measured;
    m_total.unmeasured += interval.unmeasured;
    m_total.carried += interval.carried;
    record::merge_cells(m_total.kinds, interval.kinds);
  }

  // Ends the warm-up once the load is steady. Posted, because the end of a warm-up cuts a second.
  void judge_warmup(const record::Interval& interval) {
    if (!m_pass.settling || m_steady) return;
    m_pass.settling->add(interval);
    m_steady = m_pass.settling->steady();
    if (m_steady) m_control.post([this] { m_engine.end_warmup(); });
  }

  void tell_warmup() {
    if (!m_pass.settling) return;
    m_pass.on_warm({.length = m_control.now() - m_phase_start,
                    .settled = m_steady,
                    .trouble = m_steady ? "" : m_pass.settling->trouble()});
  }

  // Asks the end conditions. Of those that are met the engine ends by the first.
  void ask(const Second& now) {
    for (const Ending& met : m_pass.ends.check(now)) {
      if (met.announced) announce(met);
      if (met.ends) m_engine.stop(met.by);
    }
  }

  void announce(const Ending& met) {
    m_pass.on_event({.at = m_control.now() - origin(), .kind = "alarm", .text = met.reason});
    m_listener.note(met.reason + (met.ends ? "; ending the run" : "; the run continues"));
  }

  // Why the cluster should not be loaded further; empty: no reason.
  std::string take_alarm(Time now) {
    const auto finding = m_pass.health(now, m_engine.stuck(Time(0)).oldest);
    for (const std::string& change : finding.changes) tell_health(now, change);
    return finding.alarm.value_or("");
  }

  void tell_findings() {
    for (const engine::Finding& finding : m_engine.take_findings()) {
      const std::string text = finding_text(finding, m_pass.object_name);
      m_pass.on_event({.at = finding.at - origin(), .kind = "verify", .text = text});
      m_listener.note(text);
    }
  }

  void tell_health(Time now, const std::string& text) {
    m_pass.on_event({.at = now - origin(), .kind = "health", .text = text});
    m_listener.note("the cluster: " + text);
  }

  // Time zero. A warm-up is before it, with its planned length.
  Time origin() const {
    return m_phase == Phase::warmup ? m_phase_start + m_pass.plan.warmup : m_engine.measure_start();
  }

  void tell(const record::Interval& interval) {
    record::Progress progress;
    progress.phase = phase_name(m_phase, m_pass.name);
    progress.elapsed = m_control.now() - (m_pass.plan.prefill ? m_pass_start : m_phase_start);
    progress.last = record::row_of(interval);
    // Unmeasured operations have no figures, but show that the run is alive.
    if (m_phase == Phase::warmup) progress.last.all.ops = interval.unmeasured.completed;
    progress.latency = record::total_of(interval.kinds).latency.response();
    progress.in_flight = interval.in_flight;
    m_failed += interval.measured.failed + interval.unmeasured.failed;
    m_late += progress.last.late;
    m_bytes += progress.last.all.bytes;
    progress.failed = m_failed;
    progress.late = m_late;
    progress.total = phase_length();
    if (progress.total > Time(0)) {
      progress.done = std::min(1.0, seconds(progress.elapsed) / seconds(progress.total));
    } else if (m_pass.total_bytes > 0) {
      progress.done = static_cast<double>(m_bytes) / static_cast<double>(m_pass.total_bytes);
    }
    const engine::Stuck stuck = m_engine.stuck(stuck_after);
    if (stuck.count > 0) progress.stuck = m_pass.locate_stuck(stuck);
    m_listener.progress(progress);
  }

  Time phase_length() const {
    switch (m_phase) {
      case Phase::warmup:
        return m_pass.plan.warmup;
      case Phase::drain:
        return m_pass.plan.prefill ? Time(0) : m_pass.plan.drain;
      case Phase::measure:
        break;
    }
    return m_pass.plan.prefill ? Time(0) : m_pass.plan.extent.time;
  }

  Pass& m_pass;
  engine::Engine& m_engine;
  Loop& m_control;
  record::ProgressListener& m_listener;
  bool m_started = false;
  Phase m_phase = Phase::warmup;
  Time m_pass_start{0};
  Time m_phase_start{0};
  Time m_cut{0};
  bool m_steady = false;
  std::uint64_t m_turn = 0;
  std::uint64_t m_failed = 0;
  std::uint64_t m_late = 0;
  std::uint64_t m_bytes = 0;
  record::ClientCost m_cpu_start;
  record::ClientCost m_cpu_end;
  Time m_wall_ahead{0};
  record::Interval m_total;
};

}  // namespace

std::string PassEnd::reason() const {
  const auto ended = std::find_if(met.begin(), met.end(),
                                  [this](const Ending& one) { return one.by == end.ended_by; });
  return ended == met.end() ? "" : ended->reason;
}

std::string numbered_object(std::uint64_t object) {
  return fmt::format("object {}", object);
}

int abandoned_passes() {
  return abandoned;
}

namespace {

Time loop_time(const Loop& loop, std::chrono::steady_clock::time_point moment) {
  return loop.now() + std::chrono::duration_cast<Time>(moment - std::chrono::steady_clock::now());
}

}  // namespace

Result<PassEnd> run_pass(Pass pass, Target& target, const Stage& stage,
                         base::Interrupts& interrupts, record::ProgressListener& listener) {
  auto engine = std::make_unique<engine::Engine>(pass.plan, target, *stage.control, stage.lanes);
  Ticker ticker(pass, *engine, *stage.control, listener);
  engine::EngineEnd end;
  engine->on_warm = [&] { ticker.end_warmup(); };
  engine->on_phase = [&](Phase phase) { ticker.begin(phase); };
  engine->on_end = [&](const engine::EngineEnd& given) {
    ticker.end();
    end = given;
    stage.control->stop();
  };
  {
    const base::Interrupts::Listening listening(interrupts, [&](int count, int signal) {
      if (count == 1) {
        stage.control->post([&ticker, signal] { ticker.notice(signal); });
      } else {
        engine->abort(record::ended_by_signal(signal));
      }
    });
    RADOSLOAD_ASSIGN(const auto begin, pass.begin_at());
    RADOSLOAD_TRY(engine->start(begin ? loop_time(*stage.control, *begin) : Time::min()));
    stage.control->run();
  }
  PassEnd result = ticker.result(end);
  if (end.unfinished > 0) {
    ++abandoned;
    // Callbacks may use its slots at any time.
    [[maybe_unused]] const auto* const left_behind = engine.release();
  } else {
    stage.quiesce();
  }
  return result;
}

}  // namespace radosload::run
