// `radosload compare`: shows saved runs or series side by side, and gives verdicts on arms.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/arms_action.h"
#include "cli/commands/command.h"
#include "cli/commands/drive_share_action.h"
#include "cli/commands/saved.h"
#include "cli/commands/study_saved.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "record/series_store.h"
#include "report/compare.h"
#include "report/series_compare.h"
#include "study/cell_figures.h"
#include "study/run_figures.h"
#include "views/list_json.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

struct CompareWords {
  std::vector<std::string> names;
  ArmWords arms;
  DriveWords drives;
  std::string format = "text";
  bool json() const { return format == "json"; }
};

Result<Exit> compare_runs(const CompareWords& words) {
  std::vector<record::RunRecord> runs;
  for (const std::string& name : words.names) {
    RADOSLOAD_ASSIGN(auto run, load_run(name));
    runs.push_back(std::move(run.record));
  }
  if (words.json()) return print_result(views::compare_json(runs));
  return print_text(report::compare_text(report::compare(runs)));
}

Result<record::Series> last_series() {
  RADOSLOAD_ASSIGN(const auto runs, open_store());
  RADOSLOAD_ASSIGN(const auto store, record::SeriesStore::beside(runs));
  RADOSLOAD_ASSIGN(const auto path, store.find("last"));
  return record::load_series(path);
}

Result<Exit> compare_series(const CompareWords& words) {
  std::vector<record::Series> all;
  for (const std::string& name : words.names) {
    RADOSLOAD_ASSIGN(auto found, load_series_named(name));
    if (!found && name != "last") {
      return fail({.attempt = "compare a series with",
                   .subject = name,
                   .reason = "no series has this name",
                   .hint = "compare series with series and runs with runs; 'radosload list' shows "
                           "both",
                   .exit = Exit::usage});
    }
    if (!found) {
      RADOSLOAD_ASSIGN(found, last_series());
    }
    all.push_back(*std::move(found));
  }
  if (words.json()) {
    RADOSLOAD_ASSIGN(const auto json, views::compare_series_json(all));
    return print_result(json);
  }
  RADOSLOAD_ASSIGN(const auto text, report::compare_series_text(all));
  return print_text(text);
}

Result<Exit> compare_any(const CompareWords& words) {
  const bool series =
      std::any_of(words.names.begin(), words.names.end(),
                  [](const std::string& name) { return series_named(name).has_value(); });
  return series ? compare_series(words) : compare_runs(words);
}

tl::unexpected<Error> wrong_words(std::string reason, std::string hint) {
  return fail({.attempt = "compare",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

Status refuse_timings(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!timing_named(name)) continue;
    return fail({.attempt = "compare",
                 .subject = name,
                 .reason = "it is a timing; only runs and series can be compared",
                 .hint = "'radosload report " + name + " --format csv' prints its figures",
                 .exit = Exit::usage});
  }
  return {};
}

// The level and threshold of the study apply unless others are given.
const ArmWords default_rules;

// A single study needs no second document, because its arms are compared.
Result<Exit> compare_study(const CompareWords& words, const std::filesystem::path& path) {
  const ArmWords& arms = words.arms;
  if (!arms.csv.empty() || !arms.against.empty() || arms.force) {
    return wrong_words("a study has arms of its own",
                       "leave out --against, --csv and --force; --by divides its cells otherwise");
  }
  RADOSLOAD_ASSIGN(auto document, load_study_document(path));
  if (!arms.primary.empty()) document.plan.primary = arms.primary;
  if (arms.threshold_percent != default_rules.threshold_percent) {
    document.plan.threshold = arms.threshold_percent / per_cent;
  }
  if (arms.level_percent != default_rules.level_percent) {
    document.plan.level = arms.level_percent / per_cent;
  }
  const study::StudyTally tally = study::tally_of(document);
  const bool clean = tally.contaminated == 0 && tally.measured == tally.cells;
  const Exit exit = arms.require_clean && !clean ? Exit::flawed : Exit::measured;
  if (!arms.by.empty()) return compare_study_by(document, arms, words.format, exit);
  return print_study(std::move(document), path.string(), words.format, arms.fail_if, exit);
}

Status check_compare_page(const CompareWords& words) {
  const HtmlFile& page = words.arms.page;
  if (page.path.empty()) {
    if (!page.overwrite) return {};
    return wrong_words("--overwrite needs --output", "for example: -o compare.html --overwrite");
  }
  if (!words.arms.any()) {
    return wrong_words("--output writes a page of verdicts, and there are no arms",
                       "give --csv FILE, or RUN... --against RUN... or RUN... --by KEY; "
                       "'radosload report RUN... -o FILE.html' shows runs side by side");
  }
  if (words.format != "text") {
    return wrong_words("--output cannot be combined with --format or --json",
                       "run the command once for each");
  }
  return check_html(page);
}

// A page alone: shows its verdicts, or its runs side by side.
Result<Exit> compare_page(const CompareWords& words, html::Kept kept) {
  if (kept.comparison) return compare_kept(kept, words.arms, words.format);
  if (words.format != "text" && !words.json()) {
    return wrong_words("--format " + words.format + " is of verdicts, and this page has none",
                       "use --format text or json");
  }
  std::vector<record::RunRecord> runs = std::move(kept.runs);
  if (kept.series) {
    RADOSLOAD_TRY(add_saved(words.names.front(), runs));
  }
  if (runs.size() < 2) {
    return wrong_words("this page has fewer than two runs", "give another run as well");
  }
  if (words.json()) return print_result(views::compare_json(runs));
  return print_text(report::compare_text(report::compare(runs)));
}

// Arms are another question than a pool and its drives.
Status check_drive_words(const CompareWords& words) {
  if (words.drives.runs.empty()) {
    if (words.drives.equal == 0) return {};
    return wrong_words("--drives needs --against-drives",
                       "for example: radosload compare last --against-drives RUN --drives 4");
  }
  const auto needless = words.arms.needless();
  if (!words.arms.any() && !needless && words.arms.page.path.empty()) return {};
  return wrong_words("--against-drives gives no verdict and makes no page",
                     "leave out the options of arms: --against, --by, --csv, --primary, --fail-if, "
                     "--require-clean, --force and -o");
}

Result<Exit> compare_words(const CompareWords& words) {
  RADOSLOAD_TRY(check_drive_words(words));
  if (!words.drives.runs.empty()) {
    return compare_with_drives(words.names, words.drives, words.format);
  }
  RADOSLOAD_TRY(check_compare_page(words));
  if (!words.arms.by.empty()) RADOSLOAD_TRY(study::divided_by(words.arms.by));
  if (words.names.size() == 1) {
    if (const auto study = study_named(words.names.front())) return compare_study(words, *study);
  }
  RADOSLOAD_TRY(refuse_timings(words.names));
  if (words.names.size() == 1 && !words.arms.any()) {
    RADOSLOAD_ASSIGN(auto kept, page_named(words.names.front()));
    if (kept) return compare_page(words, *std::move(kept));
  }
  if (words.arms.any()) return compare_arms(words.names, words.arms, words.format);
  if (const auto option = words.arms.needless()) {
    return wrong_words(*option + " is of no use without arms",
                       "give --csv FILE, or RUN... --against RUN... or RUN... --by KEY");
  }
  if (words.names.size() < 2) {
    return wrong_words("fewer than two runs or series were given",
                       "for example: radosload compare 20261124-1030 last\n"
                       "  or give --csv FILE, RUN... --against RUN... or RUN... --by KEY");
  }
  if (words.format == "text" || words.json()) return compare_any(words);
  return wrong_words("--format " + words.format + " is of verdicts",
                     "give --csv FILE, or RUN... --against RUN... or RUN... --by KEY");
}

}  // namespace

void add_compare(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand(
      "compare", "Show runs or series side by side, or which of two arms is faster");
  auto words = std::make_shared<CompareWords>();
  command
      ->add_option("RUN", words->names,
                   "IDs of runs or of series, their beginnings, 'last', or files; or one study")
      ->expected(1, -1);
  add_arm_options(*command, words->arms);
  add_drive_options(*command, words->drives);
  command
      ->add_option("-o,--output", words->arms.page.path,
                   "write the verdicts as one HTML file with pictures")
      ->type_name("FILE.html")
      ->group("Output");
  command
      ->add_flag("--overwrite", words->arms.page.overwrite, "let --output replace an existing file")
      ->group("Output");
  add_format_options(*command, words->format, {.names = {"text", "json", "markdown", "go-bench"}});
  command->final_callback([words, &chosen] { chosen = [words] { return compare_words(*words); }; });
}

}  // namespace radosload::cli
