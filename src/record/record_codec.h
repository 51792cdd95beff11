// The published form of a run record: one JSON document, schema "radosload.run/1". Scripts rely on
// its keys (docs/record.md lists them); keys may be added, never renamed. Values that follow from
// counts and histograms are written for readers, and ignored when a record is read.
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"

#include "record/run_record.h"

namespace radosload::record {

inline constexpr std::string_view record_schema = "radosload.run/1";

// Indented, with a newline at the end.
std::string to_json(const RunRecord& record);
// The reverse: from_json(to_json(r)) == r. `subject` names the source in errors: a file's path.
Result<RunRecord> from_json(std::string_view text, const std::string& subject);

}  // namespace radosload::record
