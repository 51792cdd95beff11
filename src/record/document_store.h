// A store of documents on this machine: one file each (ID.json), in a folder beside that of the
// runs, so that readers of runs never find one there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/result.h"

#include "record/store.h"

namespace radosload::record {

class DocumentStore {
 public:
  std::filesystem::path document_path(const std::string& id) const;
  // Creates the folder if it does not exist, for its owner only. Called before a document is saved,
  // so that commands that only read leave nothing behind.
  Status create() const;
  // IDs of all documents, newest first.
  Result<std::vector<std::string>> list() const;
  // The path of a document given by its ID, a unique beginning of one, "last", or a path.
  Result<std::filesystem::path> find(const std::string& name) const;

 protected:
  // `what`: one of its documents, in messages.
  DocumentStore(std::filesystem::path folder, std::string_view what)
      : m_folder(std::move(folder)), m_what(what) {}
  static std::filesystem::path folder_beside(const Store& runs, std::string_view name);

 private:
  std::filesystem::path m_folder;
  std::string_view m_what;
};

}  // namespace radosload::record
