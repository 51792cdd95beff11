#include "cli/commands/study_saved.h"

#include <utility>

#include "cli/commands/arms_action.h"
#include "cli/options/options.h"
#include "cli/output.h"
#include "record/study_store.h"
#include "views/study_text.h"

namespace radosload::cli {

std::optional<std::filesystem::path> study_named(const std::string& name) {
  if (name == "last") return std::nullopt;
  if (record::holds_study(name)) return name;
  const auto runs = open_store();
  if (!runs) return std::nullopt;
  const auto store = record::StudyStore::beside(*runs);
  const auto path = store ? store->find(name) : fail(store.error());
  if (!path || !record::holds_study(*path)) return std::nullopt;
  return *path;
}

Result<std::filesystem::path> find_saved_study(const std::string& name) {
  RADOSLOAD_ASSIGN(const auto runs, open_store());
  RADOSLOAD_ASSIGN(const auto store, record::StudyStore::beside(runs));
  return store.find(name);
}

Result<study::StudyDocument> load_study_document(const std::filesystem::path& path) {
  RADOSLOAD_ASSIGN(const auto text, record::load_study(path));
  return study::study_from_json(text.document, text.lines, path.string());
}

Result<Exit> print_study(study::StudyDocument document, const std::string& saved_as,
                         const std::string& format, const std::string& fail_if, Exit exit) {
  const auto shown = views::study_shown(std::move(document), saved_as);
  if (exit == Exit::measured && !fail_if.empty()) {
    // Without a verdict the study is inconclusive.
    const bool met = shown.all ? is_met(fail_if, *shown.all) : fail_if == "inconclusive";
    if (met) exit = Exit::verdict;
  }
  const std::string hint = shown_again(saved_as);
  if (format == "json") return print_result(views::study_json(shown), exit, hint);
  if (format == "markdown") return print_result(views::study_markdown(shown), exit, hint);
  if (format == "go-bench") {
    if (!shown.all) return fail(shown.all.error());
    return print_result(views::verdicts_go_bench(*shown.all), exit, hint);
  }
  return print_text(views::study_text(shown), exit, hint);
}

}  // namespace radosload::cli
