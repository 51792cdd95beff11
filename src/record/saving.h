// Writing a document where somebody named a place for it: what is there already stays unless it may
// be replaced, no symbolic link is followed, and readers see the whole document or none of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "radosload/result.h"

namespace radosload::record {

// What becomes of a file that is there already.
enum class Existing : std::uint8_t { refuse, replace };

// Refuses, before anything is measured, what save() would refuse afterwards. Leaves nothing behind.
Status check_place(const std::filesystem::path& path, Existing existing);

// Whole or not at all, also after a power cut. A pipe or a character device stays what it is, and
// is written to.
Status save(const std::filesystem::path& path, std::string_view contents, Existing existing);

}  // namespace radosload::record
