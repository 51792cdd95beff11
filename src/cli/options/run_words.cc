#include "cli/options/run_words.h"

#include "cli/commands/html_file.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/options/plan_options.h"
#include "cli/output.h"
#include "record/drive_profile.h"
#include "report/format.h"

#include <fmt/core.h>

namespace radosload::cli {

namespace {

// Lists of values are split later, by plan/steps.
TakeText into_words(const plan::Option& option, RunWords& words) {
  if (option.name == "pattern") {
    return [&words](const std::string& text) { words.request.pattern = text; };
  }
  if (!option.listed) {
    return [&words, &option](const std::string& text) {
      set_or_throw(option, words.request.plan, text);
    };
  }
  const std::string name(option.name);
  if (option.recorded()) {
    return [&words, name](const std::string& text) { words.options[name] = {name, text}; };
  }
  // A switch that sets one value of another option.
  return [&words, &option, name](const std::string&) {
    const plan::Option& means = *plan::find_option(option.short_for);
    RunPlan plan;
    set_or_throw(option, plan, "yes");
    words.options[name] = {std::string(means.name), means.get(plan).value_or("")};
  };
}

void add_group(CLI::App& command, RunWords& words, plan::Group group) {
  for (const plan::Option& option : plan::options()) {
    if (option.group == group) declare(command, option, into_words(option, words));
  }
}

void add_drive_profile(CLI::App& command, RunWords& words) {
  command
      .add_flag("--drive-profile", words.drive_profile,
                "short for --pattern drive-profile: what this --drive is worth to an OSD")
      ->configurable(false)
      ->group(std::string(plan::title_of(plan::Group::pattern)));
}

void add_each(CLI::App& command, RunWords& words) {
  const std::string group(plan::title_of(plan::Group::osds));
  command
      .add_flag("--each", words.each,
                "measure the OSDs one at a time, in shuffled rounds, and print one table")
      ->group(group);
  command.add_option("--rounds", words.rounds, "with --each: number of measurements of each OSD")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
}

void add_resume(CLI::App& command, RunWords& words) {
  command
      .add_option("--resume", words.resume,
                  "continue a saved sweep or suite where it stopped, with its own options")
      ->type_name("SERIES|last|FILE")
      ->configurable(false)
      ->group(std::string(plan::title_of(plan::Group::pace)));
}

void add_dry_run(CLI::App& command, RunWords& words) {
  command
      .add_flag("--dry-run", words.dry_run,
                "show the plan, the space it needs and its first operations; write nothing")
      ->configurable(false)
      ->group(std::string(plan::title_of(plan::Group::safety)));
}

void add_require_clean(CLI::App& command, RunWords& words) {
  command
      .add_flag("--require-clean{3}", words.require_clean,
                "measure again until the run is graded clean; at most N times, as in "
                "--require-clean=5 [without a number: 3]")
      ->configurable(false)
      ->group(std::string(plan::title_of(plan::Group::safety)));
}

void add_formats(CLI::App& command, RunWords& words) {
  const std::string group = "Output";
  add_format_options(command, words.format,
                     {.names = report::format_names(),
                      .help = "output on stdout (of a sweep or suite: text, json or csv)"});
  command
      .add_option(
          "--fio-logs", words.fio_logs,
          "also write fio's logs of latency, bandwidth and IOPS into this folder, a row a second")
      ->type_name("FOLDER")
      ->group(group);
  command.add_option("--html", words.html, "also write the report as one HTML file with pictures")
      ->configurable(false)
      ->type_name("FILE.html")
      ->group(group);
}

HtmlFile html_file(const RunWords& words) {
  return {.path = words.html, .overwrite = words.overwrite, .option = "--html"};
}

void add_keeping(CLI::App& command, RunWords& words) {
  const std::string group(plan::title_of(plan::Group::output));
  command.add_option("--save", words.save, "file for the record of the run [the run store]")
      ->type_name("FILE|none")
      ->group(group);
  command.add_flag("--overwrite", words.overwrite, "replace existing files of --save and --html")
      ->configurable(false)
      ->group(group);
  add_trace_file(command, words.trace,
                 "also write a row for each operation into this file, a NumPy array that "
                 "'radosload trace' reads")
      ->group(group);
  command.add_flag("--no-progress", words.no_progress, "no progress on stderr, only warnings")
      ->group(group);
}

void add_load(CLI::App& command, RunWords& words) {
  using plan::Group;
  for (const Group group : {Group::where, Group::images, Group::pattern, Group::pace}) {
    add_group(command, words, group);
  }
}

// Options for watching, safety and output; --help lists them after those of the load.
void add_results(CLI::App& command, RunWords& words) {
  using plan::Group;
  add_group(command, words, Group::watching);
  add_group(command, words, Group::power);
  add_group(command, words, Group::safety);
  add_dry_run(command, words);
  add_keeping(command, words);
  add_group(command, words, Group::output);
}

// --drive, --image and --create choose the target, and --namespace is that of the images.
void settle_target(RunPlan& plan, const std::set<std::string>& given) {
  if (!given.contains("target")) plan.target = implied_target(plan);
  if (given.contains("namespace")) plan.images.nspace = plan.nspace;
}

}  // namespace

void add_load_words(CLI::App& command, RunWords& words) {
  add_load(command, words);
  add_results(command, words);
}

void add_run_words(CLI::App& command, RunWords& words) {
  add_load(command, words);
  add_drive_profile(command, words);
  add_group(command, words, plan::Group::osds);
  add_each(command, words);
  add_group(command, words, plan::Group::session);
  add_leave(command, words);
  add_resume(command, words);
  add_results(command, words);
  add_require_clean(command, words);
  add_formats(command, words);
}

void add_leave(CLI::App& command, RunWords& words) {
  command
      .add_flag(
          "--leave", words.leave,
          "with a session: Ctrl-C during the load ends this process only, the others continue")
      ->configurable(false)
      ->group(std::string(plan::title_of(plan::Group::session)));
}

void order_options(const CLI::App& command, RunWords& words,
                   const std::set<std::string>& from_files) {
  std::set<std::string> seen;
  for (const CLI::Option* const option : command.parse_order()) {
    const std::string name = option->get_single_name();
    if (!from_files.contains(name)) words.named.insert(name);
    const bool first = seen.insert(name).second;
    const auto listed = words.options.find(name);
    if (first && listed != words.options.end()) words.request.options.push_back(listed->second);
  }
  plan::Request& request = words.request;
  if (words.drive_profile) request.pattern = record::drive_profile_suite;
  settle_target(request.plan, seen);
  for (const char* const end : {"time", "ops", "bytes"}) {
    request.names_time = request.names_time || words.named.contains(end);
  }
  request.names_warmup = words.named.contains("warmup");
}

Status check_save(const RunWords& words, const std::optional<std::filesystem::path>& own) {
  if (!words.html.empty()) {
    RADOSLOAD_TRY(check_html(html_file(words)));
  }
  if (words.save.empty() || words.save == "none") {
    if (!words.overwrite || !words.html.empty()) return {};
    return fail({.reason = "--overwrite needs --save FILE",
                 .hint = "leave out --overwrite, or add --save FILE",
                 .exit = Exit::usage});
  }
  std::error_code ignored;
  const bool is_own = own && std::filesystem::equivalent(words.save, *own, ignored);
  const bool replace = words.overwrite || is_own;
  return record::check_place(words.save,
                             replace ? record::Existing::replace : record::Existing::refuse);
}

Exit exit_after_html(const RunWords& words, Exit exit, const std::function<std::string()>& page) {
  if (words.html.empty()) return exit;
  const auto written = write_html(html_file(words), page());
  if (written) return exit;
  warn(written.error().message());
  return exit == Exit::measured ? Exit::flawed : exit;
}

Result<std::uint32_t> clean_tries(const RunWords& words, const RunPlan& plan) {
  if (!words.named.contains("require-clean")) return 0;
  const auto refuse = [](std::string reason, std::string hint) {
    return fail({.reason = std::move(reason), .hint = std::move(hint), .exit = Exit::usage});
  };
  constexpr std::uint64_t most = 100;
  const auto tries = parse_count(words.require_clean);
  if (!tries || *tries < 1 || *tries > most) {
    return refuse(
        fmt::format("--require-clean takes 1 to {} tries, not {}", most, words.require_clean),
        "for example: --require-clean=5");
  }
  if (!words.trace.empty()) {
    return refuse("--require-clean may measure several times, but --trace is for one run",
                  "leave out --require-clean or --trace");
  }
  if (!words.save.empty() && words.save != "none") {
    return refuse("--require-clean keeps every try, but --save FILE has place for one",
                  "leave out --save: each try is in the run store");
  }
  if (needs_cluster(plan.target)) return static_cast<std::uint32_t>(*tries);
  return refuse("--require-clean needs a cluster: runs without one are not graded",
                "leave out --require-clean, or measure a cluster");
}

run::OutputOptions output_options(const RunWords& words, record::ProgressListener& listener) {
  run::OutputOptions output;
  output.program = program_name;
  if (words.save == "none") return output;
  if (!words.save.empty()) output.file = words.save;
  if (words.overwrite) output.existing = record::Existing::replace;
  auto store = open_store();
  if (store) {
    output.store = *std::move(store);
  } else {
    listener.note(fmt::format("{}\n  the run will not be saved{}", store.error().message(),
                              words.save.empty() ? "" : " until it ends"));
  }
  return output;
}

}  // namespace radosload::cli
