// The file systems (CephFS) of a cluster: which pools each has, and whether its MDSs are active.
// Parsing is pure and tested on recorded answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/result.h"

namespace radosload::observe {

struct FileSystem {
  std::string name;
  std::int64_t id = -1;
  std::int64_t metadata_pool = -1;
  std::vector<std::int64_t> data_pools;  // the first is the one of files without a layout
  std::uint32_t ranks = 0;               // MDSs that should be active (max_mds)
  std::vector<std::string> active;       // the names of those that are, by rank
  std::vector<std::string> others;       // "a: up:replay"
};

// The answer to `fs dump`.
Result<std::vector<FileSystem>> parse_file_systems(const std::string& json);

// Fails with the names of those that are there when there is none of that name, and when none of
// its MDSs is active.
Result<FileSystem> find_file_system(AdminCommands& commands, const std::string& name);

}  // namespace radosload::observe
