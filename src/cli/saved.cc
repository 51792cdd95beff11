#include "cli/saved.h"

#include "cli/options.h"
#include "record/series_store.h"

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

}  // namespace radosload::cli
