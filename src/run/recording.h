// The record of a run while it is made: journal, fold, and saving at the end. Disk errors are
// reported to the listener and never end the run.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/marks.h"
#include "record/run_log.h"
#include "run/live_files.h"
#include "run/measure.h"
#include "run/run.h"

namespace radosload::run {

class Recording {
 public:
  Recording(const RunPlan& plan, const record::RunHeader& header, const OutputOptions& output,
            record::ProgressListener& listener);
  // Of a run whose prefill is over: what was marked meanwhile belongs to it too.
  Recording(const RunPlan& plan, record::RunHeader header, const OutputOptions& output,
            record::ProgressListener& listener, LiveFiles& files, bool prefilled);

  // Hooks the recording into the measured pass.
  void follow(Pass& pass);
  void warn(std::string warning) { m_warnings.push_back(std::move(warning)); }
  // Records why the figures are less reliable than they look, in the grade and as a warning.
  void taint(std::string reason);
  // Keeps the worse of the grade so far and this one, with the reasons of both.
  void grade(const record::Grade& grade);
  // Where the operations went, and what that means.
  void add_routing(record::Routing routing, const record::Grade& meaning);
  // What the OSDs counted of their own work.
  void add_counters(std::vector<record::OsdWindow> counters);
  // The slowest operations, and what came of the search for them on OSDs, if there was one.
  void add_slowest(std::vector<record::SlowOp> slowest,
                   std::optional<record::SlowSearch> search = std::nullopt) {
    m_slowest = std::move(slowest);
    m_slow_search = std::move(search);
  }
  void add_client_load(record::ClientLoad load) { m_client_load = std::move(load); }
  // Also warns where the power is not known.
  void add_energy(std::optional<record::Energy> energy);
  const record::RunRecord& so_far() const { return m_log->record(); }
  // Closes and saves the record of a pass that has ended.
  RunResult finish(const PassEnd& pass);

 private:
  // A moment on the clock of marks, and in the time of events.
  struct Tick {
    std::chrono::steady_clock::time_point clock;
    Time at{0};
  };

  Recording(const RunPlan& plan, record::RunHeader header, const OutputOptions& output,
            record::ProgressListener& listener, LiveFiles&& files);
  void follow_warmup(Pass& pass);
  // The first event of the pass that is measured: from it the time of the prefill is known.
  void add_prefill(const record::Event& first);
  // When a mark was made, in the time of events.
  Time moment_of(const record::Mark& mark, Time latest) const;
  // Adds what the user has noted. `latest`: no event may be later.
  void add_marks(const std::vector<record::Mark>& marks, Time latest);
  // Warns where the client was the limit.
  void check_client(const PassEnd& pass);
  void report_journal_error();
  // Reports a trace that ended too early, to the listener and in the record. `now` as in Event.
  void report_trace_error(Time now);
  void close_trace(const PassEnd& pass);
  // Where to; empty: nowhere.
  std::string save();

  const OutputOptions& m_output;
  record::ProgressListener& m_listener;
  std::unique_ptr<record::RunLog> m_log;
  std::unique_ptr<record::MarkInbox> m_marks;  // none: the run takes no marks
  Tick m_tick;                                 // the last one
  std::optional<std::chrono::steady_clock::time_point> m_prefill = {};  // when that began
  std::optional<Time> m_prefill_at = {};  // the same, on the record's axis
  std::vector<std::string> m_warnings;
  record::Grade m_grade;
  std::optional<record::Routing> m_routing;
  std::vector<record::OsdWindow> m_counters;
  std::vector<record::SlowOp> m_slowest;
  std::optional<record::SlowSearch> m_slow_search;
  std::optional<record::ClientLoad> m_client_load;
  std::optional<record::Energy> m_energy;
  bool m_lost = false;  // the record or the trace could not be saved completely
};

}  // namespace radosload::run
