// `radosload explain`: what takes the time of a run's operations, with the evidence.
#include <memory>
#include <string>

#include "cli/commands/command.h"
#include "cli/commands/saved.h"
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

Result<Exit> explain_run(const ExplainWords& words) {
  RADOSLOAD_ASSIGN(const auto found, load_run(words.run));
  if (words.format == "json") return print_result(views::explain_json(found.record));
  return print_text(report::explanation_text(found.record));
}

}  // namespace

void add_explain(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("explain", "Show what limits a run, with the evidence");
  auto words = std::make_shared<ExplainWords>();
  command->add_option("RUN", words->run, "ID of a run, its beginning, 'last', or a file")
      ->required();
  add_format_options(*command, words->format);
  command->final_callback([words, &chosen] { chosen = [words] { return explain_run(*words); }; });
}

}  // namespace radosload::cli
