// `radosload explain`: what takes the time of a run's operations, with the evidence.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/command.h"
#include "cli/commands/saved.h"
#include "cli/commands/study_saved.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "report/causes/causes_text.h"
#include "views/explain_json.h"

namespace radosload::cli {

namespace {

struct ExplainWords {
  std::string run;
  std::string format = "text";
};

tl::unexpected<Error> not_a_run(const std::string& name, std::string reason, std::string hint) {
  return fail({.attempt = "explain",
               .subject = name,
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

// The runs of that name: several of a series, or of an HTML page.
Result<std::vector<record::RunRecord>> runs_named(const std::string& name) {
  if (study_named(name)) {
    return not_a_run(name, "it is a study, which compares runs",
                     "'radosload report' shows its verdict, 'radosload list' the IDs of its runs");
  }
  if (timing_named(name)) {
    return not_a_run(name, "it is a timing", "'radosload report' shows it");
  }
  std::vector<record::RunRecord> runs;
  RADOSLOAD_TRY(add_saved(name, runs));
  if (runs.empty()) return not_a_run(name, "none of its runs was measured", "give another run");
  return runs;
}

Result<Exit> explain_runs(const ExplainWords& words) {
  RADOSLOAD_ASSIGN(const auto runs, runs_named(words.run));
  if (words.format == "json") {
    if (runs.size() == 1) return print_result(views::explain_json(runs.front()));
    return not_a_run(words.run, "JSON is of one run, and it has several",
                     "explain one of them: 'radosload list --steps' shows their IDs");
  }
  std::string text;
  for (const record::RunRecord& run : runs) {
    if (!text.empty()) text += "\n";
    text += report::explanation_text(run);
  }
  return print_text(text);
}

}  // namespace

void add_explain(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("explain", "Show what limits a run, with the evidence");
  auto words = std::make_shared<ExplainWords>();
  command
      ->add_option("RUN", words->run,
                   "ID of a run or a series, its beginning, 'last' (run), or a file")
      ->required();
  add_format_options(*command, words->format);
  command->final_callback([words, &chosen] { chosen = [words] { return explain_runs(*words); }; });
}

}  // namespace radosload::cli
