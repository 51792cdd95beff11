#include "cli/commands/baseline_runs.h"

#include <algorithm>
#include <utility>

#include "report/facts.h"
#include "run/clean_tries.h"
#include "run/measure.h"
#include "run/series_runner.h"
#include "study/step_listener.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

class Repeating {
 public:
  Repeating(const std::vector<RepeatedLoad>& loads, bool require_clean,
            const run::OutputOptions& output, base::Interrupts& interrupts,
            record::ProgressListener& listener)
      : m_loads(loads),
        m_require_clean(require_clean),
        m_output(output),
        m_interrupts(interrupts),
        m_listener(listener) {}

  RepeatedRuns run() && {
    const auto turns = in_turns(m_loads);
    m_done.runs.resize(m_loads.size());
    m_done.planned = turns.size();
    for (std::size_t i = 0; i < turns.size() && m_done.complete(); ++i) {
      study::StepListener listener(
          m_listener, fmt::format("run {} of {}: {}", i + 1, turns.size(), turns[i].text(m_loads)),
          length_from(turns, i));
      listener.begin();
      keep(turns[i].load, measure(m_loads[turns[i].load].plan, listener));
    }
    return std::move(m_done);
  }

 private:
  Time length_from(const std::vector<RepeatedRun>& turns, std::size_t first) const {
    Time sum{0};
    for (std::size_t i = first; i < turns.size(); ++i) {
      sum += run::planned_length(m_loads[turns[i].load].plan);
    }
    return sum;
  }

  // Without a cache: each run writes its objects anew, as the runs of the baseline did.
  Result<run::RunResult> measure(const RunPlan& plan, record::ProgressListener& listener) {
    constexpr std::uint32_t most_tries = 3;
    const auto once = [&] { return run::execute(plan, m_output, m_interrupts, listener); };
    return m_require_clean ? run::try_until_clean(most_tries, once, listener) : once();
  }

  void keep(std::size_t load, Result<run::RunResult> result) {
    if (!result) {
      m_done.interrupted = result.error().exit == Exit::interrupted;
      if (!m_done.interrupted) m_done.stopped = std::move(result).error();
      return;
    }
    ++m_done.measured;
    record::RunRecord& record = result->record;
    if (result->exit == Exit::interrupted || m_interrupts.count() > 0) {
      m_done.interrupted = true;
      return;
    }
    m_done.flawed = m_done.flawed || result->exit != Exit::measured;
    m_done.environment = record.header.environment;
    if (counts(record)) m_done.runs[load].push_back(std::move(record));
    if (run::abandoned_passes() > 0) {
      // Operations without an answer may still write into what the next run measures.
      m_done.stopped = Error{.attempt = "continue the check",
                             .reason = "operations were never answered",
                             .hint = "check again when the cluster is well again"};
    }
  }

  // Whether the run is judged. Its warnings are noted.
  bool counts(const record::RunRecord& record) {
    const std::string& id = record.header.run_id;
    const auto grade = record.grade.value;
    m_done.all_clean = m_done.all_clean && grade == record::GradeValue::clean;
    if (grade == record::GradeValue::void_run) {
      m_done.warnings.push_back(
          fmt::format("{} is left out: {}", id, report::grade_text(record.grade)));
      return false;
    }
    if (record.status != record::RunStatus::complete) {
      m_done.warnings.push_back(
          fmt::format("{} is left out: {}", id, record::status_name(record.status)));
      m_done.flawed = true;
      return false;
    }
    if (grade == record::GradeValue::contaminated) {
      m_done.warnings.push_back(fmt::format("{}: {}", id, report::grade_text(record.grade)));
    }
    const auto& flow = record.measured_flow;
    const std::uint64_t bad = flow.failed + flow.cancelled + record.unfinished;
    if (bad > 0) {
      m_done.warnings.push_back(
          fmt::format("{}: {} operations failed or were not answered", id, bad));
    }
    return true;
  }

  const std::vector<RepeatedLoad>& m_loads;
  bool m_require_clean;
  const run::OutputOptions& m_output;
  base::Interrupts& m_interrupts;
  record::ProgressListener& m_listener;
  RepeatedRuns m_done;
};

}  // namespace

std::string RepeatedRun::text(const std::vector<RepeatedLoad>& loads) const {
  return fmt::format("{}, {} of {}", loads[load].name, number, loads[load].repeats);
}

std::vector<RepeatedRun> in_turns(const std::vector<RepeatedLoad>& loads) {
  std::size_t most = 0;
  for (const RepeatedLoad& load : loads) most = std::max(most, load.repeats);
  std::vector<RepeatedRun> turns;
  for (std::size_t number = 1; number <= most; ++number) {
    for (std::size_t load = 0; load < loads.size(); ++load) {
      if (number <= loads[load].repeats) turns.push_back({.load = load, .number = number});
    }
  }
  return turns;
}

RepeatedRuns repeat_loads(const std::vector<RepeatedLoad>& loads, bool require_clean,
                          const run::OutputOptions& output, base::Interrupts& interrupts,
                          record::ProgressListener& listener) {
  return Repeating(loads, require_clean, output, interrupts, listener).run();
}

}  // namespace radosload::cli
