// The store of runs on this machine, below the XDG state folder: a record (RUN_ID.json) and a
// journal (RUN_ID.jsonl) each. The journal is kept, because only it has the histograms of every
// second.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "record/run_record.h"
#include "record/saving.h"

namespace radosload::record {

// "20261121-040012345-9f3a": date, time and milliseconds, so that IDs sort in the order of their
// runs; the random part distinguishes runs of different machines.
std::string make_run_id(std::chrono::system_clock::time_point started, std::uint64_t random);
// The moment, or one that is at least a millisecond after every moment this process was given
// before: IDs made of them are in order, however short the runs are. Any thread.
std::chrono::system_clock::time_point distinct_moment(std::chrono::system_clock::time_point now);
// Whether it has the form of a run ID. File names are made of run IDs, so nothing else is accepted.
// IDs of earlier versions have no milliseconds.
bool is_run_id(std::string_view text);
// "2026-11-21T04:00:12Z"
std::string iso_time(std::chrono::system_clock::time_point time);

Result<RunRecord> load_record(const std::filesystem::path& path);
Status save_record(const std::filesystem::path& path, const RunRecord& record, Existing existing);

// The runs' folder for these values of XDG_STATE_HOME and HOME (null: not set).
Result<std::filesystem::path> store_folder(const char* xdg_state_home, const char* home);

class Store {
 public:
  // Creates the folder if it does not exist, for its owner only.
  static Result<Store> open(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return m_folder; }
  std::filesystem::path record_path(const std::string& run_id) const;
  std::filesystem::path journal_path(const std::string& run_id) const;
  // Where marks for the run are put while it lives.
  std::filesystem::path marks_path(const std::string& run_id) const;

  Status publish(const RunRecord& record) const;
  // For a run whose record was saved elsewhere: otherwise the next reader would recover the run.
  void remove_journal(const std::string& run_id) const;

  // A killed run that has no readable journal, and why.
  struct Unreadable {
    std::string run_id;
    Error error;
  };
  struct Listing {
    std::vector<std::string> run_ids;  // of all records, newest first
    std::vector<Unreadable> unreadable;
  };
  // First makes records of killed runs, so that every reader finds them.
  Result<Listing> list() const;
  // A run id, a unique beginning of one, "last", or a path.
  Result<RunRecord> load(const std::string& name) const;
  // The ids of all runs that a process is writing the journal of, newest first.
  Result<std::vector<std::string>> live_runs() const;
  // The id of the run by that name (no path) that has a record, or only a journal: one that still
  // runs, or of whose journal no record can be made.
  Result<std::string> find(const std::string& name) const;

 private:
  // Every journal without a record and without a live writer becomes a record.
  Result<std::vector<Unreadable>> recover() const;
  // False when the journal has no whole line: killed at once, or created a moment ago.
  Result<bool> recover_run(const std::string& run_id) const;
  // Of a run that was killed before it measured, in its prefill.
  void remove_empty(const std::string& run_id) const;
  explicit Store(std::filesystem::path folder) : m_folder(std::move(folder)) {}
  std::filesystem::path m_folder;
};

}  // namespace radosload::record
