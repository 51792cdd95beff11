// `radosload replicas`: runs writes on a replicated pool, and finds the OSD that slows them down.

#include <memory>
#include <string>
#include <utility>

#include "cli/commands/command.h"
#include "cli/commands/dry_run.h"
#include "cli/options/format_options.h"
#include "cli/options/run_words.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "cluster/admin.h"
#include "plan/names.h"
#include "study/replica_study.h"
#include "study/replicas.h"
#include "views/replicas_text.h"

#include <fmt/core.h>

namespace radosload::cli {

namespace {

// Many small objects, so that every PG has some.
constexpr const char* usual_pattern = "randwrite4k,object-size=64k,size=256M";

struct ReplicaWords {
  RunWords run;
  double least_percent = 20;
  std::string fail_if;
};

tl::unexpected<Error> refused(std::string reason, std::string hint) {
  return fail({.attempt = "name the slow replica",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

Result<RunPlan> plan_of(const ReplicaWords& words) {
  plan::Request request = words.run.request;
  if (request.pattern.empty()) request.pattern = usual_pattern;
  RADOSLOAD_ASSIGN(auto steps, plan::expand(request));
  if (steps.series()) {
    return refused("lists of values and suites are several runs, but 'replicas' makes one run",
                   "give every key one value");
  }
  RunPlan plan = std::move(steps.steps.front().plan);
  if (!needs_cluster(plan.target)) {
    return refused(fmt::format("--target {} has no OSDs", plan::name_of(plan.target)),
                   "leave out --target");
  }
  if (plan.target == TargetKind::cephfs) {
    return refused("files cannot be pinned to OSDs",
                   "name a pool with --pool, for example the data pool of the file system");
  }
  if (!study::changes_objects(plan.pattern)) {
    return refused(
        "the pattern only reads, and a read involves one OSD only",
        "use a pattern that writes, such as randwrite4k; to compare reads of single OSDs, use "
        "'radosload run --osd LIST --each'");
  }
  return plan;
}

Exit exit_of(const ReplicaWords& words, const study::ReplicaStudy& study, Exit of_run) {
  const bool slow = study.replicas.told.has(stats::Verdict::slow);
  return of_run == Exit::measured && words.fail_if == "slow" && slow ? Exit::verdict : of_run;
}

Result<Exit> tell_replicas(const ReplicaWords& words) {
  RADOSLOAD_ASSIGN(const auto plan, plan_of(words));
  const bool json = words.run.format == "json";
  RADOSLOAD_TRY(check_save(words.run));
  if (words.run.dry_run) return do_dry_run(words.run.format, plan);
  RADOSLOAD_ASSIGN(const auto admin, cluster::Admin::open(plan.cluster));
  RADOSLOAD_TRY(study::check_replica_pool(*admin, plan));
  RADOSLOAD_ASSIGN(auto trace, study::rows_of_study(words.run.trace));

  base::Interrupts interrupts;
  auto result = [&] {
    const auto terminal =
        make_terminal(words.run.no_progress ? ProgressStyle::none : ProgressStyle::automatic);
    run::OutputOptions output = output_options(words.run, *terminal);
    output.trace = trace;
    return run::execute(plan, output, interrupts, *terminal);
  }();
  if (!result) return fail(result.error());
  constexpr double percent = 100;
  const Exit of_run = result->exit;
  RADOSLOAD_ASSIGN(const auto study,
                   study::replica_study_of(*admin, *std::move(result), *trace,
                                           {.least_effect = words.least_percent / percent}));
  return print_result(json ? views::replicas_json(study) : views::replicas_text(study),
                      exit_of(words, study, of_run));
}

// Hides options of `radosload run` that do not apply: replicas always makes one run on a cluster.
void narrow_load_words(CLI::App& command) {
  for (const char* const without_osds : {"--target", "--sim", "--threads"}) {
    command.get_option(without_osds)->group("");  // hidden; refused with their own message
  }
  command.get_option("--pattern")
      ->description("pattern that writes ('radosload patterns' lists them)")
      ->default_str(usual_pattern);
  command.get_option("--rate")->description(
      "open loop: operations per second, sent on time even if answers are slow");
  command.get_option("--clients")->description("number of independent connections to the cluster");
}

}  // namespace

void add_replicas(CLI::App& program, Action& chosen, const std::set<std::string>& from_files) {
  auto* const command = program.add_subcommand(
      "replicas", "Find the slow OSD of a replicated pool, from a run of writes");
  auto words = std::make_shared<ReplicaWords>();
  add_load_words(*command, words->run);
  narrow_load_words(*command);
  constexpr double most = 10'000;
  command
      ->add_option("--matters", words->least_percent,
                   "an OSD is slow if it makes writes at least this much longer")
      ->check(CLI::Range(0.0, most).description(""))
      ->capture_default_str()
      ->type_name("PERCENT");
  command
      ->add_option("--fail-if", words->fail_if, "exit with status 5 if an OSD is slow, for scripts")
      ->check(CLI::IsMember({"slow"}));
  add_format_options(*command, words->run.format);
  add_cluster_options(*command, words->run.request.plan.cluster);
  command->final_callback([command, words, &chosen, &from_files] {
    order_options(*command, words->run, from_files);
    chosen = [words] { return tell_replicas(*words); };
  });
}

}  // namespace radosload::cli
