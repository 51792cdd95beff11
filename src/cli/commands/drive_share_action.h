// `radosload compare POOLRUN --against-drives RUN...`: what share of its drives' sum a pool
// delivers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/result.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

struct DriveWords {
  std::vector<std::string> runs;  // of drives; empty: not requested
  std::uint32_t equal = 0;        // so many drives like them; 0: as many as have a run
};

void add_drive_options(CLI::App& command, DriveWords& words);
// `names`: of the pool's run, which must be one.
Result<Exit> compare_with_drives(const std::vector<std::string>& names, const DriveWords& words,
                                 const std::string& format);

}  // namespace radosload::cli
