// What explains the figures of a run, as JSON for scripts. Pure.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::views {

// {schema: "radosload.explain/1", run_id, causes: [{name, claim, evidence, command, refuted_if,
//  size: {share, of, bound}}], unseen}; `size` is null where it is not known.
std::string explain_json(const record::RunRecord& record);

}  // namespace radosload::views
