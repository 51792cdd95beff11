// Subcommands about records that exist already: list and compare.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/saved.h"
#include "record/series_store.h"
#include "report/compare.h"
#include "report/list.h"
#include "report/series_compare.h"

namespace radosload::cli {

namespace {

// What cannot be read is said, and no reason to leave out the others.
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

Result<Exit> list_runs(bool steps) {
  RADOSLOAD_ASSIGN(const auto store, open_store());
  RADOSLOAD_ASSIGN(const auto listing, store.list());
  for (const auto& run : listing.unreadable) warn(run.error.message());
  return print_result(
      report::list_text(all_runs(store, listing.run_ids), all_series(store), steps));
}

Result<Exit> compare_runs(const std::vector<std::string>& names) {
  std::vector<record::RunRecord> runs;
  for (const std::string& name : names) {
    RADOSLOAD_ASSIGN(auto run, load_run(name));
    runs.push_back(std::move(run.record));
  }
  return print_result(report::compare_text(report::compare(runs)));
}

Result<record::Series> last_series() {
  RADOSLOAD_ASSIGN(const auto runs, open_store());
  RADOSLOAD_ASSIGN(const auto store, record::SeriesStore::beside(runs));
  RADOSLOAD_ASSIGN(const auto path, store.find("last"));
  return record::load_series(path);
}

Result<Exit> compare_series(const std::vector<std::string>& names) {
  std::vector<record::Series> all;
  for (const std::string& name : names) {
    const auto path = series_named(name);
    if (!path && name != "last") {
      return fail({.attempt = "compare a series with",
                   .subject = name,
                   .reason = "there is no such series",
                   .hint = "series compare with series, and runs with runs; 'radosload list' shows "
                           "both",
                   .exit = Exit::usage});
    }
    RADOSLOAD_ASSIGN(auto series, path ? record::load_series(*path) : last_series());
    all.push_back(std::move(series));
  }
  RADOSLOAD_ASSIGN(const auto text, report::compare_series_text(all));
  return print_result(text);
}

Result<Exit> compare_any(const std::vector<std::string>& names) {
  const bool series = std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return series_named(name).has_value();
  });
  return series ? compare_series(names) : compare_runs(names);
}

}  // namespace

void add_list(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand("list", "Saved runs and series, newest first");
  auto steps = std::make_shared<bool>(false);
  command->add_flag("--steps", *steps, "the runs that are steps of a series as well");
  command->final_callback([steps, &chosen] { chosen = [steps] { return list_runs(*steps); }; });
}

void add_compare(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand(
      "compare", "The figures of runs or of series side by side; no verdict on what differs");
  auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("RUN", *names, "ids of runs or of series, their beginnings, 'last', or files")
      ->required()
      ->expected(2, -1);
  command->final_callback([names, &chosen] { chosen = [names] { return compare_any(*names); }; });
}

}  // namespace radosload::cli
