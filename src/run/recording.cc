#include "run/recording.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "workload/payload.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

// What the reader of the figures must know of an end condition that was met; empty: nothing.
std::string warning_of(const Ending& met, bool ended_the_run) {
  if (met.by == record::EndedBy::errors && ended_the_run) {
    return fmt::format("the run was ended early: {}; the errors above say how", met.reason);
  }
  const bool of_others = !met.reason.empty() && record::is_signal(met.by);
  if (met.by == record::EndedBy::session || of_others) {
    return fmt::format("the session ended the run: {}", met.reason);
  }
  if (met.by != record::EndedBy::health) return {};
  return ended_the_run
             ? fmt::format("the run stopped: {}; with --push-through it continues", met.reason)
             : fmt::format("{}; the run continued", met.reason);
}

// A grade tells whether something disturbed the figures, and there are none.
record::Grade grade_of_nothing(record::Grade grade) {
  if (grade.value != record::GradeValue::clean) return grade;
  grade.value = record::GradeValue::unwatched;
  grade.reasons.insert(grade.reasons.begin(), "nothing was measured");
  return grade;
}

std::string unfollowed_text(const Pattern& pattern) {
  const std::string why =
      pattern.block_size.count % workload::sector_bytes == 0
          ? "the objects are too many or too large for the generations in the stamps"
          : fmt::format("bs={} is not a multiple of {} bytes, the length that has a stamp",
                        option_text(pattern.block_size), workload::sector_bytes);
  return fmt::format("no block was followed, so lost and outdated writes are not found: {}", why);
}

}  // namespace

Recording::Recording(const RunPlan& plan, const record::RunHeader& header,
                     const OutputOptions& output, record::ProgressListener& listener)
    : Recording(plan, header, output, listener, LiveFiles(header.run_id, output, listener)) {}

Recording::Recording(const RunPlan& plan, record::RunHeader header, const OutputOptions& output,
                     record::ProgressListener& listener, LiveFiles&& files)
    : Recording(plan, std::move(header), output, listener, files, false) {}

Recording::Recording(const RunPlan& plan, record::RunHeader header, const OutputOptions& output,
                     record::ProgressListener& listener, LiveFiles& files, bool prefilled)
    : m_output(output), m_listener(listener), m_marks(files.take_marks()) {
  if (prefilled) m_prefill = files.opened();
  // A pinned run is about its OSDs, so the journal keeps all of them in every second.
  const std::size_t osds = plan.pins.any() ? record::RunLog::keep_all : record::worst_osds;
  m_log = std::make_unique<record::RunLog>(std::move(header), files.take_journal(), osds);
  if (output.tap) m_log->forward_to(output.tap);
}

void Recording::follow(Pass& pass) {
  pass.plan.trace = m_output.trace;
  pass.on_interval = [this](const record::Interval& interval) {
    m_log->add(interval);
    m_tick = {.clock = std::chrono::steady_clock::now(), .at = interval.end()};
    if (m_marks) add_marks(m_marks->take(), interval.end());
    report_journal_error();
    report_trace_error(interval.end());
  };
  if (m_log->record().header.plan.warmup_auto) follow_warmup(pass);
  pass.on_event = [this](record::Event event) {
    add_prefill(event);
    base::log_info("run {}: {}: {}", m_log->record().header.run_id, event.kind, event.text);
    m_log->add(std::move(event));
  };
}

void Recording::follow_warmup(Pass& pass) {
  const bool open_loop = pass.plan.arrival.law != Arrival::Law::closed;
  pass.settling.emplace(open_loop);
  pass.on_warm = [this](const record::Warmup& warmup) {
    m_log->add(warmup);
    if (warmup.settled) return;
    warn(fmt::format("the load was not steady after {:.0f} s of warm-up: {}",
                     seconds(warmup.length), warmup.trouble));
  };
}

void Recording::add_prefill(const record::Event& first) {
  if (!m_prefill || m_tick.clock != std::chrono::steady_clock::time_point()) return;
  m_tick = {.clock = std::chrono::steady_clock::now(), .at = first.at};
  const Time before = std::chrono::duration_cast<Time>(m_tick.clock - *m_prefill);
  m_prefill_at = first.at - before;
  m_log->add(record::Event{.at = *m_prefill_at, .kind = "phase", .text = "prefill"});
}

Time Recording::moment_of(const record::Mark& mark, Time latest) const {
  // A mark is taken at the second tick after it, or after the prefill. An older one comes from
  // another clock: virtual time, or a folder that two machines share.
  constexpr Time two_ticks = std::chrono::seconds(3);
  const auto since = [this](std::chrono::steady_clock::time_point then) {
    return std::chrono::duration_cast<Time>(then - m_tick.clock);
  };
  const Time oldest = m_prefill ? std::min(-two_ticks, since(*m_prefill)) : -two_ticks;
  const Time at = m_tick.at + std::clamp(since(mark.at), oldest, latest - m_tick.at);
  // A tick's moment and its clock are taken one after the other.
  return m_prefill_at ? std::max(at, *m_prefill_at) : at;
}

void Recording::add_marks(const std::vector<record::Mark>& marks, Time latest) {
  for (const record::Mark& mark : marks) {
    m_log->add(record::Event{
        .at = moment_of(mark, latest), .kind = std::string(record::mark_event), .text = mark.text});
    base::log_info("run {}: mark: {}", m_log->record().header.run_id, mark.text);
    m_listener.note(fmt::format("mark: {}", mark.text));
  }
}

void Recording::taint(std::string reason) {
  m_grade.value = record::GradeValue::contaminated;
  warn(reason);
  m_grade.reasons.push_back(std::move(reason));
}

void Recording::grade(const record::Grade& grade) {
  m_grade.value = std::max(m_grade.value, grade.value);
  for (const std::string& reason : grade.reasons) {
    // What is only noted, or was not watched, is shown with the grade and does not warn.
    if (grade.value >= record::GradeValue::contaminated) warn(reason);
    m_grade.reasons.push_back(reason);
  }
}

void Recording::add_routing(record::Routing routing, const record::Grade& meaning) {
  m_routing = std::move(routing);
  grade(meaning);
}

void Recording::add_counters(std::vector<record::OsdWindow> counters) {
  m_counters = std::move(counters);
}

void Recording::add_energy(std::optional<record::Energy> energy) {
  m_energy = std::move(energy);
  if (!m_energy) return;
  for (const record::PowerSource& source : m_energy->sources) {
    if (source.missing.empty()) continue;
    warn(fmt::format("the power from {} is not known for {}", source.name, source.missing));
  }
}

void Recording::check_client(const PassEnd& pass) {
  if (!m_client_load) return;
  const Time measured = pass.end.measured;
  const double cpu_s = pass.client.user_s + pass.client.system_s;
  const auto link = record::link_share(*m_client_load, measured);
  const auto cpu = record::cpu_share(*m_client_load, cpu_s, measured);
  const auto limit = [this](double share, const std::string& what) {
    warn(fmt::format("the client was the limit: it used {:.0f} % of {}; the cluster may be faster",
                     100 * share, what));
  };
  const auto throttle = record::throttle_share(*m_client_load, measured);
  if (throttle && *throttle > record::client_is_limit) {
    warn(
        fmt::format("the client was the limit: librados held operations back for {:.0f} % of the "
                    "time; with more --clients the cluster may be faster",
                    100 * *throttle));
  }
  if (link && *link > record::client_is_limit) {
    limit(*link, fmt::format("its network link {}", m_client_load->interface));
  }
  if (cpu && *cpu > record::client_is_limit) {
    limit(*cpu, fmt::format("the {} CPUs that it may use", m_client_load->cpus));
  }
}

void Recording::report_journal_error() {
  if (const auto error = m_log->take_error()) m_listener.note(error->message());
}

void Recording::report_trace_error(Time now) {
  if (!m_output.trace) return;
  auto error = m_output.trace->take_error();
  if (!error) return;
  m_listener.note(error->message());
  error->hint.clear();
  m_log->add(record::Event{.at = now, .kind = "trace", .text = error->message()});
}

void Recording::close_trace(const PassEnd& pass) {
  if (!m_output.trace) return;
  const trace::TraceEnd trace = m_output.trace->close(pass.end.measured);
  report_trace_error(pass.end.measured);
  const std::string file = m_output.trace->path().string();
  if (m_output.trace->named()) {
    m_log->add(record::Event{
        .at = pass.end.measured,
        .kind = "trace",
        .text = fmt::format("{}, {} of {} operations", file, trace.rows, trace.operations)});
  }
  if (!trace.whole) {
    m_lost = true;
    warn(fmt::format("the trace is incomplete: {} of {} operations are not in {}",
                     trace.operations - trace.rows, trace.operations, file));
  }
  // Of unanswered operations only those of the measured phase have a row.
  const std::uint64_t expected = pass.measured.ended() + pass.carried.ended() + pass.end.unissued;
  if (pass.end.unfinished == 0 && trace.operations != expected) {
    warn(
        fmt::format("the trace is inconsistent: {} operations ended or were never sent, but it "
                    "received {}",
                    expected, trace.operations));
  }
}

std::string Recording::save() {
  const record::RunRecord& record = m_log->record();
  const std::string& run_id = record.header.run_id;
  if (m_output.file) {
    const auto saved = record::save_record(*m_output.file, record, m_output.existing);
    if (saved) {
      if (m_output.store) m_output.store->remove_journal(run_id);
      return m_output.file->string();
    }
    m_lost = true;
    m_listener.note(
        fmt::format("the record is not saved to this file: {}", saved.error().message()));
  }
  if (!m_output.store) {
    if (m_output.file) m_listener.note("the record is not saved; this output is the only copy");
    return {};
  }
  const auto published = m_output.store->publish(record);
  if (published) return m_output.store->record_path(run_id).string();
  m_lost = true;
  m_listener.note(fmt::format("the record is not saved: {}\n  this output is the only copy",
                              published.error().message()));
  return {};
}

RunResult Recording::finish(const PassEnd& pass) {
  const engine::EngineEnd& end = pass.end;
  const bool planned = record::is_planned(end.ended_by);
  record::RunFooter footer;
  footer.status = planned ? record::RunStatus::complete : record::RunStatus::interrupted;
  footer.ended_by = end.ended_by;
  footer.measured = end.measured;
  footer.last_answer = end.last_answer;
  footer.measured_flow = pass.measured;
  footer.unmeasured_flow = pass.unmeasured;
  footer.unissued = end.unissued;
  footer.client = pass.client;
  if (end.unissued > 0) {
    warn(fmt::format(
        "{} operations were due in the measured phase but never sent: the target could not keep "
        "the rate; the percentiles of response times include them with the time they waited",
        end.unissued));
  }
  const bool nothing_left =
      end.ended_by == record::EndedBy::exhausted && pass.measured.submitted == 0;
  if (nothing_left) {
    warn(
        fmt::format("the warm-up used up all {} operations, so there was nothing left to measure: "
                    "give --warmup 0, or a larger number with --objects",
                    pass.unmeasured.submitted));
  }
  if (end.unfinished > 0) {
    warn(fmt::format("{} operations were never answered, not even after they were cancelled",
                     end.unfinished));
  }
  for (const Ending& met : pass.met) {
    if (auto warning = warning_of(met, met.by == end.ended_by); !warning.empty()) {
      warn(std::move(warning));
    }
  }
  if (m_marks) add_marks(m_marks->close(), std::max(m_tick.at, end.last_answer));
  footer.verification = end.verification;
  if (end.unfollowed) warn(unfollowed_text(m_log->record().header.plan.pattern));
  check_client(pass);
  close_trace(pass);
  footer.warnings = m_warnings;
  footer.grade = pass.measured.submitted == 0 ? grade_of_nothing(m_grade) : m_grade;
  footer.routing = m_routing;
  footer.counters = m_counters;
  footer.slowest = m_slowest;
  footer.slow_search = m_slow_search;
  footer.client_load = m_client_load;
  footer.energy = m_energy;
  m_log->finish(std::move(footer));
  report_journal_error();

  RunResult result;
  result.saved_as = save();
  result.record = m_log->record();
  base::log_info("run {} ended: {}, {}; saved as {}", result.record.header.run_id,
                 record::status_name(result.record.status),
                 record::grade_name(result.record.grade.value),
                 result.saved_as.empty() ? "nothing" : result.saved_as);
  const bool flawed =
      pass.measured.failed + pass.measured.cancelled > 0 || end.unfinished > 0 || nothing_left;
  if (record::is_signal(end.ended_by)) {
    result.exit = Exit::interrupted;
  } else if (flawed || !planned || m_lost || m_grade.value == record::GradeValue::void_run) {
    result.exit = Exit::flawed;
  }
  return result;
}

}  // namespace radosload::run
