#include "record/names.h"

#include <algorithm>
#include <functional>

#include "base/json_reading.h"
#include "record/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::record {

namespace fs = std::filesystem;

tl::unexpected<Error> store_error(std::string attempt, const fs::path& path,
                                  const std::error_code& code) {
  return fail({.attempt = std::move(attempt),
               .subject = path.string(),
               .hint = "give a file with --save FILE, or save nothing with --save none",
               .errnum = code.value()});
}

Result<std::vector<std::string>> names_in(const fs::path& folder, std::string_view extension) {
  std::error_code code;
  std::vector<std::string> found;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    if (entry->path().extension() == extension) found.push_back(entry->path().stem().string());
  }
  if (code) return store_error("list the run store", folder, code);
  std::sort(found.begin(), found.end(), std::greater<>());
  return found;
}

Result<std::string> match_name(const std::vector<std::string>& names, const std::string& wanted,
                               std::string_view what) {
  std::vector<std::string> matching;
  for (const std::string& name : names) {
    if (name == wanted) return name;
    if (wanted == "last" || name.starts_with(wanted)) matching.push_back(name);
  }
  if (matching.empty() || (matching.size() > 1 && wanted != "last")) {
    const bool none_yet = names.empty() || wanted == "last";
    std::string reason = fmt::format("{} {} IDs start with '{}'", matching.size(), what, wanted);
    if (matching.empty()) reason = fmt::format("no saved {} ID starts with '{}'", what, wanted);
    if (none_yet) reason = fmt::format("no {} is saved yet", what);
    const bool several = matching.size() > 1 && !none_yet;
    return fail({.attempt = fmt::format("find the {}", what),
                 .subject = wanted,
                 .reason = std::move(reason),
                 .hint = several ? "give more characters of the ID; 'radosload list' shows all IDs"
                                 : "'radosload list' shows the saved runs, series and studies; or "
                                   "give the path of a file",
                 .exit = Exit::usage});
  }
  return matching.front();
}

bool is_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".json");
}

bool has_schema(const fs::path& path, std::string_view schema) {
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return false;
  const auto text = read_file(path);
  if (!text) return false;
  const auto json = read_json(*text);
  if (!json || !json->is_object()) return false;
  const auto named = json->find("schema");
  return named != json->end() && *named == schema;
}

}  // namespace radosload::record
