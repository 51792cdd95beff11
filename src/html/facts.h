// What pages say of runs in words: where they ran, what they rest on, how to repeat them. Pure, and
// internal to the room.
#pragma once

#include <string>
#include <vector>

#include "record/run_record.h"

namespace radosload::html {

// A run of a page, with the name that the page calls it by.
struct ShownRun {
  std::string name;
  const record::RunRecord* record = nullptr;
};

// "pool hdd: 400 IOPS, 1.56 MiB/s, p99 2.99 ms"
std::string headline(const record::RunRecord& record);
// Clusters, pools, images, OSDs and clients of the runs, each once (HTML).
std::string inventory(const std::vector<ShownRun>& runs);
// Warnings, errors by errno, and figures that do not add up.
std::vector<std::string> warnings_of(const record::RunRecord& record);
// The same of several: each once, with the names of those runs that have it.
std::vector<std::string> warnings_of(const std::vector<ShownRun>& runs);
// How to repeat each of the runs, and the options in which they differ (HTML).
std::string settings_of(const std::vector<ShownRun>& runs);

}  // namespace radosload::html
