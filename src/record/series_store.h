// The store of series on this machine. The records of their steps are in the run store too, like
// those of any run.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "radosload/result.h"

#include "record/document_store.h"
#include "record/saving.h"
#include "record/series.h"
#include "record/store.h"

namespace radosload::record {

Result<Series> load_series(const std::filesystem::path& path);
Status save_series(const std::filesystem::path& path, const Series& series, Existing existing);
// Whether the file exists and its schema is that of a series.
bool holds_series(const std::filesystem::path& path);

// Whether --resume and similar options name a file by it, rather than a stored series.
bool names_a_file(const std::string& name);

// A process holds it while it runs a series, so that no other process resumes the series at the
// same time. It ends with the process. A file in its place that radosload did not write is left
// alone.
class SeriesLock {
 public:
  static Result<SeriesLock> acquire(const std::filesystem::path& document);
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

class SeriesStore : public DocumentStore {
 public:
  static Result<SeriesStore> beside(const Store& runs);

 private:
  explicit SeriesStore(std::filesystem::path folder) : DocumentStore(std::move(folder), "series") {}
};

}  // namespace radosload::record
