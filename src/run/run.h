// One run from plan to record: prepare, warm up, measure, drain, clean up. Owns the journal. In
// every outcome the results so far are kept, and everything created on the cluster is removed or
// reported.
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
#include "record/run_log.h"
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
  record::RunLog::Tap tap = {};  // gets the lines of the journal; may be empty
};

// The acting sets of the run's placement groups, and the groups that moved.
struct PgSets {
  std::string pool;  // of the data
  std::int64_t pool_id = -1;
  placement::PgMap pgs;  // at the start of the run; empty when they could not be read
  std::set<std::uint32_t> moved;
};

struct RunResult {
  record::RunRecord record;
  std::string saved_as;  // empty: it was not
  Exit exit = Exit::measured;
  PgSets sets = {};  // of runs on a cluster
};

class Company;

// An Error means that nothing was measured; then nothing is left on the cluster, or the Error says
// what. With a cache, data sets are taken from it and left in it for later runs.
Result<RunResult> execute(const RunPlan& given, const OutputOptions& output,
                          base::Interrupts& interrupts, record::ProgressListener& listener,
                          prepare::DatasetCache* cache = nullptr, Company* company = nullptr);

}  // namespace radosload::run
