// What `radosload cleanup` removed, or would remove, as JSON for scripts. Pure.
#pragma once

#include <string>

#include "footprint/cleanup.h"

namespace radosload::views {

struct CleanupPlace {
  std::string pool;
  std::string nspace;
  bool dry_run = false;
};

// {schema: "radosload.cleanup/1", pool, namespace, dry_run, complete, interrupted,
//  runs: [{run, fate, detail, found_by_scan, objects, images: [NAME], removed, missing,
//          failed: {ERRNO: COUNT}, unanswered}],
//  objects_removed, names_scanned, foreign_objects}
// Fates: "removed", "would", "held", "kept", "unreadable", "failed".
std::string cleanup_json(const CleanupPlace& place, const footprint::CleanupReport& report);

}  // namespace radosload::views
