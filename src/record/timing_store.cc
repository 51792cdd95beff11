#include "record/timing_store.h"

#include "record/file.h"
#include "record/names.h"

namespace radosload::record {

namespace fs = std::filesystem;

bool holds_timing(const fs::path& path) {
  return has_schema(path, timing_schema);
}

Result<std::string> load_timing(const fs::path& path) {
  return read_file(path);
}

Result<TimingStore> TimingStore::beside(const Store& runs) {
  return TimingStore(folder_beside(runs, "times"));
}

}  // namespace radosload::record
