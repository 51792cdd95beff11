// Where series are kept on this machine: a document each (SERIES_ID.json), in a folder beside the
// runs'. The records of their steps lie in the run store as well, like any run's.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "record/saving.h"
#include "record/series.h"
#include "record/store.h"

namespace radosload::record {

Result<Series> load_series(const std::filesystem::path& path);
Status save_series(const std::filesystem::path& path, const Series& series, Existing existing);
// Whether a file says that it is one. False also for what is no file.
bool holds_series(const std::filesystem::path& path);

// Whether --resume and the like mean a file by it, rather than a series in the store.
bool names_a_file(const std::string& name);

// Held by whoever runs a series, so that nobody goes on with it at the same time. Gone with its
// process, however that ends. A file in its place that is not radosload's is left as it is.
class SeriesLock {
 public:
  static Result<SeriesLock> take(const std::filesystem::path& document);
  ~SeriesLock();
  SeriesLock(const SeriesLock&) = delete;
  SeriesLock& operator=(const SeriesLock&) = delete;
  SeriesLock(SeriesLock&& other) noexcept;
  SeriesLock& operator=(SeriesLock&&) = delete;

 private:
  class Holder;
  explicit SeriesLock(std::unique_ptr<Holder> holder);
  std::unique_ptr<Holder> m_holder;
};

class SeriesStore {
 public:
  // Makes the folder when it is not there, for its owner only.
  static Result<SeriesStore> beside(const Store& runs);

  std::filesystem::path document_path(const std::string& id) const;
  // Ids of all series, newest first.
  Result<std::vector<std::string>> list() const;
  // Where the series of that name lies: an id, a unique beginning of one, "last", or a path.
  Result<std::filesystem::path> find(const std::string& name) const;

 private:
  explicit SeriesStore(std::filesystem::path folder) : m_folder(std::move(folder)) {}
  std::filesystem::path m_folder;
};

}  // namespace radosload::record
