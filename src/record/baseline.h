// A baseline: runs that are kept under a name, so that the same can be measured again, for instance
// after an upgrade. It holds the whole records, because the runs' own files may be deleted, and the
// rules by which later runs will be judged, which are chosen before those are measured. One
// document (schema "radosload.baseline/1").
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "radosload/result.h"

#include "record/document_store.h"
#include "record/run_record.h"
#include "record/saving.h"

namespace radosload::record {

inline constexpr std::string_view baseline_schema = "radosload.baseline/1";

struct Baseline {
  std::string name;
  std::string kept;                     // wall clock, ISO 8601 in UTC
  std::string program;                  // "radosload 0.1.0"
  std::string primary;                  // a metric, or "none"; empty: chosen by the load
  double threshold = 0;                 // smaller changes do not matter: 0.05 is 5 %
  double level = 0;                     // confidence of all verdicts of a check together
  std::vector<std::string> objections;  // which --force has overruled
  std::vector<RunRecord> runs;          // at least one
  bool operator==(const Baseline&) const = default;
};

// Whether it can name a baseline, and so a file: letters, digits, '.', '_' and '-', at most 64, the
// first one a letter or a digit.
bool is_baseline_name(std::string_view text);

std::string to_json(const Baseline& baseline);
// The reverse. `subject` names the source in errors: a file's path.
Result<Baseline> baseline_from_json(std::string_view text, const std::string& subject);

class BaselineStore : public DocumentStore {
 public:
  static Result<BaselineStore> beside(const Store& runs);

  // By its whole name: a check must not take another baseline because the name was cut short.
  Result<Baseline> load(const std::string& name) const;
  // All or nothing; the file is for its owner only.
  Status save(const Baseline& baseline, Existing existing) const;
  Status remove(const std::string& name) const;
  bool holds(const std::string& name) const;

 private:
  explicit BaselineStore(std::filesystem::path folder)
      : DocumentStore(std::move(folder), "baseline") {}
  Error no_such(const std::string& name) const;
};

}  // namespace radosload::record
