// What the files of a run on a file system are called: /d000003/f000000030007 below the directory
// of the run. Pure arithmetic, as the names of objects are (layout.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace radosload::workload {

// All runs have their directories in this one, and nothing else of the file system is touched.
inline constexpr std::string_view runs_directory = "/radosload";
// Files in each directory of a run of reads and writes.
inline constexpr std::uint64_t files_in_directory = 10'000;

// With a terminating zero, as libcephfs takes it.
using FilePath = std::array<char, 32>;

FilePath directory_path(std::uint64_t directory) noexcept;
// `entries`: files in each directory.
FilePath file_path(std::uint64_t file, std::uint64_t entries) noexcept;

// Whether it is the name (without its directory) of such a directory or file.
bool is_directory_name(std::string_view name) noexcept;
bool is_file_name(std::string_view name) noexcept;

}  // namespace radosload::workload
