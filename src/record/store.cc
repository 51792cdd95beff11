#include "record/store.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <mutex>
#include <system_error>

#include "record/file.h"
#include "record/journal.h"
#include "record/journal_aging.h"
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

bool has_form(std::string_view text, std::string_view form) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  return std::equal(text.begin(), text.end(), form.begin(), form.end(),
                    [&](char letter, char wanted) {
                      if (wanted == 'd') return letter >= '0' && letter <= '9';
                      if (wanted == 'x') return hexadecimal.find(letter) != std::string_view::npos;
                      return letter == wanted;
                    });
}

}  // namespace

std::string make_run_id(std::chrono::system_clock::time_point started, std::uint64_t random) {
  const auto second = std::chrono::floor<std::chrono::seconds>(started);
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(started - second);
  return fmt::format("{:%Y%m%d-%H%M%S}{:03}-{:04x}", utc(second), ms.count(), random & 0xffffU);
}

std::chrono::system_clock::time_point distinct_moment(std::chrono::system_clock::time_point now) {
  static std::mutex mutex;
  static std::chrono::system_clock::time_point last;
  const std::lock_guard lock(mutex);
  last = std::max(now, last + std::chrono::milliseconds(1));
  return last;
}

bool is_run_id(std::string_view text) {
  return has_form(text, "dddddddd-ddddddddd-xxxx") || has_form(text, "dddddddd-dddddd-xxxx");
}

std::string iso_time(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc(time));
}

Result<RunRecord> load_record(const fs::path& path) {
  RADOSLOAD_ASSIGN(const auto text, read_file(path));
  return from_json(text, path.string());
}

Status save_record(const fs::path& path, const RunRecord& record, Existing existing) {
  return save(path, to_json(record), existing);
}

Result<fs::path> store_folder(const char* xdg_state_home, const char* home) {
  const auto usable = [](const char* value) { return value != nullptr && *value == '/'; };
  // The XDG specification says to ignore a relative path.
  if (usable(xdg_state_home)) return fs::path(xdg_state_home) / "radosload" / "runs";
  if (usable(home)) return fs::path(home) / ".local" / "state" / "radosload" / "runs";
  return fail({.attempt = "find the run store",
               .reason = "neither XDG_STATE_HOME nor HOME names a folder",
               .hint = "set HOME, give a file with --save FILE, or save nothing with --save none"});
}

Result<Store> Store::open(const fs::path& folder) {
  std::error_code code;
  const bool made = fs::create_directories(folder, code);
  if (made) fs::permissions(folder, fs::perms::owner_all, code);
  if (code) return store_error("create the run store", folder, code);
  return Store(folder);
}

fs::path Store::record_path(const std::string& run_id) const {
  return m_folder / (run_id + ".json");
}

fs::path Store::journal_path(const std::string& run_id) const {
  return m_folder / (run_id + ".jsonl");
}

fs::path Store::marks_path(const std::string& run_id) const {
  return m_folder / (run_id + ".marks");
}

Status Store::publish(const RunRecord& record) const {
  return save_record(record_path(record.header.run_id), record, Existing::replace);
}

void Store::remove_journal(const std::string& run_id) const {
  std::error_code ignored;  // a missing one is fine
  fs::remove(journal_path(run_id), ignored);
}

Result<Store::Listing> Store::list() const {
  RADOSLOAD_ASSIGN(auto unreadable, recover());
  RADOSLOAD_ASSIGN(auto run_ids, names_in(m_folder, ".json"));
  return Listing{std::move(run_ids), std::move(unreadable)};
}

Result<RunRecord> Store::load(const std::string& name) const {
  if (is_path(name)) return load_record(name);
  std::error_code ignored;
  if (is_run_id(name) && fs::exists(record_path(name), ignored)) {
    return load_record(record_path(name));
  }
  RADOSLOAD_ASSIGN(const auto listing, list());
  // Unreadable runs count too: "last" must not select an earlier run.
  std::vector<std::string> all = listing.run_ids;
  for (const Unreadable& run : listing.unreadable) all.push_back(run.run_id);
  std::sort(all.begin(), all.end(), std::greater<>());
  RADOSLOAD_ASSIGN(const auto run_id, match_name(all, name, "run"));
  for (const Unreadable& run : listing.unreadable) {
    if (run.run_id == run_id) return tl::make_unexpected(run.error);
  }
  return load_record(record_path(run_id));
}

Result<std::vector<std::string>> Store::live_runs() const {
  RADOSLOAD_ASSIGN(auto runs, names_in(m_folder, ".jsonl"));
  std::erase_if(runs, [this](const std::string& run) {
    return !is_run_id(run) || !has_live_writer(journal_path(run));
  });
  return runs;
}

Result<std::string> Store::find(const std::string& name) const {
  RADOSLOAD_ASSIGN(auto names, names_in(m_folder, ".json"));
  RADOSLOAD_ASSIGN(const auto journals, names_in(m_folder, ".jsonl"));
  names.insert(names.end(), journals.begin(), journals.end());
  std::sort(names.begin(), names.end(), std::greater<>());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return match_name(names, name, "run");
}

Result<std::vector<Store::Unreadable>> Store::recover() const {
  RADOSLOAD_ASSIGN(const auto journals, names_in(m_folder, ".jsonl"));
  std::vector<Unreadable> unreadable;
  for (const std::string& run_id : journals) {
    std::error_code ignored;
    if (fs::exists(record_path(run_id), ignored) || has_live_writer(journal_path(run_id))) continue;
    if (auto done = recover_run(run_id); !done) unreadable.push_back({run_id, done.error()});
  }
  return unreadable;
}

void Store::remove_empty(const std::string& run_id) const {
  // Another process may be about to lock a newer one.
  constexpr auto least_age = std::chrono::minutes(1);
  std::error_code error;
  const auto written = fs::last_write_time(journal_path(run_id), error);
  if (error || fs::file_time_type::clock::now() - written < least_age) return;
  if (fs::file_size(journal_path(run_id), error) != 0 || error) return;
  fs::remove(marks_path(run_id), error);
  fs::remove(journal_path(run_id), error);
}

Result<bool> Store::recover_run(const std::string& run_id) const {
  const fs::path journal = journal_path(run_id);
  RADOSLOAD_ASSIGN(const auto contents, read_journal(journal));
  if (contents.lines.empty()) {
    remove_empty(run_id);
    return false;
  }
  RADOSLOAD_ASSIGN(const auto record, fold_journal(contents, journal.string()));
  // The name of the record's file comes from the journal, which may have been forged.
  if (!is_run_id(run_id) || record.header.run_id != run_id) {
    return fail({.attempt = "build a record from the journal",
                 .subject = journal.string(),
                 .reason = fmt::format(
                     "it names run '{}', which is not the name of its file or not a run ID",
                     record.header.run_id),
                 .hint = "radosload did not write this file: remove it"});
  }
  RADOSLOAD_TRY(publish(record));
  std::error_code ignored;
  fs::remove(marks_path(run_id), ignored);  // the run has ended, so nothing reads it
  fs::remove(shorter_journal(journal), ignored);
  return true;
}

}  // namespace radosload::record
