// Saves a document at the path that the user gave: an existing file stays unless it may be
// replaced, no symbolic link is followed, and readers see the whole document or none of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "radosload/result.h"

namespace radosload::record {

// What happens to an existing file.
enum class Existing : std::uint8_t { refuse, replace };

// Refuses, before anything is measured, what save() would refuse later. Leaves no file.
Status check_place(const std::filesystem::path& path, Existing existing);

// Saves all or nothing, also in a power cut. A pipe or a character device is written to.
Status save(const std::filesystem::path& path, std::string_view contents, Existing existing);

}  // namespace radosload::record
