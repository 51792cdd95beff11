// Subcommands about records that exist already: list and compare.

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"
#include "report/compare.h"
#include "report/list.h"

#include <fmt/core.h>

namespace radosload::cli {

namespace {

Result<Exit> list_runs() {
  const auto store = open_store();
  if (!store) return fail(store.error());
  // What killed runs left is brought back before anybody looks.
  for (const Error& error : store->recover().failed) {
    fmt::print(stderr, "radosload: {}\n", error.message());
  }
  const auto names = store->list();
  if (!names) return fail(names.error());
  std::vector<record::RunRecord> runs;
  for (const std::string& name : *names) {
    auto run = store->load(name);
    if (run) {
      runs.push_back(*std::move(run));
    } else {
      fmt::print(stderr, "radosload: {}\n", run.error().message());
    }
  }
  print_result(report::list_text(runs));
  return Exit::measured;
}

Result<Exit> compare_runs(const std::vector<std::string>& names) {
  const auto store = open_store();
  std::vector<record::RunRecord> runs;
  for (const std::string& name : names) {
    // Without a store, paths still work.
    auto run = store ? store->load(name) : record::load_record(name);
    if (!run) return fail(run.error());
    runs.push_back(*std::move(run));
  }
  print_result(report::compare_text(report::compare(runs)));
  return Exit::measured;
}

}  // namespace

void add_list(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand("list", "Saved runs, newest first");
  command->final_callback([&chosen] { chosen = list_runs; });
}

void add_compare(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand(
      "compare", "The figures of runs side by side; no verdict on what differs");
  auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("RUN", *names, "run ids, their beginnings, 'last', or files")
      ->required()
      ->expected(2, -1);
  command->final_callback([names, &chosen] { chosen = [names] { return compare_runs(*names); }; });
}

}  // namespace radosload::cli
