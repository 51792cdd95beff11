// `radosload list`: lists saved runs, series, studies and timings.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/command.h"
#include "cli/commands/study_saved.h"
#include "cli/options/format_options.h"
#include "cli/options/options.h"
#include "cli/options/plan_options.h"
#include "cli/output.h"
#include "footprint/owner.h"
#include "record/series_store.h"
#include "record/study_store.h"
#include "record/timing_store.h"
#include "report/csv.h"
#include "report/list.h"
#include "views/list_json.h"
#include "views/study_text.h"
#include "views/timers_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

// Warns about a run that cannot be read, and continues with the others.
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

// All documents of a store, read from their paths by `load`. A warning names each document that
// cannot be read.
template <typename Documents, typename Load>
auto all_documents(const record::Store& store, const Load& load) {
  using Loaded = typename decltype(load(std::filesystem::path()))::value_type;
  std::vector<Loaded> all;
  const auto kept = Documents::beside(store);
  const auto names = kept ? kept->list() : fail(kept.error());
  if (!names) {
    warn(names.error().message());
    return all;
  }
  for (const std::string& name : *names) {
    auto loaded = load(kept->document_path(name));
    if (loaded) {
      all.push_back(*std::move(loaded));
    } else {
      warn(loaded.error().message());
    }
  }
  return all;
}

std::vector<record::Series> all_series(const record::Store& store) {
  return all_documents<record::SeriesStore>(store, record::load_series);
}

std::vector<report::ListRow> all_timings(const record::Store& store) {
  return all_documents<record::TimingStore>(
      store, [](const std::filesystem::path& path) -> Result<report::ListRow> {
        RADOSLOAD_ASSIGN(const auto text, record::load_timing(path));
        RADOSLOAD_ASSIGN(const auto timing, views::timers_from_json(text, path.string()));
        return views::timers_list_row(timing);
      });
}

// Whether the process of the unfinished cell still runs, as far as this machine knows.
views::StudyProcess process_of(const study::StudyDocument& document) {
  if (!document.open) return views::StudyProcess::none;
  footprint::Owner owner = footprint::this_process();
  std::istringstream words(document.open->process);
  if (!(words >> owner.host >> owner.boot >> owner.pid >> owner.started_ticks)) {
    return views::StudyProcess::unknown;
  }
  switch (footprint::state_of(owner)) {
    case footprint::OwnerState::runs:
      return views::StudyProcess::runs;
    case footprint::OwnerState::gone:
      return views::StudyProcess::gone;
    case footprint::OwnerState::unknown:
      break;
  }
  return views::StudyProcess::unknown;
}

std::vector<report::ListRow> all_studies(const record::Store& store) {
  return all_documents<record::StudyStore>(
      store, [](const std::filesystem::path& path) -> Result<report::ListRow> {
        RADOSLOAD_ASSIGN(const auto document, load_study_document(path));
        return views::study_list_row(document, process_of(document));
      });
}

struct ListWords {
  bool steps = false;
  RunPlan wanted;  // the labels to look for
  std::string format = "text";
};

Result<Exit> list_runs(const ListWords& words) {
  RADOSLOAD_ASSIGN(const auto store, open_store());
  RADOSLOAD_ASSIGN(const auto listing, store.list());
  for (const auto& run : listing.unreadable) warn(run.error.message());
  // --label may select single runs of an arm, so the cells of studies are listed too.
  const bool cells = words.steps || !words.wanted.labels.empty();
  const auto rows = report::with_labels(
      report::list_rows(all_runs(store, listing.run_ids), {.series = all_series(store),
                                                           .timings = all_timings(store),
                                                           .studies = all_studies(store),
                                                           .steps = words.steps,
                                                           .cells = cells}),
      words.wanted.labels);
  if (words.format == "json") return print_result(views::list_json(rows));
  return print_result(words.format == "csv" ? report::list_csv(rows) : report::list_text(rows));
}

}  // namespace

void add_list(CLI::App& program, Action& chosen) {
  auto* const command =
      program.add_subcommand("list", "List saved runs, series, studies and timings, newest first");
  auto words = std::make_shared<ListWords>();
  command->add_flag("--steps", words->steps, "also list the runs of series and studies");
  command
      ->add_option_function<std::vector<std::string>>(
          "--label",
          [words](const std::vector<std::string>& items) {
            set_or_throw(*plan::find_option("label"), words->wanted,
                         fmt::format("{}", fmt::join(items, ",")));
          },
          "list only runs with this label; may be repeated")
      ->delimiter(',')
      ->type_name("KEY=VALUE");
  add_format_options(*command, words->format, {.names = {"text", "json", "csv"}});
  command->final_callback([words, &chosen] { chosen = [words] { return list_runs(*words); }; });
}

}  // namespace radosload::cli
