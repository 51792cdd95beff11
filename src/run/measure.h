// One pass of the engine (prefill or load) with what every pass needs: loops and threads, the tick
// that ends each second, interrupts, and a listener.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "base/interrupts.h"
#include "engine/engine.h"
#include "observe/health.h"
#include "record/interval.h"
#include "record/progress.h"
#include "record/run_record.h"
#include "run/end_condition.h"
#include "run/findings.h"
#include "run/settling.h"
#include "watch/stuck_op_locator.h"

namespace radosload::run {

// Where time passes.
struct Stage {
  Loop* control = nullptr;
  std::vector<Loop*> lanes;
  // Ends every thread that may still call into the engine; called at the end of the pass, unless
  // operations are unanswered.
  std::function<void()> quiesce = [] {};
};

// "object 12": for targets whose objects have no names.
std::string numbered_object(std::uint64_t object);

struct Pass {
  engine::EnginePlan plan;
  std::string name;               // "prefill", "measure"
  std::uint64_t total_bytes = 0;  // the bytes it moves in total, for progress; 0: unknown
  // Each second of it, in order; may be empty.
  std::function<void(const record::Interval&)> on_interval = [](const record::Interval&) {};
  std::function<void(record::Event)> on_event = [](const record::Event&) {};
  // Called when a phase begins; must not wait.
  std::function<void(Phase, Time)> on_phase = [](Phase, Time) {};
  // The current health of the cluster; gets the age of the oldest operation in flight. Called once
  // a second, must not wait.
  std::function<observe::HealthWatch::Finding(Time, Time)> health = [](Time, Time) {
    return observe::HealthWatch::Finding();
  };
  EndConditions ends = end_conditions();
  // The warm-up ends when the load is steady, and as planned if it never is. None: as planned.
  std::optional<Settling> settling = std::nullopt;
  // Called when such a warm-up ends.
  std::function<void(const record::Warmup&)> on_warm = [](const record::Warmup&) {};
  // When it begins, by the steady clock; none: at once. Asked when all is ready to begin.
  std::function<Result<std::optional<std::chrono::steady_clock::time_point>>()> begin_at = [] {
    return std::optional<std::chrono::steady_clock::time_point>();
  };
  // Where operations wait, a line for each place.
  std::function<std::vector<std::string>(const engine::Stuck&)> locate_stuck =
      watch::waiting_somewhere;
  ObjectName object_name = numbered_object;
};

struct PassEnd {
  engine::EngineEnd end;
  record::Flow measured;
  record::Flow unmeasured;
  record::Flow carried;       // as in an interval
  record::ClientCost client;  // over exactly the measured phase
  record::Interval total;     // without histograms of single OSDs
  // How far the wall clock (since 1970) was ahead of the loop's when the measured phase began.
  Time wall_ahead{0};
  std::vector<Ending> met;  // the end conditions that were met, whether they ended it or not

  // Why it ended, in words; empty when `ended_by` says it all.
  std::string reason() const;
};

// Runs the pass to its end. If operations stay unanswered, the engine is never destroyed, because
// their callbacks may still come: the process must leave through _exit.
Result<PassEnd> run_pass(Pass pass, Target& target, const Stage& stage,
                         base::Interrupts& interrupts, record::ProgressListener& listener);

// The number of passes with unanswered operations.
int abandoned_passes();

}  // namespace radosload::run
