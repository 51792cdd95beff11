// The record of a run while it is being made: journal, fold, and the saving at the end. Troubles
// with the disk are told to the listener and never end the run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/run_log.h"
#include "run/measure.h"
#include "run/run.h"

namespace radosload::run {

class Recording {
 public:
  Recording(const RunPlan& plan, record::RunHeader header, const OutputOptions& output,
            record::ProgressListener& listener);

  // Hooks the recording into the measured pass.
  void follow(Pass& pass);
  void warn(std::string warning) { m_warnings.push_back(std::move(warning)); }
  // Something that makes the figures say less than they seem to: in the grade, and a warning.
  void taint(std::string reason);
  // The worse of what was known before and this, with the reasons of both.
  void grade(const record::Grade& grade);
  // Where the operations went, and what that means.
  void add_routing(record::Routing routing, const record::Grade& meaning);
  const record::RunRecord& so_far() const { return m_log->record(); }
  // Closes and saves the record of a pass that has ended.
  RunResult finish(const PassEnd& pass);

 private:
  void report_journal_error();
  // When the trace has ended before its time, says so where it will be read. `now` as in Event.
  void report_trace_error(Time now);
  void close_trace(const PassEnd& pass);
  // Where to; empty: nowhere.
  std::string save();

  const OutputOptions& m_output;
  record::ProgressListener& m_listener;
  std::unique_ptr<record::RunLog> m_log;
  std::vector<std::string> m_warnings;
  record::Grade m_grade;
  std::optional<record::Routing> m_routing;
  bool m_lost = false;  // it, or the trace, was to be saved and could not be, or not all of it
};

}  // namespace radosload::run
