#include "cli/run_words.h"

#include "cli/options.h"
#include "report/format.h"

#include <fmt/core.h>

namespace radosload::cli {

namespace {

// An option that may hold a list: what it means is for workload/steps to say.
CLI::Option* add_listed(CLI::App& command, RunWords& words, const std::string& name,
                        const std::string& help) {
  return command.add_option_function<std::string>(
      "--" + name,
      [&words, name](const std::string& value) {
        words.options[name] = {name, value};
      },
      help);
}

void add_where(CLI::App& command, RunWords& words) {
  const std::string group = "Where";
  command.add_option("-p,--pool", words.request.plan.pool, "pool to put the load on")
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
  command.add_option("--sim", words.request.plan.sim, "what the simulated cluster is like")
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
  ImagePlan& images = words.request.plan.images;
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
      .add_option("--luks-passphrase", images.passphrase_file,
                  "file with the passphrase of encrypted images: what is inside is measured")
      ->type_name("FILE")
      ->group(group);
  command
      .add_flag("--rbd-cache", images.cache,
                "leave librbd its cache and scheduler: writes are then acknowledged by the client")
      ->group(group);
}

void add_which(CLI::App& command, RunWords& words) {
  const std::string group = "Which OSDs";
  PinPlan& pins = words.request.plan.pins;
  command
      .add_option("--osd", pins.osds,
                  "use only objects that these OSDs serve; --qd, --size and --rate are for each of "
                  "them")
      ->type_name("0,3-5,host=NAME,class=hdd,kind=wal")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--pin",
          [&pins](const std::string& word) {
            pins.mode = word == "all" ? PinMode::all : PinMode::primary;
          },
          "primary: the OSD serves the reads and leads the writes; all: the whole acting set is "
          "among them")
      ->check(CLI::IsMember({"primary", "all"}))
      ->default_str("primary")
      ->group(group);
  command
      .add_flag("--each", words.each, "one of them at a time, in shuffled rounds, and one table")
      ->group(group);
  command.add_option("--rounds", words.rounds, "how often each of them is measured, with --each")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
}

void add_what(CLI::App& command, RunWords& words) {
  const std::string group =
      "What (keys of the pattern; 'radosload patterns NAME' shows what it has for them)";
  command
      .add_option("--pattern", words.request.pattern,
                  "named pattern or suite; 'radosload patterns' lists them. A key with a "
                  "list of values (qd=1:4:16) makes a run for each")
      ->type_name("NAME[,key=value...]")
      ->group("Where");
  for (const plan::KeyHelp& key : plan::pattern_keys()) {
    command
        .add_option_function<std::string>(
            "--" + std::string(key.key),
            [&words, name = std::string(key.key)](const std::string& value) {
              words.options[name] = {name, value};
            },
            std::string(key.summary))
        ->type_name(std::string(key.values))
        ->group(group);
  }
  command
      .add_flag_callback(
          "--no-verify",
          [&words] {
            words.options["no-verify"] = {"verify", "off"};
          },
          "the same as --verify off")
      ->group(group);
}

void add_how(CLI::App& command, RunWords& words) {
  const std::string group = "How long, how fast, how wide";
  RunPlan& plan = words.request.plan;
  add_duration(command, "--time", plan.extent.time, "length of the measured phase; 0: no limit")
      ->group(group);
  command.add_option("--ops", plan.extent.ops, "end after so many operations")
      ->type_name("N")
      ->group(group);
  add_bytes(command, "--bytes", plan.extent.bytes, "end after so many bytes")->group(group);
  add_duration(command, "--warmup", plan.warmup, "load before anything is measured")->group(group);
  add_listed(command, words, "rate",
             "open loop: so many operations a second, however slow the answers; may be a list")
      ->type_name("OPS[/s][,poisson|constant]")
      ->group(group);
  add_listed(command, words, "clients", "independent cluster handles; may be a list")
      ->type_name("N")
      ->default_str("1")
      ->group(group);
  command.add_option("--seed", plan.seed, "same seed, same operations [drawn, and printed]")
      ->type_name("N")
      ->group(group);
}

void add_resume(CLI::App& command, RunWords& words) {
  command
      .add_option("--resume", words.resume,
                  "go on with a sweep or suite where it was left, with its own plan")
      ->type_name("SERIES|last|FILE")
      ->group("How long, how fast, how wide");
}

void add_watching(CLI::App& command, RunWords& words) {
  const std::string group = "Watching";
  ObserverPlan& observer = words.request.plan.observer;
  command
      .add_option("--observer-id", observer.id,
                  "user that reads the OSDs' own counters and does nothing else "
                  "('radosload help pinning')")
      ->type_name("ID")
      ->group(group);
  command.add_option("--observer-keyring", observer.keyring, "the observer's keyring")
      ->type_name("FILE")
      ->group(group);
}

void add_safety(CLI::App& command, RunWords& words) {
  const std::string group = "Safety";
  RunPlan& plan = words.request.plan;
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

void add_formats(CLI::App& command, RunWords& words) {
  const std::string group = "Output";
  command
      .add_option("--format", words.format,
                  "what to print on stdout; of a sweep or suite text or json")
      ->capture_default_str()
      ->type_name(report::format_names())
      ->group(group);
  command
      .add_option("--fio-logs", words.fio_logs,
                  "write fio's logs of latency, bandwidth and IOPS there, a row a second")
      ->type_name("FOLDER")
      ->group(group);
}

void add_keeping(CLI::App& command, RunWords& words) {
  const std::string group = "Output";
  command.add_option("--save", words.save, "where the record goes [the run store]")
      ->type_name("FILE|none")
      ->group(group);
  command.add_flag("--overwrite", words.overwrite, "replace the file that --save names")
      ->group(group);
  command
      .add_option("--trace", words.trace,
                  "write a row for each operation there, as a NumPy array; 'radosload trace' reads "
                  "it, too")
      ->type_name("FILE.npy")
      ->group(group);
  command.add_flag("--no-progress", words.no_progress, "nothing on stderr but warnings")
      ->group(group);
}

// Images are meant wherever one is named or to be made; then the namespace is that of the images.
void settle_target(RunWords& words) {
  static const std::map<std::string, TargetKind> kinds = {{"rados", TargetKind::rados},
                                                          {"rbd", TargetKind::rbd},
                                                          {"null", TargetKind::null},
                                                          {"sim", TargetKind::sim}};
  RunPlan& plan = words.request.plan;
  const bool images = !plan.images.names.empty() || plan.images.create.count > 0;
  plan.target = images ? TargetKind::rbd : TargetKind::rados;
  if (!words.target.empty()) plan.target = kinds.at(words.target);
  if (words.nspace) plan.nspace = *words.nspace;
  if (words.nspace) plan.images.nspace = *words.nspace;
}

}  // namespace

void add_load_words(CLI::App& command, RunWords& words) {
  add_where(command, words);
  add_images(command, words);
  add_what(command, words);
  add_how(command, words);
  add_watching(command, words);
  add_safety(command, words);
  add_keeping(command, words);
}

void add_run_words(CLI::App& command, RunWords& words) {
  add_load_words(command, words);
  add_which(command, words);
  add_resume(command, words);
  add_formats(command, words);
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
  settle_target(words);
  plan::Request& request = words.request;
  for (const char* const end : {"time", "ops", "bytes"}) {
    request.names_time = request.names_time || words.named.contains(end);
  }
  request.names_warmup = words.named.contains("warmup");
  std::string& sim = request.plan.sim;
  if (!words.threads.empty()) sim += (sim.empty() ? "" : ",") + words.threads;
}

Status check_save(const RunWords& words, const std::optional<std::filesystem::path>& own) {
  if (words.save.empty() || words.save == "none") {
    if (!words.overwrite) return {};
    return fail({.reason = "--overwrite is about the file that --save names, and none is named",
                 .hint = "leave out --overwrite, or add --save FILE",
                 .exit = Exit::usage});
  }
  std::error_code ignored;
  const bool is_own = own && std::filesystem::equivalent(words.save, *own, ignored);
  const bool replace = words.overwrite || is_own;
  return record::check_place(words.save,
                             replace ? record::Existing::replace : record::Existing::refuse);
}

run::OutputOptions keeping_of(const RunWords& words, record::ProgressListener& audience) {
  run::OutputOptions keeping;
  keeping.program = program_name;
  if (words.save == "none") return keeping;
  if (!words.save.empty()) keeping.file = words.save;
  if (words.overwrite) keeping.existing = record::Existing::replace;
  auto store = open_store();
  if (store) {
    keeping.store = *std::move(store);
  } else {
    audience.note(fmt::format("{}\n  the run is not kept{}", store.error().message(),
                              words.save.empty() ? "" : " until it ends"));
  }
  return keeping;
}

}  // namespace radosload::cli
