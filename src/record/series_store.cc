#include "record/series_store.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <utility>

#include "record/file.h"
#include "record/names.h"

namespace radosload::record {

namespace fs = std::filesystem;

Result<Series> load_series(const fs::path& path) {
  const auto text = read_file(path);
  if (!text) return tl::make_unexpected(text.error());
  return series_from_json(*text, path.string());
}

Status save_series(const fs::path& path, const Series& series) {
  return replace_file(path, to_json(series));
}

bool holds_series(const fs::path& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return false;
  const auto text = read_file(path);
  if (!text) return false;
  const auto json = JsonText::parse(*text);
  return json && json->text_at("schema") == series_schema;
}

// A file beside the document: that one is replaced at every save, and a lock would go with it.
class SeriesLock::Holder {
 public:
  Holder(File file, fs::path path) : m_file(std::move(file)), m_path(std::move(path)) {}
  ~Holder() {
    std::error_code ignored;
    fs::remove(m_path, ignored);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  Holder(Holder&&) = delete;
  Holder& operator=(Holder&&) = delete;

 private:
  File m_file;
  fs::path m_path;
};

SeriesLock::SeriesLock(std::unique_ptr<Holder> holder) : m_holder(std::move(holder)) {}
SeriesLock::SeriesLock(SeriesLock&& other) noexcept = default;
SeriesLock::~SeriesLock() = default;

Result<SeriesLock> SeriesLock::take(const fs::path& document) {
  fs::path path = document;
  path += ".lock";
  File file = open_file(path, O_RDWR | O_CREAT);
  if (!file.is_open()) {
    return fail({.attempt = "lock the series",
                 .subject = path.string(),
                 .reason = {},
                 .hint = "name a file with --save, or save nothing with --save none",
                 .errnum = errno});
  }
  if (::flock(file.fd(), LOCK_EX | LOCK_NB) != 0) {
    return fail({.attempt = "go on with the series",
                 .subject = document.string(),
                 .reason = "another process is at it",
                 .hint = {},
                 .errnum = 0,
                 .exit = Exit::refused});
  }
  return SeriesLock(std::make_unique<Holder>(std::move(file), std::move(path)));
}

Result<SeriesStore> SeriesStore::beside(const Store& runs) {
  const fs::path folder = runs.folder().parent_path() / "series";
  std::error_code code;
  const bool made = fs::create_directories(folder, code);
  if (made) fs::permissions(folder, fs::perms::owner_all, code);
  if (code) return store_error("make the store of series", folder, code);
  return SeriesStore(folder);
}

fs::path SeriesStore::document_path(const std::string& id) const {
  return m_folder / (id + ".json");
}

Result<std::vector<std::string>> SeriesStore::list() const {
  return names_in(m_folder, ".json");
}

Result<fs::path> SeriesStore::find(const std::string& name) const {
  if (is_path(name)) return fs::path(name);
  const auto all = list();
  if (!all) return tl::make_unexpected(all.error());
  const auto id = match_name(*all, name, "series");
  if (!id) return tl::make_unexpected(id.error());
  return document_path(*id);
}

}  // namespace radosload::record
