// `radosload study`: runs the measurements of a study file and gives the verdict.

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/command.h"
#include "cli/commands/dry_run.h"
#include "cli/commands/study_conduct.h"
#include "cli/commands/study_findable.h"
#include "cli/commands/study_plans.h"
#include "cli/commands/study_rights.h"
#include "cli/commands/study_saved.h"
#include "cli/commands/study_timers.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "study/study_file.h"

namespace radosload::cli {

namespace {

struct StudyWords {
  ClusterOptions cluster;
  std::string file;
  std::vector<std::string> arms;
  std::vector<std::string> settings;
  bool print = false;
  bool dry_run = false;
  std::vector<std::string> like;
  std::string resume;
  StudyManner manner;
  std::set<std::string> named;  // as Resumed has it
};

tl::unexpected<Error> study_usage(std::string reason, std::string hint) {
  return fail({.reason = std::move(reason), .hint = std::move(hint), .exit = Exit::usage});
}

Result<study::StudyPlan> planned_study(const StudyWords& words) {
  RADOSLOAD_ASSIGN(const auto path, study::find_study(words.file));
  RADOSLOAD_ASSIGN(auto plan, study::read_study_file(path));
  for (const std::string& arm : words.arms) RADOSLOAD_TRY(study::apply_arm(plan, arm));
  for (const std::string& text : words.settings) RADOSLOAD_TRY(study::apply_setting(plan, text));
  RADOSLOAD_TRY(study::check_study(plan, path.string()));
  return plan;
}

Result<Exit> begin_study(const StudyWords& words) {
  RADOSLOAD_ASSIGN(auto plan, planned_study(words));
  if (words.print) return print_result(study::study_text(plan));
  // Options of the file come later, so they take priority.
  const auto cluster = cluster_words(words.cluster);
  plan.options.insert(plan.options.begin(), cluster.begin(), cluster.end());
  RADOSLOAD_ASSIGN(auto plans, study_run_plans(plan, words.manner.yes || words.dry_run));
  RADOSLOAD_ASSIGN(auto document, new_study(std::move(plan), plans));
  if (words.manner.pilot) RADOSLOAD_TRY(study::cells_of_pilot(document));
  RADOSLOAD_ASSIGN(auto refusal, study::compare_arms(document, plans, words.manner.force));
  study::remark_on_kept_objects(document, plans);
  if (refusal && !words.dry_run) return fail(*std::move(refusal));
  RADOSLOAD_ASSIGN(auto findable, what_it_could_find(document, plans, words.like));
  if (words.dry_run) {
    return show_outlook(document, plans, std::move(findable), words.manner.format,
                        std::move(refusal));
  }
  if (const auto refused = refused_timers(document, plans); !refused.empty()) {
    return fail(refused.front());
  }
  RADOSLOAD_ASSIGN(const auto path, save_new_study(document));
  tell_outlook(findable);
  return conduct_study(std::move(document), std::move(plans), path, words.manner);
}

Result<Exit> resume_study(const StudyWords& words) {
  if (!words.file.empty() || !words.arms.empty() || !words.settings.empty() || words.print) {
    return study_usage("--resume takes the plan from the saved study",
                       "leave out the file, --arm, --set and --print");
  }
  RADOSLOAD_ASSIGN(const auto path, find_saved_study(words.resume));
  const Resumed resumed{.name = words.resume,
                        .path = path,
                        .cluster = words.cluster,
                        .named = words.named,
                        .yes = words.manner.yes};
  RADOSLOAD_TRY(check_connection(resumed));
  RADOSLOAD_ASSIGN(auto document, load_study_document(path));
  RADOSLOAD_TRY(permit_commands(resumed, document.plan));
  RADOSLOAD_ASSIGN(auto plans, study_run_plans(document.plan, words.manner.yes || words.dry_run));
  if (resumed.is_file()) RADOSLOAD_TRY(take_rights_from_words(resumed, plans));
  if (words.manner.pilot) RADOSLOAD_TRY(study::cells_of_pilot(document));
  if (!words.dry_run)
    return conduct_study(std::move(document), std::move(plans), path, words.manner);
  RADOSLOAD_ASSIGN(auto findable, what_it_could_find(document, plans, words.like));
  return show_outlook(document, plans, std::move(findable), words.manner.format, std::nullopt);
}

Status check_like(const StudyWords& words) {
  if (words.like.empty() || words.dry_run || words.resume.empty()) return {};
  return study_usage("--like is for the report before a study starts",
                     "leave it out, or add --dry-run");
}

Status check_pilot(const StudyWords& words) {
  if (!words.manner.pilot) return {};
  if (words.dry_run || words.print) {
    return study_usage("--pilot measures, and --dry-run and --print do not", "give one of them");
  }
  if (!words.manner.fail_if.empty()) {
    return study_usage("--pilot ends without a verdict, which --fail-if would need",
                       "give --fail-if to the command that completes the study");
  }
  const std::string& format = words.manner.format;
  if (format == "text" || format == "json") return {};
  return study_usage("--pilot ends without a verdict, which --format " + format + " would need",
                     "use --format text or json");
}

Result<Exit> do_study(const StudyWords& words) {
  RADOSLOAD_TRY(check_pilot(words));
  RADOSLOAD_TRY(check_like(words));
  if (words.dry_run) RADOSLOAD_TRY(check_preview_format(words.manner.format));
  if (!words.resume.empty()) return resume_study(words);
  if (words.file.empty()) {
    return study_usage("'radosload study' needs a file, the name of a study, or --resume",
                       "for example: radosload study wal-vs-db --dry-run; 'radosload help studies' "
                       "explains the file");
  }
  if (!words.manner.phase.empty()) {
    return study_usage("--phase is for a study that has begun",
                       "begin the study without --phase; it says when the next phase is due");
  }
  return begin_study(words);
}

void add_study_options(CLI::App& command, StudyWords& words) {
  command.add_option("FILE|NAME", words.file,
                     "a YAML file, or the name of a study that is shipped");
  command.add_option("--arm", words.arms, "replace or add an arm, in words of 'radosload run'")
      ->allow_extra_args(false)
      ->configurable(false)
      ->type_name("NAME=WORDS");
  command.add_option("--set", words.settings, "set a key of the file, as in rounds=3")
      ->allow_extra_args(false)
      ->configurable(false)
      ->type_name("KEY=VALUE");
  command.add_flag("--print", words.print, "print the study as a file, and do nothing else")
      ->configurable(false);
  command.add_flag("--dry-run", words.dry_run, "show schedule, length and space; write nothing")
      ->configurable(false);
  command
      .add_flag(
          "--pilot", words.manner.pilot,
          "measure the first two rounds, then report the smallest difference that the study can "
          "detect")
      ->configurable(false);
  command
      .add_option("--like", words.like,
                  "estimate the scatter from these saved runs, or from this study")
      ->allow_extra_args(false)
      ->configurable(false)
      ->type_name("RUN|STUDY");
  command
      .add_option("--resume", words.resume,
                  "continue a saved study where it stopped, with its own options")
      ->configurable(false)
      ->type_name("STUDY|last|FILE");
  command
      .add_option("--phase", words.manner.phase,
                  "with --resume: the cluster is in this phase of the study now")
      ->configurable(false)
      ->type_name("NAME");
  command
      .add_flag("--yes", words.manner.yes,
                "let the study restart OSDs, and run the commands of a file")
      ->configurable(false);
  command
      .add_flag("--force", words.manner.force,
                "compare arms although they also differ in other properties")
      ->configurable(false);
  command
      .add_option("--fail-if", words.manner.fail_if,
                  "exit with status 5 on this verdict, of the primary metric if there is one")
      ->check(CLI::IsMember({"slower", "inconclusive", "different"}).description(""))
      ->type_name("slower|inconclusive|different");
  add_format_options(command, words.manner.format,
                     {.names = {"text", "json", "markdown", "go-bench"}});
  command.add_flag("--no-progress", words.manner.no_progress, "no progress on stderr");
}

}  // namespace

void add_study(CLI::App& program, Action& chosen, const std::set<std::string>& from_files) {
  auto* const command = program.add_subcommand(
      "study", "Compare OSDs, pools or settings in shuffled rounds; give a verdict");
  auto words = std::make_shared<StudyWords>();
  add_study_options(*command, *words);
  add_cluster_options(*command, words->cluster);
  command->final_callback([command, words, &chosen, &from_files] {
    for (const CLI::Option* const option : command->parse_order()) {
      const std::string name = option->get_single_name();
      if (!from_files.contains(name)) words->named.insert(name);
    }
    chosen = [words] { return do_study(*words); };
  });
}

}  // namespace radosload::cli
