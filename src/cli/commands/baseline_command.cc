// `radosload baseline`: keeps runs under a name, and measures the same again later.

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/printable.h"

#include "base/interrupts.h"
#include "cli/commands/arms_action.h"
#include "cli/commands/baseline_check.h"
#include "cli/commands/command.h"
#include "cli/commands/confirm.h"
#include "cli/commands/saved.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/options/run_words.h"
#include "cli/output.h"
#include "record/baseline.h"
#include "views/baseline.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

constexpr double default_threshold = 5;  // percent, as of compare
constexpr double default_level = 95;

struct BaselineWords {
  std::string action;
  std::string name;
  std::vector<std::string> runs;
  std::string primary;
  double threshold_percent = default_threshold;
  double level_percent = default_level;
  bool overwrite = false;
  BaselineCheck check;
  std::set<std::string> named;  // the options that are given
};

tl::unexpected<Error> wrong_baseline(std::string reason, std::string hint) {
  return fail({.reason = std::move(reason), .hint = std::move(hint), .exit = Exit::usage});
}

Result<record::BaselineStore> open_baselines() {
  RADOSLOAD_ASSIGN(const auto runs, open_store());
  return record::BaselineStore::beside(runs);
}

Result<views::BaselineShown> shown(record::Baseline baseline, const record::BaselineStore& store) {
  RADOSLOAD_ASSIGN(auto groups, study::outlook_of_baseline(baseline));
  std::string path = store.document_path(baseline.name).string();
  return views::BaselineShown{
      .baseline = std::move(baseline), .groups = std::move(groups), .path = std::move(path)};
}

Exit print_baseline(const views::BaselineShown& one, const std::string& format) {
  return format == "json" ? print_result(views::baselines_json({one}))
                          : print_text(views::baseline_text(one));
}

// ---- keep ----

// Each run once, however often it is named.
Result<std::vector<record::RunRecord>> named_runs(const std::vector<std::string>& names) {
  std::vector<record::RunRecord> all;
  for (const std::string& name : names) RADOSLOAD_TRY(add_saved(name, all));
  std::vector<record::RunRecord> runs;
  std::set<std::string> seen;
  for (record::RunRecord& run : all) {
    if (seen.insert(run.header.run_id).second) runs.push_back(std::move(run));
  }
  return runs;
}

Status check_new_name(const BaselineWords& words, const record::BaselineStore& store) {
  if (!record::is_baseline_name(words.name)) {
    return fail({.attempt = "keep a baseline as",
                 .subject = printable(words.name),
                 .reason = "a name has letters, digits, '.', '_' and '-', at most 64, and begins "
                           "with a letter or a digit",
                 .hint = "for example: radosload baseline keep before-upgrade RUN...",
                 .exit = Exit::usage});
  }
  if (words.overwrite || !store.holds(words.name)) return {};
  return fail({.attempt = "keep baseline",
               .subject = words.name,
               .reason = "there is one of this name",
               .hint = "choose another name, or replace it with --overwrite",
               .exit = Exit::refused});
}

Status check_good(const BaselineWords& words, const std::vector<std::string>& objections) {
  if (objections.empty() || words.check.force) return {};
  for (const std::string& one : objections) warn(one);
  return fail({.attempt = "keep baseline",
               .subject = words.name,
               .reason = "not all runs are a good base (see above)",
               .hint = "leave them out, measure again, or keep them with --force",
               .exit = Exit::refused});
}

Result<Exit> keep(const BaselineWords& words) {
  RADOSLOAD_ASSIGN(const auto store, open_baselines());
  RADOSLOAD_TRY(check_new_name(words, store));
  RADOSLOAD_ASSIGN(auto runs, named_runs(words.runs));
  RADOSLOAD_TRY(study::check_repeatable(runs));
  auto objections = study::objections_to(runs);
  RADOSLOAD_TRY(check_good(words, objections));
  record::Baseline baseline{.name = words.name,
                            .kept = record::iso_time(std::chrono::system_clock::now()),
                            .program = program_name,
                            .primary = words.primary,
                            .threshold = words.threshold_percent / per_cent,
                            .level = words.level_percent / per_cent,
                            .objections = std::move(objections),
                            .runs = std::move(runs)};
  RADOSLOAD_ASSIGN(const auto one, shown(std::move(baseline), store));
  RADOSLOAD_TRY(store.save(one.baseline,
                           words.overwrite ? record::Existing::replace : record::Existing::refuse));
  return print_baseline(one, words.check.format);
}

// ---- the others ----

Result<Exit> show(const BaselineWords& words) {
  RADOSLOAD_ASSIGN(const auto store, open_baselines());
  RADOSLOAD_ASSIGN(auto baseline, store.load(words.name));
  RADOSLOAD_ASSIGN(const auto one, shown(std::move(baseline), store));
  return print_baseline(one, words.check.format);
}

// Warns about a baseline that cannot be read, and continues with the others. The newest first.
Result<Exit> list(const BaselineWords& words) {
  RADOSLOAD_ASSIGN(const auto store, open_baselines());
  RADOSLOAD_ASSIGN(const auto names, store.list());
  std::vector<views::BaselineShown> all;
  for (const std::string& name : names) {
    auto baseline = store.load(name);
    auto one = baseline ? shown(*std::move(baseline), store) : fail(baseline.error());
    if (one) {
      all.push_back(*std::move(one));
    } else {
      warn(one.error().message());
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.baseline.kept > b.baseline.kept; });
  return words.check.format == "json" ? print_result(views::baselines_json(all))
                                      : print_result(views::baselines_text(all));
}

// The runs of a baseline may be nowhere else any more, so it asks.
Result<Exit> remove(const BaselineWords& words) {
  RADOSLOAD_ASSIGN(const auto store, open_baselines());
  if (!words.check.yes && store.holds(words.name)) {
    const base::Interrupts interrupts;
    const std::string path = store.document_path(words.name).string();
    RADOSLOAD_TRY(confirm_removal(
        {.attempt = "remove baseline",
         .subject = words.name,
         .shown = printable(fmt::format("baseline {}: {}", words.name, path)) + "\n"},
        interrupts));
  }
  RADOSLOAD_TRY(store.remove(words.name));
  return print_text(fmt::format("removed baseline {}\n", words.name));
}

Result<Exit> check(const BaselineWords& words) {
  RADOSLOAD_ASSIGN(const auto store, open_baselines());
  RADOSLOAD_ASSIGN(auto baseline, store.load(words.name));
  if (words.named.contains("primary")) baseline.primary = words.primary;
  if (words.named.contains("threshold")) baseline.threshold = words.threshold_percent / per_cent;
  if (words.named.contains("level")) baseline.level = words.level_percent / per_cent;
  return check_baseline(baseline, words.check);
}

// ---- the words ----

struct Belongs {
  std::string_view option;
  std::string_view actions;  // with a space around each
};
constexpr std::array<Belongs, 9> belongings = {{
    {"primary", " keep check "},
    {"threshold", " keep check "},
    {"level", " keep check "},
    {"force", " keep check "},
    {"overwrite", " keep "},
    {"runs", " check "},
    {"require-clean", " check "},
    {"dry-run", " check "},
    {"yes", " check remove "},
}};

Status check_words(const BaselineWords& words) {
  for (const Belongs& one : belongings) {
    const bool fits = one.actions.find(" " + words.action + " ") != std::string_view::npos;
    if (fits || !words.named.contains(std::string(one.option))) continue;
    return wrong_baseline(
        fmt::format("--{} has no meaning for 'baseline {}'", one.option, words.action),
        "leave it out; 'radosload baseline --help' says what each option is for");
  }
  if (words.check.format == "markdown" && words.action != "check") {
    return wrong_baseline("--format markdown is for 'baseline check'", "use --format text or json");
  }
  if (words.action == "list") {
    if (words.name.empty()) return {};
    return wrong_baseline("'baseline list' takes no name",
                          "'radosload baseline show " + printable(words.name) + "' shows one");
  }
  if (words.name.empty()) {
    return wrong_baseline(fmt::format("'baseline {}' needs the name of a baseline", words.action),
                          words.action == "keep"
                              ? "for example: radosload baseline keep before-upgrade RUN..."
                              : "'radosload baseline list' shows the names");
  }
  if (words.action == "keep" && words.runs.empty()) {
    return wrong_baseline("'baseline keep' needs the runs to keep",
                          fmt::format("for example: radosload baseline keep {} RUN RUN RUN RUN; "
                                      "'radosload list' shows their IDs",
                                      printable(words.name)));
  }
  if (words.action != "keep" && !words.runs.empty()) {
    return wrong_baseline(fmt::format("'baseline {}' takes one name", words.action),
                          "leave out the other words");
  }
  return {};
}

Result<Exit> run_baseline(const BaselineWords& words) {
  RADOSLOAD_TRY(check_words(words));
  if (words.action == "keep") return keep(words);
  if (words.action == "check") return check(words);
  if (words.action == "list") return list(words);
  if (words.action == "show") return show(words);
  return remove(words);
}

void add_rules(CLI::App& command, BaselineWords& words) {
  command
      .add_option("--primary", words.primary,
                  "keep, check: the metric that is tested first, at the full level, as in 'iops' "
                  "or 'read p99_us'; none: all share it [iops; with --rate mean_us]")
      ->type_name("METRIC")
      ->configurable(false);
  command
      .add_option("--threshold", words.threshold_percent,
                  "keep, check: smaller changes do not matter, in percent")
      ->check(CLI::Range(0.0, 1000.0).description(""))
      ->capture_default_str()
      ->type_name("PERCENT")
      ->configurable(false);
  command
      .add_option("--level", words.level_percent,
                  "keep, check: confidence of all verdicts together, in percent")
      ->check(CLI::Range(50.0, 99.99).description(""))
      ->capture_default_str()
      ->type_name("PERCENT")
      ->configurable(false);
}

void add_baseline_options(CLI::App& command, BaselineWords& words) {
  command.add_option("ACTION", words.action, "keep, check, list, show or remove")
      ->check(CLI::IsMember({"keep", "check", "list", "show", "remove"}).description(""))
      ->required();
  command.add_option("NAME", words.name, "the baseline");
  command.add_option("RUN", words.runs, "keep: IDs of runs or series, their beginnings, or files")
      ->expected(0, -1);
  add_rules(command, words);
  command.add_flag("--overwrite", words.overwrite, "keep: replace a baseline of this name")
      ->configurable(false);
  command
      .add_flag("--force", words.check.force,
                "keep: also runs that were disturbed or not graded; check: also on another cluster")
      ->configurable(false);
  command
      .add_option("--runs", words.check.repeats,
                  "check: new runs of each load [as many as the baseline has]")
      ->check(CLI::Range(2, 1000).description(""))
      ->type_name("N")
      ->configurable(false);
  command
      .add_flag("--require-clean", words.check.require_clean,
                "check: measure a disturbed run again, twice at most; exit with status 1 unless "
                "every run is graded clean")
      ->configurable(false);
  command.add_flag("--dry-run", words.check.dry_run, "check: show what would be measured")
      ->configurable(false);
  command
      .add_flag("--yes", words.check.yes,
                "check: also overwrite data and run commands, as the kept runs did; remove: do not "
                "ask")
      ->configurable(false);
  add_format_options(command, words.check.format,
                     {.names = {"text", "json", "markdown"},
                      .help = "what to print on stdout; markdown: of check only"});
  command.add_flag("--no-progress", words.check.no_progress, "no progress on stderr");
}

}  // namespace

void add_baseline(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("baseline", "Keep runs, and later measure whether it became slower");
  auto words = std::make_shared<BaselineWords>();
  add_baseline_options(*command, *words);
  add_cluster_options(*command, words->check.cluster);
  command->final_callback([command, words, &chosen] {
    for (const Belongs& one : belongings) {
      if (command->count(fmt::format("--{}", one.option)) > 0) words->named.emplace(one.option);
    }
    chosen = [words] { return run_baseline(*words); };
  });
}

}  // namespace radosload::cli
