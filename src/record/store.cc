#include "record/store.h"

#include <ctime>
#include <system_error>

#include "record/file.h"
#include "record/journal.h"
#include "record/names.h"
#include "record/record_codec.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace radosload::record {

namespace fs = std::filesystem;

namespace {

std::tm utc(std::chrono::system_clock::time_point time) {
  return fmt::gmtime(std::chrono::system_clock::to_time_t(time));
}

}  // namespace

std::string make_run_id(std::chrono::system_clock::time_point started, std::uint64_t random) {
  return fmt::format("{:%Y%m%d-%H%M%S}-{:04x}", utc(started), random & 0xffffU);
}

std::string iso_time(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc(time));
}

Result<RunRecord> load_record(const fs::path& path) {
  const auto text = read_file(path);
  if (!text) return tl::make_unexpected(text.error());
  return from_json(*text, path.string());
}

Status save_record(const fs::path& path, const RunRecord& record) {
  return replace_file(path, to_json(record));
}

Result<fs::path> store_folder(const char* xdg_state_home, const char* home) {
  const auto usable = [](const char* value) { return value != nullptr && *value == '/'; };
  // The XDG specification: a relative path there is invalid and to be ignored.
  if (usable(xdg_state_home)) return fs::path(xdg_state_home) / "radosload" / "runs";
  if (usable(home)) return fs::path(home) / ".local" / "state" / "radosload" / "runs";
  return fail({.attempt = "find the run store",
               .subject = {},
               .reason = "neither XDG_STATE_HOME nor HOME names a folder",
               .hint = "set HOME, name a file with --save, or save nothing with --save none"});
}

Result<Store> Store::open(const fs::path& folder) {
  std::error_code code;
  const bool made = fs::create_directories(folder, code);
  if (made) fs::permissions(folder, fs::perms::owner_all, code);
  if (code) return store_error("make the run store", folder, code);
  return Store(folder);
}

fs::path Store::record_path(const std::string& run_id) const {
  return m_folder / (run_id + ".json");
}

fs::path Store::journal_path(const std::string& run_id) const {
  return m_folder / (run_id + ".jsonl");
}

Status Store::publish(const RunRecord& record) const {
  return save_record(record_path(record.header.run_id), record);
}

void Store::remove_journal(const std::string& run_id) const {
  std::error_code ignored;  // one that is not there is as good as removed
  fs::remove(journal_path(run_id), ignored);
}

Result<std::vector<std::string>> Store::list() const {
  return names_in(m_folder, ".json");
}

Result<RunRecord> Store::load(const std::string& name) const {
  if (is_path(name)) return load_record(name);
  const auto all = list();
  if (!all) return tl::make_unexpected(all.error());
  const auto run_id = match_name(*all, name, "run");
  if (!run_id) return tl::make_unexpected(run_id.error());
  return load_record(record_path(*run_id));
}

Store::Recovery Store::recover() const {
  Recovery recovery;
  const auto journals = names_in(m_folder, ".jsonl");
  if (!journals) {
    recovery.failed.push_back(journals.error());
    return recovery;
  }
  for (const std::string& run_id : *journals) {
    const fs::path journal = journal_path(run_id);
    std::error_code ignored;
    if (fs::exists(record_path(run_id), ignored) || has_live_writer(journal)) continue;
    const auto contents = read_journal(journal);
    // No whole line: killed at once, or made a moment ago and not locked yet.
    if (contents && contents->lines.empty()) continue;
    auto record = contents ? fold_journal(*contents, journal.string())
                           : tl::make_unexpected(contents.error());
    const Status published = record ? publish(*record) : tl::make_unexpected(record.error());
    if (published) {
      recovery.published.push_back(run_id);
    } else {
      recovery.failed.push_back(published.error());
    }
  }
  return recovery;
}

}  // namespace radosload::record
