#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/fio_log_files.h"
#include "cli/options.h"
#include "cli/preview_text.h"
#include "cli/terminal.h"
#include "report/format.h"
#include "run/preview.h"
#include "run/run.h"
#include "workload/arrival.h"
#include "workload/patterns.h"

#include <fmt/core.h>

namespace radosload::cli {

namespace {

constexpr const char* program_name = "radosload " RADOSLOAD_VERSION;

const std::map<std::string, TargetKind>& target_kinds() {
  static const std::map<std::string, TargetKind> kinds = {{"rados", TargetKind::rados},
                                                          {"rbd", TargetKind::rbd},
                                                          {"null", TargetKind::null},
                                                          {"sim", TargetKind::sim}};
  return kinds;
}

// The words as given; what they mean is settled once all of them are known.
struct RunWords {
  RunPlan plan;
  std::string target;
  std::optional<std::string> nspace;
  std::string pattern;
  std::vector<workload::Setting> settings;
  std::string rate;
  std::string format = "text";
  std::string save;
  std::string fio_logs;  // a folder
  bool no_progress = false;
  bool dry_run = false;
  std::string threads;  // a key of --sim
};

// Whether somebody has asked for it, rather than the pattern.
bool names_key(const RunWords& words, const std::string& key) {
  for (const auto& setting : words.settings) {
    if (setting.key == key) return true;
  }
  return words.pattern.find("," + key + "=") != std::string::npos;
}

// Images are meant wherever one is named or to be made; then the namespace is that of the images.
void settle_target(const RunWords& words, RunPlan& plan) {
  const ImagePlan& images = plan.images;
  if (words.target.empty()) {
    const bool any = !images.names.empty() || images.create.count > 0;
    plan.target = any ? TargetKind::rbd : TargetKind::rados;
  } else {
    plan.target = target_kinds().at(words.target);
  }
  if (words.nspace) plan.nspace = *words.nspace;
  if (words.nspace) plan.images.nspace = *words.nspace;
  plan.size_named = names_key(words, "size");
  plan.object_size_named = names_key(words, "object-size");
}

Result<RunPlan> plan_of(const RunWords& words) {
  RunPlan plan = words.plan;
  if (!words.threads.empty()) plan.sim += (plan.sim.empty() ? "" : ",") + words.threads;
  if (words.pattern.empty()) {
    return fail({.attempt = "plan the run",
                 .reason = "no pattern is named",
                 .hint =
                     "name one with --pattern, for example randrw4k; 'radosload patterns' lists "
                     "them",
                 .exit = Exit::usage});
  }
  auto pattern = workload::parse_pattern(words.pattern, words.settings);
  if (!pattern) return fail(pattern.error());
  plan.pattern = *std::move(pattern);
  if (!words.rate.empty()) {
    const auto arrival = workload::parse_arrival(words.rate);
    if (!arrival) return fail(arrival.error());
    plan.arrival = *arrival;
    if (!names_key(words, "qd")) {
      plan.pattern.queue_depth = default_open_depth(plan.pattern.block_size);
    }
  }
  settle_target(words, plan);
  if (auto valid = validate(plan); !valid) return fail(valid.error());
  return plan;
}

// Without a place to keep records a run is still worth making; it says that it is not kept.
run::Keeping keeping_of(const RunWords& words, run::Audience& audience) {
  run::Keeping keeping;
  keeping.program = program_name;
  if (words.save == "none") return keeping;
  if (!words.save.empty()) keeping.file = words.save;
  auto store = open_store();
  if (store) {
    keeping.store = *std::move(store);
  } else {
    audience.note(fmt::format("{}\n  the run is not kept{}", store.error().message(),
                              words.save.empty() ? "" : " until it ends"));
  }
  return keeping;
}

Result<Exit> do_dry_run(const RunWords& words, const RunPlan& plan) {
  if (words.format != "text" && words.format != "json") {
    return fail({.attempt = "show the plan",
                 .subject = "as " + words.format,
                 .reason = "that is a format of results",
                 .hint = "--dry-run goes with --format text or json",
                 .exit = Exit::usage});
  }
  run::Keeping nowhere;
  nowhere.program = program_name;
  const auto preview = run::preview(plan, nowhere);
  if (!preview) return fail(preview.error());
  print_result(words.format == "json" ? preview_json(*preview) : preview_text(*preview));
  if (preview->refusal) return fail(*preview->refusal);
  return Exit::measured;
}

// The result has been shown by now, so that whatever becomes of the logs costs nothing but them.
Exit exit_after_logs(const RunWords& words, const run::RunResult& result) {
  if (words.fio_logs.empty()) return result.exit;
  const auto written = write_fio_logs(words.fio_logs, result.record);
  if (written) return result.exit;
  fmt::print(stderr, "radosload: {}\n", written.error().message());
  return result.exit == Exit::measured ? Exit::flawed : result.exit;
}

Result<Exit> do_run(const RunWords& words) {
  const auto format = report::parse_format(words.format);
  if (!format) return fail(format.error());
  const auto plan = plan_of(words);
  if (!plan) return fail(plan.error());
  if (words.dry_run) return do_dry_run(words, *plan);
  if (!words.fio_logs.empty()) {
    if (auto ready = prepare_fio_logs(words.fio_logs, *plan); !ready) return fail(ready.error());
  }
  run::Interrupts interrupts;
  auto result = [&] {
    const auto terminal =
        make_terminal(words.no_progress ? ProgressStyle::none : ProgressStyle::automatic);
    const run::Keeping keeping = keeping_of(words, *terminal);
    return run::execute(*plan, keeping, interrupts, *terminal);
  }();
  if (!result) return fail(result.error());
  print_result(report::render(result->record, *format, result->saved_as));
  return exit_after_logs(words, *result);
}

void add_where(CLI::App& command, RunWords& words) {
  const std::string group = "Where";
  command.add_option("-p,--pool", words.plan.pool, "pool to put the load on")
      ->type_name("POOL")
      ->group(group);
  command
      .add_option("--namespace", words.nspace,
                  "namespace for the objects, or of the images [objects: radosload]")
      ->type_name("NS")
      ->group(group);
  command
      .add_option("--target", words.target,
                  "rados, rbd, null (what radosload itself costs) or sim (a computed cluster) "
                  "[rbd when there are images, else rados]")
      ->check(CLI::IsMember({"rados", "rbd", "null", "sim"}))
      ->type_name("KIND")
      ->group(group);
  command.add_option("--sim", words.plan.sim, "what the simulated cluster is like")
      ->type_name("KEY=VALUE,...")
      ->group(group);
  command
      .add_option_function<std::uint32_t>(
          "--threads",
          [&words](std::uint32_t threads) { words.threads = fmt::format("threads={}", threads); },
          "sim: answer in real time from so many threads [virtual time]")
      ->type_name("N")
      ->group(group);
}

void add_images(CLI::App& command, RunWords& words) {
  const std::string group = "Images (RBD)";
  ImagePlan& images = words.plan.images;
  command
      .add_option("--image", images.names,
                  "put the load on these images, or on snapshots of them (reads only)")
      ->delimiter(',')
      ->type_name("NAME[@SNAP][,...]")
      ->group(group);
  add_bytes(command, "--create", images.create,
            "make the images, of this size, and remove them afterwards; without --image one for "
            "each client")
      ->group(group);
  command.add_option("--data-pool", images.data_pool, "pool for the data of images that are made")
      ->type_name("POOL")
      ->group(group);
  command
      .add_flag("--destroy-data", images.destroy_data,
                "overwrite images that radosload has not made")
      ->group(group);
  command
      .add_flag("--rbd-cache", images.cache,
                "leave librbd its cache and scheduler: writes are then acknowledged by the client")
      ->group(group);
}

void add_what(CLI::App& command, RunWords& words) {
  const std::string group =
      "What (keys of the pattern; 'radosload patterns NAME' shows what it has for them)";
  command.add_option("--pattern", words.pattern, "named pattern; 'radosload patterns' lists them")
      ->type_name("NAME[,key=value...]")
      ->group("Where");
  for (const workload::KeyHelp& key : workload::pattern_keys()) {
    command
        .add_option_function<std::string>(
            "--" + std::string(key.key),
            [&words, name = std::string(key.key)](const std::string& value) {
              words.settings.push_back({name, value});
            },
            std::string(key.summary))
        ->type_name(std::string(key.values))
        ->group(group);
  }
  command
      .add_flag_callback(
          "--no-verify",
          [&words] {
            words.settings.push_back({"verify", "no"});
          },
          "the same as --verify no")
      ->group(group);
}

void add_how(CLI::App& command, RunWords& words) {
  const std::string group = "How long, how fast, how wide";
  RunPlan& plan = words.plan;
  add_duration(command, "--time", plan.extent.time, "length of the measured phase; 0: no limit")
      ->group(group);
  command.add_option("--ops", plan.extent.ops, "end after so many operations")
      ->type_name("N")
      ->group(group);
  add_bytes(command, "--bytes", plan.extent.bytes, "end after so many bytes")->group(group);
  add_duration(command, "--warmup", plan.warmup, "load before anything is measured")->group(group);
  command
      .add_option("--rate", words.rate,
                  "open loop: so many operations a second, however slow the answers")
      ->type_name("OPS[/s][,poisson|constant]")
      ->group(group);
  command.add_option("--clients", plan.clients, "independent cluster handles")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  command.add_option("--seed", plan.seed, "same seed, same operations [drawn, and printed]")
      ->type_name("N")
      ->group(group);
}

void add_safety(CLI::App& command, RunWords& words) {
  const std::string group = "Safety";
  RunPlan& plan = words.plan;
  command.add_flag("--keep", plan.keep, "leave the objects for a later --reuse")->group(group);
  command.add_option("--reuse", plan.reuse, "run whose objects to use instead of writing new ones")
      ->type_name("RUN|last")
      ->group(group);
  command
      .add_flag("--dry-run", words.dry_run,
                "show the plan, the space it takes and its first operations; write nothing")
      ->group(group);
  command
      .add_flag("--allow-unhealthy", plan.allow_unhealthy,
                "start in HEALTH_ERR too, or with PGs that take no operations")
      ->group(group);
  command
      .add_flag("--push-through", plan.push_through,
                "go on when health turns to HEALTH_ERR, operations get slow or the pool full")
      ->group(group);
  add_duration(command, "--op-timeout", plan.op_timeout,
               "give up an operation after this; 0: never")
      ->group(group);
  add_duration(command, "--drain", plan.drain, "wait for what is in flight at the end")
      ->group(group);
  add_bytes(command, "--prefill-rate", plan.prefill_rate, "bytes a second at most; 0: no limit")
      ->group(group);
}

void add_output(CLI::App& command, RunWords& words) {
  const std::string group = "Output";
  command
      .add_option("--format", words.format, "text, json, rados-bench, rados-bench-json or fio-json")
      ->capture_default_str()
      ->type_name("FORMAT")
      ->group(group);
  command.add_option("--save", words.save, "where the record goes [the run store]")
      ->type_name("FILE|none")
      ->group(group);
  command
      .add_option("--fio-logs", words.fio_logs,
                  "write fio's logs of latency, bandwidth and IOPS there, a row a second")
      ->type_name("FOLDER")
      ->group(group);
  command.add_flag("--no-progress", words.no_progress, "nothing on stderr but warnings")
      ->group(group);
}

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand(
      "run", "Put a load on a pool and measure it (the word may be left out)");
  command->footer(
      "Examples:\n"
      "  radosload --pool hdd --pattern randrw4k\n"
      "  radosload --pool ssd --pattern randread4k --rate 2000,poisson --time 5m\n"
      "  radosload --pool hdd --pattern seq,read=0,bs=1M --clients 4 --format json\n"
      "  radosload --pool ssd --create 10G --data-pool hdd --pattern randrw4k\n"
      "  radosload --pool ssd --image vm1 --pattern randread4k --dry-run\n");
  auto words = std::make_shared<RunWords>();
  add_where(*command, *words);
  add_images(*command, *words);
  add_what(*command, *words);
  add_how(*command, *words);
  add_safety(*command, *words);
  add_output(*command, *words);
  add_cluster_options(*command, words->plan.cluster);
  command->final_callback([words, &chosen] { chosen = [words] { return do_run(*words); }; });
}

}  // namespace radosload::cli
