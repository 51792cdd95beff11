// The directory of a run in a file system: made below /radosload, marked with the id of the run,
// and removed with the files in it that carry the names of a run. Nothing else is touched.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "cluster/file_tree.h"
#include "footprint/removal.h"

namespace radosload::footprint {

// The attribute that says which run has made a directory.
inline constexpr const char* run_attribute = "user.radosload.run";

// "/radosload/20261126-0716-af57"
std::string run_directory(const std::string& run);

// What an MDS calls a client of the run, so that the clients of a killed run can be ended.
std::string client_identity(const std::string& run, std::uint64_t client);

// Makes and marks the directory of the run in the tree of /radosload. Refuses one that is there.
// `pool`: where the data of its files will be; empty: where the file system puts it.
Status make_run_directory(cluster::FileTree& runs, const std::string& run,
                          const std::string& pool = {});
// The directories of its files, in the tree of the directory of the run.
Status make_file_directories(cluster::FileTree& own, std::uint64_t directories);

// Some of these files, empty, and their inode numbers. `entries`: files in each directory.
Result<std::vector<std::uint64_t>> make_run_files(cluster::FileTree& own, std::uint64_t first,
                                                  std::uint64_t count, std::uint64_t entries);

// An Error unless the run has made and marked the root of this tree, or it is empty.
Status check_is_of_run(cluster::FileTree& own, const std::string& run);

// Removes the files and directories of a run from the tree of its directory: the root is empty
// then. Ends also when no answer comes. Names that radosload does not use stay.
Removal remove_run_files(const std::shared_ptr<cluster::FileTree>& own,
                         const RemovalOptions& options);

}  // namespace radosload::footprint
