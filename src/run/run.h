// One run from plan to record: prepare, warm up, measure, drain, clean up. Owns the journal, and
// sees to it that whatever happens, what was measured is kept and what was made is accounted for.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "placement/pg_map.h"
#include "record/progress.h"
#include "record/run_record.h"
#include "record/store.h"
#include "trace/trace_writer.h"

namespace radosload::prepare {
class DatasetCache;
}

namespace radosload::run {

// Where the record goes.
struct OutputOptions {
  std::optional<record::Store> store;         // none: nothing is journalled or saved
  std::optional<std::filesystem::path> file;  // --save FILE: there instead of in the store
  record::Existing existing = record::Existing::refuse;  // when it is there already
  std::string program;                                   // "radosload 0.1.0"
  std::shared_ptr<trace::TraceWriter> trace = nullptr;   // --trace FILE; of a single run
};

// Where the placement groups of the run were: who served each, and which did not stay.
struct PgSets {
  std::string pool;  // of the data
  std::int64_t pool_id = -1;
  placement::PgMap pgs;  // as the run found them; empty when nobody could tell
  std::set<std::uint32_t> moved;
};

struct RunResult {
  record::RunRecord record;
  std::string saved_as;  // empty: it was not
  Exit exit = Exit::measured;
  PgSets sets = {};  // of runs on a cluster
};

// An Error means that nothing was measured; then nothing was left behind either, or it says what.
// With a cache, what later runs can use is taken from there and left there.
Result<RunResult> execute(const RunPlan& given, const OutputOptions& output,
                          base::Interrupts& interrupts, record::ProgressListener& listener,
                          prepare::DatasetCache* cache = nullptr);

}  // namespace radosload::run
