#include "record/document_store.h"

#include <system_error>

#include "record/names.h"

#include <fmt/format.h>

namespace radosload::record {

namespace fs = std::filesystem;

fs::path DocumentStore::folder_beside(const Store& runs, std::string_view name) {
  return runs.folder().parent_path() / name;
}

Status DocumentStore::create() const {
  std::error_code code;
  const bool made = fs::create_directories(m_folder, code);
  if (made) fs::permissions(m_folder, fs::perms::owner_all, code);
  if (code) return store_error(fmt::format("create the {} store", m_what), m_folder, code);
  return {};
}

fs::path DocumentStore::document_path(const std::string& id) const {
  return m_folder / (id + ".json");
}

Result<std::vector<std::string>> DocumentStore::list() const {
  std::error_code unknown;  // names_in() reports it
  if (!fs::exists(m_folder, unknown) && !unknown) return std::vector<std::string>();
  return names_in(m_folder, ".json");
}

Result<fs::path> DocumentStore::find(const std::string& name) const {
  if (is_path(name)) return fs::path(name);
  RADOSLOAD_ASSIGN(const auto all, list());
  RADOSLOAD_ASSIGN(const auto id, match_name(all, name, m_what));
  return document_path(id);
}

}  // namespace radosload::record
