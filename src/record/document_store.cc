#include "record/document_store.h"

#include <system_error>

#include "record/names.h"

namespace radosload::record {

namespace fs = std::filesystem;

Result<fs::path> DocumentStore::folder_beside(const Store& runs, std::string_view name,
                                              std::string attempt) {
  fs::path folder = runs.folder().parent_path() / name;
  std::error_code code;
  const bool made = fs::create_directories(folder, code);
  if (made) fs::permissions(folder, fs::perms::owner_all, code);
  if (code) return store_error(std::move(attempt), folder, code);
  return folder;
}

fs::path DocumentStore::document_path(const std::string& id) const {
  return m_folder / (id + ".json");
}

Result<std::vector<std::string>> DocumentStore::list() const {
  return names_in(m_folder, ".json");
}

Result<fs::path> DocumentStore::find(const std::string& name) const {
  if (is_path(name)) return fs::path(name);
  RADOSLOAD_ASSIGN(const auto all, list());
  RADOSLOAD_ASSIGN(const auto id, match_name(all, name, m_what));
  return document_path(id);
}

}  // namespace radosload::record
