// What earlier runs have saved, by the names that people give it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace radosload::cli {

// The document of a series by that name; nothing when the name may be a run's. "last" is the last
// run, unless the others are series.
std::optional<std::filesystem::path> series_named(const std::string& name);

}  // namespace radosload::cli
