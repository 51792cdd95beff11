// The record of a run while it is being made: journal, fold, and the saving at the end. Troubles
// with the disk are told to the audience and never end the run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "record/run_log.h"
#include "run/measure.h"
#include "run/run.h"

namespace radosload::run {

class Recording {
 public:
  Recording(record::RunHeader header, const Keeping& keeping, Audience& audience);

  // Hooks the recording into the measured pass.
  void follow(Pass& pass);
  void warn(std::string warning) { m_warnings.push_back(std::move(warning)); }
  // Something that makes the figures say less than they seem to: in the grade, and a warning.
  void taint(std::string reason);
  // Closes and saves the record of a pass that has ended.
  RunResult finish(const PassEnd& pass);

 private:
  void report_journal_error();
  // Where to; empty: nowhere.
  std::string save();

  const Keeping& m_keeping;
  Audience& m_audience;
  std::unique_ptr<record::RunLog> m_log;
  std::vector<std::string> m_warnings;
  record::Grade m_grade;
  bool m_lost = false;  // it was to be saved, and could not be
};

}  // namespace radosload::run
