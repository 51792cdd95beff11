// Internal to this room: finds documents by the names of their files without extension.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "radosload/result.h"

namespace radosload::record {

// The names of all files with that extension in descending order: the newest first, because names
// begin with their time.
Result<std::vector<std::string>> names_in(const std::filesystem::path& folder,
                                          std::string_view extension);

// Finds "last", a name, or the unique beginning of one. `what` is "run", "series" or "timing".
Result<std::string> match_name(const std::vector<std::string>& names, const std::string& wanted,
                               std::string_view what);

// Whether the text is the path of a file rather than a name.
bool is_path(std::string_view name);

// Whether it is a regular file with a JSON object that names this schema.
bool has_schema(const std::filesystem::path& path, std::string_view schema);

tl::unexpected<Error> store_error(std::string attempt, const std::filesystem::path& path,
                                  const std::error_code& code);

}  // namespace radosload::record
