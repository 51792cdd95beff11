#include "cli/commands/session_run.h"

#include <memory>
#include <string>
#include <unistd.h>
#include <utility>

#include "base/interrupts.h"
#include "cli/commands/fio_log_files.h"
#include "cli/options/display_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "html/page.h"
#include "report/format.h"
#include "report/layout.h"
#include "run/run.h"
#include "session/division.h"
#include "session/membership.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

// Passes everything on to the listener, and reports progress to the session.
class SessionListener final : public record::ProgressListener {
 public:
  SessionListener(record::ProgressListener& terminal, session::Membership& membership)
      : m_terminal(terminal), m_membership(membership) {}

  void progress(const record::Progress& progress) override {
    record::Progress with_all = progress;
    if (const auto joint = m_membership.get_on(progress)) with_all.session = live_text(*joint);
    m_terminal.progress(with_all);
  }
  void note(const std::string& text) override { m_terminal.note(text); }

 private:
  static std::string live_text(const session::JointRates& joint) {
    return fmt::format("session  all {} members: {} IOPS, {} MiB/s; lowest: {}, {} IOPS",
                       joint.members, report::grouped(joint.all.ops),
                       report::grouped(joint.all.bytes >> 20U), joint.lowest,
                       report::grouped(joint.lowest_ops));
  }

  record::ProgressListener& m_terminal;
  session::Membership& m_membership;
};

Status check_words_of_session(const RunWords& words) {
  const char* const unsupported = words.dry_run                  ? "--dry-run"
                                  : words.each                   ? "--each"
                                  : !words.require_clean.empty() ? "--require-clean"
                                  : !words.resume.empty()        ? "--resume"
                                                                 : nullptr;
  if (unsupported == nullptr) return {};
  return fail({.reason = fmt::format("--session does not work with {} yet", unsupported),
               .hint = fmt::format("leave out {}, or --session", unsupported),
               .exit = Exit::usage});
}

// Saves the joint record and returns its path; empty: it was not saved.
std::string save_joint(const RunWords& words, const run::OutputOptions& output,
                       const record::RunRecord& joint) {
  if (words.save == "none") return {};
  if (output.file) {
    const auto saved = record::save_record(*output.file, joint, output.existing);
    if (saved) return output.file->string();
    warn(fmt::format("the joint record is not saved to this file: {}", saved.error().message()));
  }
  if (!output.store) return {};
  const auto published = output.store->publish(joint);
  if (published) return output.store->record_path(joint.header.run_id).string();
  warn(fmt::format("the joint record is not saved: {}\n  this output is the only copy",
                   published.error().message()));
  return {};
}

Exit exit_of(const record::RunRecord& joint, const std::string& saved_as, bool wanted) {
  if (joint.status == record::RunStatus::interrupted) return Exit::interrupted;
  const record::Flow& flow = joint.measured_flow;
  const bool lost = flow.failed + flow.cancelled > 0 || (wanted && saved_as.empty());
  const bool whole = joint.status == record::RunStatus::complete &&
                     joint.grade.value != record::GradeValue::void_run;
  return lost || !whole ? Exit::flawed : Exit::measured;
}

Result<Exit> report_joint(const RunWords& words, report::Format format,
                          const run::OutputOptions& output, const record::RunRecord& joint) {
  const std::string saved_as = save_joint(words, output, joint);
  Exit exit = exit_of(joint, saved_as, words.save != "none");
  const std::string text = report::render(joint, format, saved_as, style_for(STDOUT_FILENO));
  const auto print = format == report::Format::text ? print_text : print_result;
  exit = print(text, exit, shown_again(saved_as));
  if (!words.fio_logs.empty()) {
    if (const auto written = write_fio_logs(words.fio_logs, joint); !written) {
      warn(written.error().message());
      if (exit == Exit::measured) exit = Exit::flawed;
    }
  }
  return exit_after_html(words, exit, [&] { return html::page(joint); });
}

// For a member that has left. `saved_as`: its own record; empty: it has none.
std::string left_text(const std::string& session, const session::WoundUp& wound_up,
                      const std::string& saved_as) {
  const std::string own = saved_as.empty()
                              ? "this member has no record of its own"
                              : fmt::format("this member's own record is {}", saved_as);
  if (wound_up.unheard.empty()) {
    return fmt::format(
        "radosload: left session {}; the others continue and print the joint report\n  {}\n",
        session, own);
  }
  return fmt::format(
      "radosload: left session {}, and the others may not know it yet: {}\n"
      "  they note it after 25 s and print the joint report; {}\n",
      session, wound_up.unheard, own);
}

// What is left to tell when the session is over for this member.
struct PartTaken {
  Result<run::RunResult> own;
  session::WoundUp wound_up;
  run::OutputOptions output;
};

// The part of one member, with its progress on the terminal: what is drawn there is wiped when this
// returns, so messages and the report come after it.
Result<PartTaken> take_part(const RunWords& words, const std::optional<RunPlan>& plan,
                            std::shared_ptr<trace::TraceWriter> trace) {
  base::Interrupts interrupts;  // must exist before librados starts its threads
  const auto terminal =
      make_terminal(words.no_progress ? ProgressStyle::none : ProgressStyle::automatic);
  run::OutputOptions output = output_options(words, *terminal);
  const RunPlan& asked = words.request.plan;
  RADOSLOAD_ASSIGN(auto membership, session::Membership::come({.cluster = asked.cluster,
                                                               .pool = asked.pool,
                                                               .nspace = asked.nspace,
                                                               .session = asked.session.name,
                                                               .program = program_name,
                                                               .wait = asked.session.wait,
                                                               .leaves = words.leave,
                                                               .plan = plan},
                                                              interrupts, *terminal));
  auto own = [&]() -> Result<run::RunResult> {
    RADOSLOAD_ASSIGN(auto part,
                     session::plan_of_member(membership->whole_plan(), membership->part()));
    part.cluster = asked.cluster;
    run::OutputOptions of_member = output;
    of_member.file.reset();  // --save names the joint record, not this member's
    of_member.trace = std::move(trace);
    of_member.tap = [&](const record::JournalLine& line) { membership->add_line(line); };
    SessionListener listener(*terminal, *membership);
    return run::execute(part, of_member, interrupts, listener, nullptr, membership.get());
  }();
  const auto failed = own ? std::optional<Error>() : own.error();
  const bool cut_short = !own || own->record.status != record::RunStatus::complete;
  RADOSLOAD_ASSIGN(auto wound_up, membership->wind_up(failed, cut_short));
  return PartTaken{std::move(own), std::move(wound_up), std::move(output)};
}

}  // namespace

Result<Exit> run_in_session(const RunWords& words, const std::optional<RunPlan>& plan) {
  RADOSLOAD_TRY(check_words_of_session(words));
  RADOSLOAD_ASSIGN(const auto format, report::parse_format(words.format));
  RADOSLOAD_TRY(check_save(words));
  std::shared_ptr<trace::TraceWriter> trace;
  if (!words.trace.empty()) {
    RADOSLOAD_ASSIGN(trace, trace::TraceWriter::create(words.trace));
  }
  RADOSLOAD_ASSIGN(const auto taken, take_part(words, plan, std::move(trace)));
  const std::string& name = words.request.plan.session.name;
  if (taken.wound_up.joint) {
    RADOSLOAD_ASSIGN(const Exit exit,
                     report_joint(words, format, taken.output, *taken.wound_up.joint));
    return taken.wound_up.left ? Exit::interrupted : exit;
  }
  if (taken.wound_up.left) {
    tell(left_text(name, taken.wound_up, taken.own ? taken.own->saved_as : ""));
    return Exit::interrupted;
  }
  tell(fmt::format("radosload: the member that leads session {} prints the joint report{}\n", name,
                   taken.own->saved_as.empty()
                       ? ""
                       : fmt::format("\n  this member's own record is {}", taken.own->saved_as)));
  return taken.own->exit;
}

}  // namespace radosload::cli
