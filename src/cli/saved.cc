#include "cli/saved.h"

#include <system_error>
#include <utility>

#include "cli/options.h"
#include "record/series_store.h"
#include "record/store.h"

namespace radosload::cli {

std::optional<std::filesystem::path> series_named(const std::string& name) {
  if (name == "last") return std::nullopt;
  if (record::holds_series(name)) return name;
  const auto runs = open_store();
  if (!runs) return std::nullopt;
  const auto store = record::SeriesStore::beside(*runs);
  const auto path = store ? store->find(name) : fail(store.error());
  if (!path || !record::holds_series(*path)) return std::nullopt;
  return *path;
}

namespace {

// A file that is missing may be a mistyped ID.
Error with_list_hint(Error error) {
  if (error.hint.empty()) error.hint = "'radosload list' shows the IDs of saved runs and series";
  return error;
}

}  // namespace

Result<SavedRun> load_run(const std::string& name) {
  const auto store = open_store();
  // Without a store, paths still work.
  auto loaded = store ? store->load(name) : record::load_record(name);
  if (!loaded) return fail(with_list_hint(std::move(loaded).error()));
  record::RunRecord record = *std::move(loaded);
  std::error_code ignored;
  std::string path = store ? store->record_path(record.header.run_id).string() : name;
  if (std::filesystem::exists(name, ignored)) path = name;
  return SavedRun{std::move(record), std::move(path)};
}

}  // namespace radosload::cli
