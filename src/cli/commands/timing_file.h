// Where `radosload time` saves its document: the store of timings, or the file of --save.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "radosload/result.h"

#include "record/saving.h"
#include "views/timers_text.h"

namespace radosload::cli {

struct TimingSaving {
  std::string file;  // of --save: empty: the store; "none": nowhere
  bool overwrite = false;

  bool names_file() const { return !file.empty() && file != "none"; }
};

class TimingFile {
 public:
  // Refuses, before anything is measured, a file that cannot be written or that exists. Without a
  // place in the store, the OSDs are timed all the same, with a warning.
  static Result<TimingFile> open(const TimingSaving& saving, const std::string& id);

  // After each measurement, so that a killed process loses none that had ended. The first failure
  // is a warning.
  void save(const views::TimersShown& shown, const timers::Session& session);
  // The last time: says where it is saved; empty: nowhere.
  std::string finish(const views::TimersShown& shown, const timers::Session& session);

 private:
  bool write(const views::TimersShown& shown, const timers::Session& session);

  std::optional<std::filesystem::path> m_path;
  record::Existing m_existing = record::Existing::replace;
  bool m_stream = false;  // a pipe gets the whole document once
  bool m_warned = false;
};

}  // namespace radosload::cli
