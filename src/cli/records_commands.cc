// `radosload list` and `radosload compare`: saved runs and series.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/format_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/saved.h"
#include "record/series_store.h"
#include "report/compare.h"
#include "report/csv.h"
#include "report/list.h"
#include "report/series_compare.h"
#include "views/list_json.h"

namespace radosload::cli {

namespace {

// Warns about a run that cannot be read, and goes on with the others.
std::vector<record::RunRecord> all_runs(const record::Store& store,
                                        const std::vector<std::string>& names) {
  std::vector<record::RunRecord> runs;
  for (const std::string& name : names) {
    auto run = store.load(name);
    if (run) {
      runs.push_back(*std::move(run));
    } else {
      warn(run.error().message());
    }
  }
  return runs;
}

std::vector<record::Series> all_series(const record::Store& store) {
  std::vector<record::Series> all;
  const auto kept = record::SeriesStore::beside(store);
  const auto names = kept ? kept->list() : fail(kept.error());
  if (!names) {
    warn(names.error().message());
    return all;
  }
  for (const std::string& name : *names) {
    auto series = record::load_series(kept->document_path(name));
    if (series) {
      all.push_back(*std::move(series));
    } else {
      warn(series.error().message());
    }
  }
  return all;
}

struct ListWords {
  bool steps = false;
  std::string format = "text";
};

Result<Exit> list_runs(const ListWords& words) {
  RADOSLOAD_ASSIGN(const auto store, open_store());
  RADOSLOAD_ASSIGN(const auto listing, store.list());
  for (const auto& run : listing.unreadable) warn(run.error.message());
  const auto rows =
      report::list_rows(all_runs(store, listing.run_ids), all_series(store), words.steps);
  if (words.format == "json") return print_result(views::list_json(rows));
  return print_result(words.format == "csv" ? report::list_csv(rows) : report::list_text(rows));
}

struct CompareWords {
  std::vector<std::string> names;
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
    const auto path = series_named(name);
    if (!path && name != "last") {
      return fail({.attempt = "compare a series with",
                   .subject = name,
                   .reason = "no series has this name",
                   .hint = "compare series with series and runs with runs; 'radosload list' shows "
                           "both",
                   .exit = Exit::usage});
    }
    RADOSLOAD_ASSIGN(auto series, path ? record::load_series(*path) : last_series());
    all.push_back(std::move(series));
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

}  // namespace

void add_list(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand("list", "List saved runs and series, newest first");
  auto words = std::make_shared<ListWords>();
  command->add_flag("--steps", words->steps, "also list the runs that are steps of a series");
  add_format_options(*command, words->format, {.names = {"text", "json", "csv"}});
  command->final_callback([words, &chosen] { chosen = [words] { return list_runs(*words); }; });
}

void add_compare(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("compare", "Show the figures of runs or series side by side");
  auto words = std::make_shared<CompareWords>();
  command
      ->add_option("RUN", words->names,
                   "IDs of runs or of series, their beginnings, 'last', or files")
      ->required()
      ->expected(2, -1);
  add_format_options(*command, words->format);
  command->final_callback([words, &chosen] { chosen = [words] { return compare_any(*words); }; });
}

}  // namespace radosload::cli
