// `radosload join`: adds this process to a load that another process has started.
#include <memory>
#include <string>

#include "cli/commands/command.h"
#include "cli/commands/session_run.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/options/plan_options.h"
#include "cli/options/run_words.h"
#include "plan/options.h"
#include "report/format.h"

namespace radosload::cli {

namespace {

void declare_of_plan(CLI::App& command, RunWords& words, const char* name) {
  const plan::Option& option = *plan::find_option(name);
  declare(command, option, [&words, &option](const std::string& text) {
    set_or_throw(option, words.request.plan, text);
  });
}

Result<Exit> do_join(const RunWords& words) {
  if (words.request.plan.pool.empty()) {
    return fail({.attempt = "join the session",
                 .subject = words.request.plan.session.name,
                 .reason = "--pool is missing",
                 .hint = "give the pool of the run that began it: radosload join NAME --pool POOL",
                 .exit = Exit::usage});
  }
  return run_in_session(words, std::nullopt);
}

}  // namespace

void add_join(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("join", "Take part in a load that another machine has started");
  auto words = std::make_shared<RunWords>();
  command->add_option("SESSION", words->request.plan.session.name, "name given to --session there")
      ->required()
      ->type_name("NAME");
  for (const char* const name : {"pool", "namespace", "wait"}) {
    declare_of_plan(*command, *words, name);
  }
  add_leave(*command, *words);
  add_format_options(*command, words->format,
                     {.names = report::format_names(),
                      .help = "output on stdout, if this process becomes the leader"});
  command->add_option("--save", words->save, "file for the joint record [the run store]")
      ->type_name("FILE|none");
  command->add_flag("--overwrite", words->overwrite, "replace an existing file of --save")
      ->configurable(false);
  add_trace_file(*command, words->trace,
                 "also write a row for each operation of this process into this file")
      ->configurable(false);
  command->add_flag("--no-progress", words->no_progress, "no progress on stderr, only warnings");
  add_cluster_options(*command, words->request.plan.cluster);
  command->final_callback([words, &chosen] { chosen = [words] { return do_join(*words); }; });
}

}  // namespace radosload::cli
