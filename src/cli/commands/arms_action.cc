#include "cli/commands/arms_action.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <memory>
#include <utility>

#include "radosload/printable.h"

#include "cli/commands/saved.h"
#include "cli/output.h"
#include "html/comparison_page.h"
#include "plan/command.h"
#include "report/facts.h"
#include "study/cell_figures.h"
#include "study/run_figures.h"
#include "views/verdicts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

bool is_met(const std::string& fail_if, const views::Verdicts& verdicts) {
  using stats::ArmVerdict;
  for (const study::Contest& contest : verdicts.contests) {
    const stats::Answer& answer = contest.answer;
    if (!verdicts.rules.primary.empty() && answer.metric != verdicts.rules.primary) continue;
    const auto either = [&](ArmVerdict told) {
      return answer.this_kind.told == told || answer.these_osds.told == told;
    };
    const bool slower = either(ArmVerdict::slower);
    const bool different = slower || either(ArmVerdict::faster);
    if (fail_if == "slower" && slower) return true;
    if (fail_if == "different" && different) return true;
    if (fail_if == "inconclusive" && !different && !either(ArmVerdict::equivalent)) return true;
  }
  return false;
}

std::string verdicts_in(const views::Verdicts& verdicts, const std::string& format) {
  if (format == "json") return views::verdicts_json(verdicts);
  if (format == "markdown") return views::verdicts_markdown(verdicts);
  if (format == "go-bench") return views::verdicts_go_bench(verdicts);
  return views::verdicts_text(verdicts);
}

namespace {

// ---- figures from a file ----

struct CloseStream {
  void operator()(std::FILE* stream) const { std::fclose(stream); }
};

// Reads at most one byte more than is accepted, because a device or a growing file may have no end.
Result<std::string> csv_text(const std::string& path) {
  const auto unread = [&](int errnum) {
    return fail({.attempt = "read figures from",
                 .subject = printable(path),
                 .hint = "give the path of a CSV file",
                 .errnum = errnum,
                 .exit = Exit::usage});
  };
  const std::unique_ptr<std::FILE, CloseStream> stream(std::fopen(path.c_str(), "rbe"));
  if (!stream) return unread(errno);
  std::string text(study::most_csv_bytes + 1, '\0');
  errno = 0;
  const std::size_t read = std::fread(text.data(), 1, text.size(), stream.get());
  if (std::ferror(stream.get()) != 0) return unread(errno);
  text.resize(read);
  return text;
}

// ---- figures from runs ----

bool is_graded(const record::RunRecord& run, record::GradeValue grade) {
  return run.grade.value == grade;
}

// The runs of one comparison: those that count, and problems of the others.
struct Gathered {
  std::vector<study::ArmRun> runs;
  std::vector<std::string> warnings;
  bool all_clean = true;
};

void gather(const std::string& arm, std::vector<record::RunRecord> runs, Gathered& into) {
  for (record::RunRecord& run : runs) {
    into.all_clean = into.all_clean && is_graded(run, record::GradeValue::clean);
    const std::string id = run.header.run_id;
    if (is_graded(run, record::GradeValue::void_run)) {
      into.warnings.push_back(fmt::format("{} is left out: {}", id, report::grade_text(run.grade)));
      continue;
    }
    const auto same = std::find_if(into.runs.begin(), into.runs.end(), [&](const auto& other) {
      return other.record.header.run_id == id && other.arm == arm;
    });
    if (same != into.runs.end()) continue;
    if (run.status != record::RunStatus::complete) {
      into.warnings.push_back(fmt::format("{}: {}", id, record::status_name(run.status)));
    }
    if (is_graded(run, record::GradeValue::contaminated)) {
      into.warnings.push_back(fmt::format("{}: {}", id, report::grade_text(run.grade)));
    }
    into.runs.push_back({.arm = arm, .record = std::move(run)});
  }
}

Result<std::vector<study::ArmFigure>> figures_for(const std::vector<study::ArmRun>& runs,
                                                  const ArmWords& words,
                                                  std::vector<std::string>& warnings) {
  if (words.by.empty()) return study::figures_of_runs(runs);
  RADOSLOAD_ASSIGN(const auto division, study::divided_by(words.by));
  return study::figures_by(runs, division, warnings);
}

std::vector<study::ArmRun> without_contaminated(const std::vector<study::ArmRun>& runs) {
  std::vector<study::ArmRun> kept;
  for (const study::ArmRun& run : runs) {
    if (!is_graded(run.record, record::GradeValue::contaminated)) kept.push_back(run);
  }
  return kept;
}

void withhold(std::vector<study::Contest>& contests) {
  for (study::Contest& contest : contests) {
    for (stats::Finding* const finding : {&contest.answer.this_kind, &contest.answer.these_osds}) {
      finding->told = stats::ArmVerdict::not_assessable;
      finding->level.reset();
      finding->needed.reset();
      finding->reason = "withheld, because the plans of the runs differ (--force decides anyway)";
    }
  }
}

// Fills in the figures and contests of these runs.
Status judge_runs(const std::vector<study::ArmRun>& runs, const ArmWords& words,
                  views::Verdicts& into) {
  RADOSLOAD_ASSIGN(into.figures, figures_for(runs, words, into.warnings));
  RADOSLOAD_ASSIGN(into.contests, study::judge_figures(into.figures, into.rules));
  const auto unlike = study::unlike_plans(runs);
  into.warnings.insert(into.warnings.end(), unlike.begin(), unlike.end());
  if (!unlike.empty() && !words.force) withhold(into.contests);
  return {};
}

Result<Gathered> gathered(const std::vector<std::string>& names, const ArmWords& words) {
  Gathered all;
  std::vector<record::RunRecord> first;
  for (const std::string& name : names) RADOSLOAD_TRY(add_saved(name, first));
  std::vector<record::RunRecord> second;
  for (const std::string& name : words.against) RADOSLOAD_TRY(add_saved(name, second));
  gather("A", std::move(first), all);
  gather("B", std::move(second), all);
  return all;
}

// ---- the end ----

Exit print_verdicts(const std::string& text, const std::string& format, Exit exit) {
  return format == "text" ? print_text(text, exit) : print_result(text, exit);
}

stats::ArmRules rules_of(const ArmWords& words) {
  return {.level = words.level_percent / per_cent,
          .threshold = words.threshold_percent / per_cent,
          .primary = words.primary};
}

Exit arms_exit(const ArmWords& words, const views::Verdicts& verdicts, bool clean) {
  if (words.require_clean && !clean) return Exit::flawed;
  return is_met(words.fail_if, verdicts) ? Exit::verdict : Exit::measured;
}

// The command that writes the page again; quotes file names with spaces.
std::string page_command(const std::vector<std::string>& names, const ArmWords& words) {
  std::vector<std::string> command = {"radosload", "compare"};
  const auto add = [&command](const std::string& option, const std::vector<std::string>& values) {
    if (values.empty() || values.front().empty()) return;
    command.push_back(option);
    command.insert(command.end(), values.begin(), values.end());
  };
  command.insert(command.end(), names.begin(), names.end());
  add("--against", words.against);
  add("--by", {words.by});
  add("--csv", {words.csv});
  add("--primary", {words.primary});
  add("--threshold", {fmt::format("{:g}", words.threshold_percent)});
  add("--level", {fmt::format("{:g}", words.level_percent)});
  if (words.force) command.emplace_back("--force");
  add("-o", {words.page.path});
  for (std::string& word : command) word = plan::shell_word(word);
  return fmt::format("{}", fmt::join(command, " "));
}

Result<Exit> compare_csv(const ArmWords& words, const std::string& format) {
  views::Verdicts verdicts{.rules = rules_of(words), .figures = {}, .contests = {}, .warnings = {}};
  RADOSLOAD_ASSIGN(const auto text, csv_text(words.csv));
  RADOSLOAD_ASSIGN(verdicts.figures, study::figures_of_csv(text, printable(words.csv)));
  RADOSLOAD_ASSIGN(verdicts.contests, study::judge_figures(verdicts.figures, verdicts.rules));
  if (!words.page.path.empty()) {
    RADOSLOAD_TRY(write_html(
        words.page, html::page({.verdicts = verdicts, .command = page_command({}, words)})));
    return arms_exit(words, verdicts, true);
  }
  return print_verdicts(verdicts_in(verdicts, format), format, arms_exit(words, verdicts, true));
}

// The arms of the runs, with their names on the page. An OSD's figures are part of a run.
std::vector<study::ArmRun> named_arms(std::vector<study::ArmRun> runs, const ArmWords& words) {
  const auto division =
      words.by.empty() ? std::nullopt : std::optional(study::divided_by(words.by));
  if (!division || !*division) return runs;
  for (study::ArmRun& run : runs) run.arm = study::arm_of(run.record, **division);
  return runs;
}

Result<Exit> write_comparison(const std::vector<std::string>& names, const ArmWords& words,
                              views::Verdicts verdicts, const Gathered& all, Exit exit) {
  html::ComparisonPage page{.verdicts = std::move(verdicts),
                            .runs = named_arms(all.runs, words),
                            .command = page_command(names, words),
                            .withheld = !words.force && !study::unlike_plans(all.runs).empty()};
  const auto clean_runs = without_contaminated(all.runs);
  if (clean_runs.size() < all.runs.size()) {
    views::Verdicts without{
        .rules = page.verdicts.rules, .figures = {}, .contests = {}, .warnings = {}};
    const auto judged = judge_runs(clean_runs, words, without);
    if (judged) {
      page.without_contaminated = std::move(without.contests);
    } else {
      page.verdicts.warnings.push_back("without the contaminated runs: " +
                                       one_line(judged.error()));
    }
  }
  RADOSLOAD_TRY(write_html(words.page, html::page(page)));
  return exit;
}

Result<Exit> compare_saved(const std::vector<std::string>& names, const ArmWords& words,
                           const std::string& format) {
  RADOSLOAD_ASSIGN(auto all, gathered(names, words));
  views::Verdicts verdicts{
      .rules = rules_of(words), .figures = {}, .contests = {}, .warnings = std::move(all.warnings)};
  RADOSLOAD_TRY(judge_runs(all.runs, words, verdicts));
  if (!words.page.path.empty()) {
    const Exit exit = arms_exit(words, verdicts, all.all_clean);
    return write_comparison(names, words, std::move(verdicts), all, exit);
  }
  const auto clean_runs = without_contaminated(all.runs);
  std::string text = verdicts_in(verdicts, format);
  if (clean_runs.size() < all.runs.size() && (format == "text" || format == "markdown")) {
    views::Verdicts without{.rules = verdicts.rules, .figures = {}, .contests = {}, .warnings = {}};
    const auto judged = judge_runs(clean_runs, words, without);
    text += "\nWithout the contaminated runs:\n\n" +
            (judged ? verdicts_in(without, format) : "  " + one_line(judged.error()) + "\n");
  }
  return print_verdicts(text, format, arms_exit(words, verdicts, all.all_clean));
}

tl::unexpected<Error> wrong_arms(std::string reason, std::string hint) {
  return fail({.attempt = "compare arms",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

}  // namespace

std::optional<std::string> ArmWords::needless() const {
  if (!primary.empty()) return "--primary";
  if (!fail_if.empty()) return "--fail-if";
  if (require_clean) return "--require-clean";
  if (force) return "--force";
  return std::nullopt;
}

void add_arm_options(CLI::App& command, ArmWords& words) {
  const std::string group = "Verdicts";
  command.add_option("--against", words.against, "runs or series of the second arm")
      ->expected(1, -1)
      ->type_name("RUN")
      ->group(group);
  command.add_option("--by", words.by, "divide the runs into arms by this property")
      ->type_name("pool|osd|kind|label=KEY")
      ->group(group);
  command
      .add_option("--csv", words.csv,
                  "compare the figures of a file: arm,unit,round,metric,value[,better]")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--primary", words.primary, "the metric that is tested first, at the full level")
      ->type_name("METRIC")
      ->group(group);
  command
      .add_option("--threshold", words.threshold_percent,
                  "smaller changes do not matter, in percent")
      ->check(CLI::Range(0.0, 1000.0).description(""))
      ->capture_default_str()
      ->type_name("PERCENT")
      ->group(group);
  command
      .add_option("--level", words.level_percent, "confidence of all verdicts together, in percent")
      ->check(CLI::Range(50.0, 99.99).description(""))
      ->capture_default_str()
      ->type_name("PERCENT")
      ->group(group);
  command
      .add_option("--fail-if", words.fail_if,
                  "exit with status 5 on this verdict, of the primary metric if there is one")
      ->check(CLI::IsMember({"slower", "inconclusive", "different"}).description(""))
      ->type_name("slower|inconclusive|different")
      ->group(group);
  command
      .add_flag("--require-clean", words.require_clean,
                "exit with status 1 unless every run is graded clean")
      ->group(group);
  command.add_flag("--force", words.force, "decide although the plans of the runs differ")
      ->group(group);
}

Result<Exit> compare_kept(const html::Kept& kept, const ArmWords& words,
                          const std::string& format) {
  const html::KeptComparison& judged = *kept.comparison;
  views::Verdicts verdicts{.rules = judged.rules,
                           .figures = judged.figures,
                           .contests = {},
                           .warnings = judged.warnings};
  RADOSLOAD_ASSIGN(verdicts.contests, study::judge_figures(verdicts.figures, verdicts.rules));
  if (judged.withheld) withhold(verdicts.contests);
  return print_verdicts(verdicts_in(verdicts, format), format, arms_exit(words, verdicts, true));
}

Result<Exit> compare_study_by(const study::StudyDocument& document, const ArmWords& words,
                              const std::string& format, Exit exit) {
  RADOSLOAD_ASSIGN(const auto division, study::divided_by(words.by));
  views::Verdicts verdicts{
      .rules = study::rules_of_study(document), .figures = {}, .contests = {}, .warnings = {}};
  std::map<std::string, record::RunRecord> runs;
  for (const study::CellTry& one : document.tries) {
    for (const std::string& id : one.runs) {
      auto run = load_run(id);
      if (run) runs.emplace(id, std::move(run->record));
    }
  }
  verdicts.figures = study::figures_of_study_by(document, runs, division, verdicts.warnings);
  if (verdicts.figures.empty() && !verdicts.warnings.empty()) {
    return wrong_arms(
        "no cell of the study can be divided by " + words.by + ": " + verdicts.warnings.front(),
        "use pool, osd, kind or label=KEY, as the study's runs have it");
  }
  RADOSLOAD_ASSIGN(verdicts.contests, study::judge_figures(verdicts.figures, verdicts.rules));
  if (exit == Exit::measured && is_met(words.fail_if, verdicts)) exit = Exit::verdict;
  return print_verdicts(verdicts_in(verdicts, format), format, exit);
}

Result<Exit> compare_arms(const std::vector<std::string>& runs, const ArmWords& words,
                          const std::string& format) {
  if (!words.csv.empty()) {
    if (!runs.empty() || !words.against.empty() || !words.by.empty()) {
      return wrong_arms("--csv was given together with runs", "give either a file or runs");
    }
    if (words.require_clean) {
      return wrong_arms("figures from a file have no grade", "leave out --require-clean");
    }
    return compare_csv(words, format);
  }
  if (runs.empty()) {
    return wrong_arms("no runs were given before the options",
                      "give RUN... --against RUN..., or RUN... --by KEY");
  }
  if (!words.by.empty() && !words.against.empty()) {
    return wrong_arms("--by and --against were both given", "give one of them");
  }
  return compare_saved(runs, words, format);
}

}  // namespace radosload::cli
