#include "run/series_runner.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/random.h"
#include "plan/plan_codec.h"
#include "prepare/dataset_cache.h"
#include "prepare/engine_plan.h"
#include "record/series_store.h"
#include "run/measure.h"

#include <fmt/format.h>

namespace radosload::run {

using record::SeriesStep;
using record::StepState;

namespace {

// As drawn_seed(): a whole number in every JSON reader, never 0.
std::uint64_t seed_of_step(std::uint64_t series_seed, std::size_t step) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 53U) - 1;
  const std::uint64_t seed = split_seed(series_seed, "step", step) & mask;
  return seed == 0 ? 1 : seed;
}

// Adds the current step and the remaining time of all steps to the progress.
class StepListener final : public record::ProgressListener {
 public:
  StepListener(record::ProgressListener& listener, std::string step, const RunPlan& plan,
               Time later)
      : m_listener(listener), m_step(std::move(step)), m_plan(plan), m_later(later) {}

  void progress(const record::Progress& now) override {
    record::Progress with_step = now;
    with_step.step = m_step;
    if (planned_length(m_plan) > Time(0)) with_step.left = m_later + left_of_this(now);
    m_listener.progress(with_step);
  }
  void note(const std::string& text) override { m_listener.note(text); }
  void begin() {
    const Time length = planned_length(m_plan);
    m_listener.step(m_step, length > Time(0) ? m_later + length : Time(0));
  }

 private:
  Time left_of_this(const record::Progress& now) const {
    const auto rest = [&](Time length) { return std::max(Time(0), length - now.elapsed); };
    if (now.phase == "prefill") return planned_length(m_plan);
    if (now.phase == "warm-up") return rest(m_plan.warmup) + m_plan.extent.time;
    if (now.phase == "measure") return rest(m_plan.extent.time);
    return Time(0);
  }

  record::ProgressListener& m_listener;
  std::string m_step;
  const RunPlan& m_plan;
  Time m_later;
};

class SeriesRun {
 public:
  SeriesRun(record::Series series, const std::optional<std::filesystem::path>& document,
            const OutputOptions& output, base::Interrupts& interrupts,
            record::ProgressListener& listener)
      : m_document(document),
        m_output(output),
        m_existing(output.existing),
        m_interrupts(interrupts),
        m_listener(listener) {
    m_result.series = std::move(series);
    const auto& steps = m_result.series.steps;
    for (const SeriesStep& done : steps) {
      if (done.state == StepState::done && flawed(*done.record)) worsen(Exit::flawed);
    }
    m_fresh = std::all_of(steps.begin(), steps.end(),
                          [](const SeriesStep& one) { return one.state == StepState::missing; });
  }

  SeriesResult run() && {
    save();
    for (std::size_t i = 0; i < steps().size() && may_go_on(); ++i) {
      if (step(i).state != StepState::done) run_step(i);
    }
    // Unanswered operations may still write, so their objects stay where cleanup finds them.
    if (abandoned_passes() == 0) m_cache.clear(m_interrupts, m_listener);
    if (m_interrupts.count() > 0 && !m_result.series.complete()) m_result.exit = Exit::interrupted;
    if (m_lost) worsen(Exit::flawed);
    remove_document_without_records();
    return std::move(m_result);
  }

 private:
  std::vector<SeriesStep>& steps() { return m_result.series.steps; }
  SeriesStep& step(std::size_t i) { return steps()[i]; }
  static bool flawed(const record::RunRecord& record) {
    return record.measured_flow.failed + record.measured_flow.cancelled + record.unfinished > 0;
  }
  bool may_go_on() const {
    return !m_result.stopped && m_interrupts.count() == 0 && abandoned_passes() == 0;
  }
  void worsen(Exit exit) { m_result.exit = std::max(m_result.exit, exit); }

  void run_step(std::size_t i) {
    step(i) = {.name = step(i).name,
               .settings = step(i).settings,
               .plan = step(i).plan,
               .state = StepState::begun,
               .reason = {},
               .record = {}};
    save();
    m_cache.expect(missing_after(i));
    const std::string name = fmt::format("step {} of {}: {}", i + 1, steps().size(), step(i).name);
    StepListener listener(m_listener, name, step(i).plan, length_after(i));
    listener.begin();
    keep_result(i, execute(step(i).plan, m_output, m_interrupts, listener, &m_cache));
    save();
  }

  void keep_result(std::size_t i, Result<RunResult> result) {
    if (!result) {
      step(i).state = StepState::failed;
      step(i).reason = result.error().message();
      worsen(result.error().exit);
      m_result.stopped = std::move(result).error();
      return;
    }
    worsen(result->exit);
    const bool whole = result->record.status == record::RunStatus::complete;
    step(i).state = whole ? StepState::done : StepState::interrupted;
    step(i).record = std::move(result->record);
  }

  std::vector<RunPlan> missing_after(std::size_t i) {
    std::vector<RunPlan> plans;
    for (std::size_t later = i + 1; later < steps().size(); ++later) {
      if (step(later).state != StepState::done) plans.push_back(step(later).plan);
    }
    return plans;
  }
  Time length_after(std::size_t i) {
    Time sum{0};
    for (const RunPlan& plan : missing_after(i)) sum += planned_length(plan);
    return sum;
  }

  // A series that could not even begin is not worth a line in the list. A file that was there
  // before is not this process's to remove.
  void remove_document_without_records() {
    const auto& steps = m_result.series.steps;
    const bool any = std::any_of(steps.begin(), steps.end(),
                                 [](const SeriesStep& one) { return one.record.has_value(); });
    const bool made_here = m_output.existing == record::Existing::refuse;
    if (any || !m_fresh || !made_here || m_result.saved_as.empty()) return;
    std::error_code ignored;
    std::filesystem::remove(*m_document, ignored);
    m_result.saved_as.clear();
  }

  void save() {
    if (!m_document) return;
    const Status saved = record::save_series(*m_document, m_result.series, m_existing);
    if (saved) {
      m_result.saved_as = m_document->string();
      m_existing = record::Existing::replace;  // from now on the file is this series's
    }
    if (saved || m_lost) return;
    m_lost = true;
    m_listener.note(fmt::format(
        "the series is not saved: {}\n  it continues, but its results will not be saved",
        saved.error().message()));
  }

  const std::optional<std::filesystem::path>& m_document;
  const OutputOptions& m_output;
  record::Existing m_existing;
  base::Interrupts& m_interrupts;
  record::ProgressListener& m_listener;
  prepare::DatasetCache m_cache;
  SeriesResult m_result;
  bool m_fresh = true;  // nothing of it has been run before
  bool m_lost = false;  // its document could not be saved at least once
};

}  // namespace

Time planned_length(const RunPlan& plan) {
  return plan.extent.time > Time(0) ? plan.warmup + plan.extent.time : Time(0);
}

record::Series new_series(std::vector<SeriesStep> steps, const std::string& program) {
  const auto now = record::distinct_moment(std::chrono::system_clock::now());
  record::Series series;
  series.id = "s" + record::make_run_id(now, prepare::drawn_seed());
  series.started = record::iso_time(now);
  series.program = program;
  const std::uint64_t drawn = prepare::drawn_seed();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::uint64_t& seed = steps[i].plan.seed;
    seed = seed_of_step(seed == 0 ? drawn : seed, i);
  }
  series.steps = std::move(steps);
  return series;
}

Result<record::Series> resume(const record::Series& saved, std::vector<SeriesStep> steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::uint64_t& seed = steps[i].plan.seed;
    if (seed != 0) seed = seed_of_step(seed, i);
  }
  RADOSLOAD_TRY(record::check_same_plan(saved, steps));
  record::Series series = saved;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    series.steps[i].plan = std::move(steps[i].plan);
    series.steps[i].plan.seed = saved.steps[i].plan.seed;
  }
  return series;
}

Result<record::Series> resume(const record::Series& saved) {
  for (const SeriesStep& step : saved.steps) {
    RADOSLOAD_TRY(plan::check_runnable(step.plan));
  }
  return saved;
}

SeriesResult execute_series(record::Series series,
                            const std::optional<std::filesystem::path>& document,
                            const OutputOptions& output, base::Interrupts& interrupts,
                            record::ProgressListener& listener) {
  return SeriesRun(std::move(series), document, output, interrupts, listener).run();
}

}  // namespace radosload::run
