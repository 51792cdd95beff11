#include "run/recording.h"

#include <utility>

#include <fmt/format.h>

namespace radosload::run {

namespace {

std::unique_ptr<record::JournalWriter> open_journal(const std::string& run_id,
                                                    const Keeping& keeping, Audience& audience) {
  if (!keeping.store) return nullptr;
  auto journal = record::JournalWriter::create(keeping.store->journal_path(run_id));
  if (journal) return *std::move(journal);
  audience.note(fmt::format("the run is not journalled: {}", journal.error().message()));
  return nullptr;
}

bool ended_as_planned(const std::string& ended_by) {
  return ended_by == "time" || ended_by == "ops" || ended_by == "bytes" || ended_by == "exhausted";
}

}  // namespace

Recording::Recording(record::RunHeader header, const Keeping& keeping, Audience& audience)
    : m_keeping(keeping), m_audience(audience) {
  auto journal = open_journal(header.run_id, keeping, audience);
  m_log = std::make_unique<record::RunLog>(std::move(header), std::move(journal));
}

void Recording::follow(Pass& pass) {
  pass.on_interval = [this](const record::Interval& interval) {
    m_log->add(interval);
    report_journal_error();
  };
  pass.on_event = [this](record::Event event) { m_log->add(std::move(event)); };
}

void Recording::taint(std::string reason) {
  m_grade.value = record::GradeValue::contaminated;
  warn(reason);
  m_grade.reasons.push_back(std::move(reason));
}

void Recording::report_journal_error() {
  if (const auto error = m_log->take_error()) {
    m_audience.note(fmt::format("{}\n  the run goes on; a crash would lose it", error->message()));
  }
}

std::string Recording::save() {
  const record::RunRecord& record = m_log->record();
  if (!m_keeping.store && !m_keeping.file) return {};
  std::string path;
  Status saved;
  if (m_keeping.file) {
    path = m_keeping.file->string();
    saved = record::save_record(*m_keeping.file, record);
    if (saved && m_keeping.store) m_keeping.store->remove_journal(record.header.run_id);
  } else {
    path = m_keeping.store->record_path(record.header.run_id).string();
    saved = m_keeping.store->publish(record);
  }
  if (saved) return path;
  m_lost = true;
  m_audience.note(fmt::format("the record is not saved: {}\n  what is shown here is all there is",
                              saved.error().message()));
  return {};
}

RunResult Recording::finish(const PassEnd& pass) {
  const engine::EngineEnd& end = pass.end;
  const bool planned = ended_as_planned(end.ended_by);
  record::RunFooter footer;
  footer.status = planned ? record::RunStatus::complete : record::RunStatus::interrupted;
  footer.ended_by = end.ended_by;
  footer.measured = end.measured;
  footer.measured_flow = pass.measured;
  footer.unmeasured_flow = pass.unmeasured;
  footer.client = pass.client;
  if (end.unissued > 0) {
    warn(
        fmt::format("{} operations were due and never sent: the cluster could not keep the rate, "
                    "and the latencies shown leave them out",
                    end.unissued));
  }
  if (end.unfinished > 0) {
    warn(fmt::format("{} operations never came back, not even when cancelled", end.unfinished));
  }
  if (end.ended_by == "errors") {
    warn(
        "the run was ended early: for 5 s operations failed and none succeeded; the errors above "
        "say how");
  }
  if (!pass.alarm.empty()) {
    warn(
        end.ended_by == "health"
            ? fmt::format("the run ended itself: {}; --push-through goes on regardless", pass.alarm)
            : fmt::format("{}, and the run went on", pass.alarm));
  }
  footer.warnings = m_warnings;
  footer.grade = m_grade;
  m_log->finish(std::move(footer));
  report_journal_error();

  RunResult result;
  result.saved_as = save();
  result.record = m_log->record();
  const bool flawed = pass.measured.failed + pass.measured.cancelled > 0 || end.unfinished > 0;
  if (end.ended_by.starts_with("SIG")) {
    result.exit = Exit::interrupted;
  } else if (flawed || !planned || m_lost) {
    result.exit = Exit::flawed;
  }
  return result;
}

}  // namespace radosload::run
