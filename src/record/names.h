// Internal to this room: documents that are found by their file's name, without its extension.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "radosload/result.h"

namespace radosload::record {

// Of all files with that extension, the greatest first: names that begin with their time sort so.
Result<std::vector<std::string>> names_in(const std::filesystem::path& folder,
                                          std::string_view extension);

// "last", a name, or the beginning of one alone. `what` is "run" or "series".
Result<std::string> match_name(const std::vector<std::string>& names, const std::string& wanted,
                               std::string_view what);

// Whether it is meant as a file rather than as a name.
bool is_path(std::string_view name);

tl::unexpected<Error> store_error(std::string attempt, const std::filesystem::path& path,
                                  const std::error_code& code);

}  // namespace radosload::record
