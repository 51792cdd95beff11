// The file in which `radosload time` saves its document: in the store of timings, or that of
// --save.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "radosload/result.h"

#include "record/saving.h"
#include "views/timers_text.h"

namespace radosload::cli {

struct TimingSaving {
  std::string file;  // the file of --save; empty: the store; "none": not saved
  bool overwrite = false;

  bool names_file() const { return !file.empty() && file != "none"; }
};

class TimingFile {
 public:
  // Refuses, before anything is measured, a file that exists or cannot be written. If the store is
  // not available, the OSDs are still timed, with a warning.
  static Result<TimingFile> open(const TimingSaving& saving, const std::string& id);

  // Call after each measurement, so that a killed process loses none that had ended. Only the first
  // failure gives a warning.
  void save(const views::TimersShown& shown, const timers::Session& session);
  // The last save: returns the path; empty: not saved.
  std::string finish(const views::TimersShown& shown, const timers::Session& session);

 private:
  bool write(const views::TimersShown& shown, const timers::Session& session);

  std::optional<std::filesystem::path> m_path;
  record::Existing m_existing = record::Existing::replace;
  bool m_stream = false;  // the file is a pipe, which gets the whole document once
  bool m_warned = false;
};

}  // namespace radosload::cli
