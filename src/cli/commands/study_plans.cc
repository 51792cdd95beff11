#include "cli/commands/study_plans.h"

#include <algorithm>
#include <utility>

#include "radosload/printable.h"

#include "cli/commands/command.h"
#include "cli/commands/time_cell.h"
#include "cli/mistakes.h"
#include "cli/options/run_words.h"
#include "cluster/admin.h"
#include "observe/osds.h"
#include "plan/names.h"
#include "plan/options.h"
#include "plan/steps.h"
#include "prepare/pinning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

constexpr std::string_view osd_prefix = "osd.";

// Parses the options of one run like a command line.
Result<RunWords> parsed_words(std::vector<std::string> words) {
  RunWords parsed;
  CLI::App program("", "radosload");
  auto* const command = program.add_subcommand("run", "");
  add_run_words(*command, parsed);
  add_cluster_options(*command, parsed.request.plan.cluster);
  words.insert(words.begin(), "run");
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return fail(usage_error(program, words, error));
  }
  order_options(*command, parsed, {});
  return parsed;
}

// Refuses options that a study sets itself.
Status refuse_own(const RunWords& words) {
  for (const char* const name : {"each", "rounds", "resume", "dry-run", "require-clean", "save",
                                 "html", "trace", "fio-logs", "format", "json", "overwrite"}) {
    if (!words.named.contains(name)) continue;
    return fail({.reason = fmt::format("--{} is not for the runs of a study", name),
                 .hint = "leave it out of the study's options",
                 .exit = Exit::usage});
  }
  return {};
}

Error in_arm(Error error, const study::Arm& arm, const study::Work& work) {
  error.reason =
      fmt::format("{} (arm {}, {})", error.reason, printable(arm.name), printable(work.name));
  return error;
}

Result<RunPlan> plan_of_words(const study::StudyPlan& plan, const study::Arm& arm,
                              const study::Work& work) {
  std::vector<std::string> words = plan.options;
  words.insert(words.end(), arm.options.begin(), arm.options.end());
  const bool timer = work.what == study::Work::What::timer;
  // A timer needs only the options for the cluster, but a plan needs a load.
  if (timer) words.insert(words.end(), {"--pattern", "randread4k"});
  if (!timer) {
    words.emplace_back("--pattern");
    words.insert(words.end(), work.words.begin(), work.words.end());
    if (!plan.load.rate.empty()) words.insert(words.end(), {"--rate", plan.load.rate});
  }
  RADOSLOAD_ASSIGN(const auto parsed, parsed_words(std::move(words)));
  RADOSLOAD_TRY(refuse_own(parsed));
  if (timer) return parsed.request.plan;
  RADOSLOAD_ASSIGN(const auto steps, plan::expand(parsed.request));
  if (steps.series()) {
    return fail({.reason = "a cell is one run, but these options describe several",
                 .hint = "give every option one value; a sweep is several patterns of the study",
                 .exit = Exit::usage});
  }
  return steps.steps.front().plan;
}

std::string whole_unit(const RunPlan& plan) {
  if (plan.drive.any()) return "drive " + plan.drive.path;
  if (!needs_cluster(plan.target)) return fmt::format("target {}", plan::name_of(plan.target));
  if (plan.files.any()) return "file system " + plan.files.system;
  if (plan.target != TargetKind::rbd) return "pool " + plan.pool;
  if (plan.images.names.empty()) return fmt::format("new images in pool {}", plan.pool);
  return fmt::format("image {} in pool {}", fmt::join(plan.images.names, ", "), plan.pool);
}

}  // namespace

std::vector<std::string> cluster_words(const ClusterOptions& options) {
  RunPlan given;
  given.cluster = options;
  const RunPlan defaults;
  std::vector<std::string> words;
  for (const plan::Option& option : plan::options()) {
    if (option.group != plan::Group::cluster || !option.recorded()) continue;
    const auto value = option.get(given);
    if (!value || value == option.get(defaults)) continue;
    words.push_back(fmt::format("--{}={}", option.name, *value));
  }
  return words;
}

Result<RunPlan> plan_of_cell(const study::StudyPlan& plan, const study::Arm& arm,
                             const study::Work& work) {
  auto made = plan_of_words(plan, arm, work);
  if (!made) return fail(in_arm(std::move(made).error(), arm, work));
  return made;
}

Result<StudyRunPlans> study_run_plans(const study::StudyPlan& plan, bool yes) {
  StudyRunPlans plans;
  for (const study::Arm& arm : plan.arms) {
    auto& of_arm = plans.emplace_back();
    for (const study::Work& work : plan.works) {
      RADOSLOAD_ASSIGN(auto made, plan_of_cell(plan, arm, work));
      if (work.what == study::Work::What::timer) {
        RADOSLOAD_TRY(check_timer_words(
            {.words = work.words, .cluster = made.cluster, .osd = 0, .yes = yes}));
        if (!made.pins.any()) {
          return fail(in_arm({.reason = "a timer needs OSDs, and the arm names none",
                              .hint = "add --osd to the arm's words",
                              .exit = Exit::usage},
                             arm, work));
        }
      }
      of_arm.push_back(std::move(made));
    }
  }
  return plans;
}

Result<std::vector<study::ArmUnits>> study_units(const study::StudyPlan& plan,
                                                 const StudyRunPlans& plans) {
  std::vector<study::ArmUnits> all;
  for (std::size_t i = 0; i < plan.arms.size(); ++i) {
    const RunPlan& first = plans[i].front();
    study::ArmUnits& arm = all.emplace_back();
    arm.arm = plan.arms[i].name;
    if (!first.pins.any()) {
      arm.units.push_back(whole_unit(first));
      continue;
    }
    RADOSLOAD_ASSIGN(const auto admin, cluster::Admin::open(first.cluster));
    RADOSLOAD_ASSIGN(const auto inventory, observe::fetch_osds(*admin));
    RADOSLOAD_ASSIGN(const auto osds, prepare::pinned_osds(first.pins, inventory));
    for (const std::int32_t osd : osds) arm.units.push_back(fmt::format("{}{}", osd_prefix, osd));
  }
  return all;
}

}  // namespace radosload::cli
