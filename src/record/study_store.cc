#include "record/study_store.h"

#include "record/file.h"
#include "record/line_journal.h"
#include "record/names.h"

namespace radosload::record {

namespace fs = std::filesystem;

bool holds_study(const fs::path& path) {
  return has_schema(path, "radosload.study/1");
}

fs::path lines_of_study(const fs::path& document) {
  fs::path path = document;
  path.replace_extension(".jsonl");
  return path;
}

Result<StudyText> load_study(const fs::path& path) {
  RADOSLOAD_ASSIGN(auto document, read_file(path));
  RADOSLOAD_ASSIGN(auto lines, read_lines(lines_of_study(path)));
  return StudyText{.document = std::move(document), .lines = std::move(lines)};
}

Result<StudyStore> StudyStore::beside(const Store& runs) {
  return StudyStore(folder_beside(runs, "studies"));
}

}  // namespace radosload::record
