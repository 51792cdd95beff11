// `radosload mark`: adds an event to the live runs of this user.

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/command.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "record/marks.h"
#include "record/store.h"
#include "views/mark_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

struct MarkWords {
  std::vector<std::string> text;
  std::string run;  // empty: all
  std::string format = "text";
};

tl::unexpected<Error> no_run_to_mark(const std::string& name) {
  if (name.empty()) {
    return fail({.attempt = "mark a run",
                 .reason = "no run of this user is being measured on this machine",
                 .hint = "start one first; a run with --save none takes no marks"});
  }
  return fail({.attempt = "mark the run",
               .subject = name,
               .reason = "no run with this ID is being measured",
               .hint = "leave out --run to mark every live run"});
}

Result<std::vector<std::string>> runs_to_mark(const record::Store& store, const std::string& name) {
  RADOSLOAD_ASSIGN(auto runs, store.live_runs());
  if (name == "last" && !runs.empty()) runs.resize(1);
  if (!name.empty() && name != "last") {
    std::erase_if(runs, [&](const std::string& run) { return !run.starts_with(name); });
  }
  if (runs.empty()) return no_run_to_mark(name);
  if (name.empty() || runs.size() == 1) return runs;
  return fail({.attempt = "mark the run",
               .subject = name,
               .reason = fmt::format("{} live runs have IDs that start with it", runs.size()),
               .hint = fmt::format("give one of {}", fmt::join(runs, ", ")),
               .exit = Exit::usage});
}

Result<Exit> mark_runs(const MarkWords& words) {
  const record::Mark mark{.at = std::chrono::steady_clock::now(),
                          .text = fmt::format("{}", fmt::join(words.text, " "))};
  RADOSLOAD_TRY(record::check_mark(mark.text));
  RADOSLOAD_ASSIGN(const auto store, open_store());
  RADOSLOAD_ASSIGN(const auto runs, runs_to_mark(store, words.run));
  std::vector<std::string> marked;
  std::vector<Error> failures;
  for (const std::string& run : runs) {
    const auto sent = record::send_mark(store.marks_path(run), mark);
    if (sent) {
      marked.push_back(run);
    } else {
      failures.push_back(sent.error());
    }
  }
  if (marked.empty()) return fail(std::move(failures.front()));
  for (const Error& failure : failures) warn(failure.message());
  const Exit exit = failures.empty() ? Exit::measured : Exit::flawed;
  if (words.format == "json") return print_result(views::mark_json(mark.text, marked), exit);
  return print_text(fmt::format("marked run {}\n", fmt::join(marked, "\nmarked run ")), exit);
}

}  // namespace

void add_mark(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand("mark", "Add an event to the records of live runs");
  auto words = std::make_shared<MarkWords>();
  command->add_option("WORDS", words->text, "what happens, in one line")
      ->required()
      ->expected(1, -1);
  command->add_option("--run", words->run, "only this run: its ID, the beginning of it, or 'last'")
      ->type_name("ID")
      ->configurable(false);
  add_format_options(*command, words->format);
  command->final_callback([words, &chosen] { chosen = [words] { return mark_runs(*words); }; });
}

}  // namespace radosload::cli
