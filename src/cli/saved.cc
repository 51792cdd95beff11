#include "cli/saved.h"

#include <system_error>
#include <utility>

#include "cli/options.h"
#include "record/series_store.h"
#include "record/store.h"
#include "record/timing_store.h"

namespace radosload::cli {

namespace {

// The document of that name, which may be a file's, if it is of this kind.
template <typename Documents>
std::optional<std::filesystem::path> document_named(const std::string& name,
                                                    bool (*is_one)(const std::filesystem::path&)) {
  if (name == "last") return std::nullopt;
  if (is_one(name)) return name;
  const auto runs = open_store();
  if (!runs) return std::nullopt;
  const auto store = Documents::beside(*runs);
  const auto path = store ? store->find(name) : fail(store.error());
  if (!path || !is_one(*path)) return std::nullopt;
  return *path;
}

}  // namespace

std::optional<std::filesystem::path> series_named(const std::string& name) {
  return document_named<record::SeriesStore>(name, record::holds_series);
}

std::optional<std::filesystem::path> timing_named(const std::string& name) {
  return document_named<record::TimingStore>(name, record::holds_timing);
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
