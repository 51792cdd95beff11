#include "cli/commands/saved.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "cli/options/options.h"
#include "record/series_store.h"
#include "record/store.h"
#include "record/timing_store.h"

namespace radosload::cli {

namespace {

// The document of that name or path, if it is of this kind.
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

// The name may be a mistyped ID, not a file.
Error with_list_hint(Error error) {
  if (error.hint.empty())
    error.hint = "'radosload list' shows the IDs of saved runs, series and studies";
  return error;
}

}  // namespace

Result<std::optional<html::Kept>> page_named(const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name, ignored)) return std::nullopt;
  std::ifstream file(name, std::ios::binary);
  std::string text(32, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!html::is_page(text)) return std::nullopt;
  file.clear();
  file.seekg(0);
  // One byte more than is accepted, so that a larger file is refused for its size.
  text.resize(
      std::min<std::size_t>(std::filesystem::file_size(name, ignored), html::most_page_bytes + 1));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  RADOSLOAD_ASSIGN(auto kept, html::kept_in(text, name));
  return std::optional(std::move(kept));
}

Result<std::optional<record::Series>> load_series_named(const std::string& name) {
  RADOSLOAD_ASSIGN(auto page, page_named(name));
  if (page) return std::move(page->series);
  const auto path = series_named(name);
  if (!path) return std::nullopt;
  RADOSLOAD_ASSIGN(auto series, record::load_series(*path));
  return std::optional(std::move(series));
}

Status add_saved(const std::string& name, std::vector<record::RunRecord>& runs) {
  RADOSLOAD_ASSIGN(auto page, page_named(name));
  if (page) std::move(page->runs.begin(), page->runs.end(), std::back_inserter(runs));
  std::optional<record::Series> series;
  if (page) {
    series = std::move(page->series);
  } else {
    RADOSLOAD_ASSIGN(series, load_series_named(name));
  }
  if (!page && !series) {
    RADOSLOAD_ASSIGN(auto run, load_run(name));
    runs.push_back(std::move(run.record));
  }
  if (!series) return {};
  for (record::SeriesStep& step : series->steps) {
    if (step.state == record::StepState::done && step.record) {
      runs.push_back(*std::move(step.record));
    }
  }
  return {};
}

Result<SavedRun> load_run(const std::string& name) {
  RADOSLOAD_ASSIGN(auto page, page_named(name));
  if (page) {
    if (page->runs.size() == 1) return SavedRun{std::move(page->runs.front()), name};
    return fail({.attempt = "read a run from",
                 .subject = name,
                 .reason = "this HTML page is not that of one run",
                 .hint = "'radosload report' shows what it holds",
                 .exit = Exit::usage});
  }
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
