#include "cli/commands/timing_file.h"

#include <system_error>

#include "cli/options/options.h"
#include "cli/output.h"
#include "record/timing_store.h"

namespace radosload::cli {

namespace fs = std::filesystem;

namespace {

Result<fs::path> place_in_store(const std::string& id) {
  RADOSLOAD_ASSIGN(const auto runs, open_store());
  RADOSLOAD_ASSIGN(const auto store, record::TimingStore::beside(runs));
  RADOSLOAD_TRY(store.create());
  return store.document_path(id);
}

}  // namespace

Result<TimingFile> TimingFile::open(const TimingSaving& saving, const std::string& id) {
  TimingFile file;
  if (saving.file == "none") return file;
  if (!saving.names_file()) {
    auto place = place_in_store(id);
    if (place) {
      file.m_path = *std::move(place);
    } else {
      warn(place.error().message() + "\n  the timing will not be saved");
    }
    return file;
  }
  file.m_existing = saving.overwrite ? record::Existing::replace : record::Existing::refuse;
  RADOSLOAD_TRY(record::check_place(saving.file, file.m_existing));
  file.m_path = saving.file;
  std::error_code ignored;
  file.m_stream = fs::exists(saving.file, ignored) && !fs::is_regular_file(saving.file, ignored);
  return file;
}

bool TimingFile::write(const views::TimersShown& shown, const timers::Session& session) {
  const auto saved = record::save(*m_path, views::timers_json(shown, session), m_existing);
  if (saved) {
    // radosload has created the file, so it may replace it from now on.
    if (!m_stream) m_existing = record::Existing::replace;
    return true;
  }
  if (!m_warned) warn(saved.error().message() + "\n  the timing is not saved");
  m_warned = true;
  return false;
}

void TimingFile::save(const views::TimersShown& shown, const timers::Session& session) {
  if (m_path && !m_stream) write(shown, session);
}

std::string TimingFile::finish(const views::TimersShown& shown, const timers::Session& session) {
  if (!m_path || session.rows.empty()) return "";
  if (write(shown, session)) return m_path->string();
  warn("this output is the only copy of the timing");
  return "";
}

}  // namespace radosload::cli
