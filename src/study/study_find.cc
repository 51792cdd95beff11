// Where the shipped studies are.
#include <algorithm>
#include <system_error>

#include "radosload/printable.h"

#include "base/suggest.h"
#include "study/study_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::study {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".yaml";

// Installed, the program is in PREFIX/bin; built, it is below the source tree.
fs::path shipped_studies() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (fs::path folder = program.parent_path(); !error && folder.has_relative_path();
       folder = folder.parent_path()) {
    fs::path installed = folder.parent_path() / "share/radosload/studies";
    if (folder.filename() == "bin" && fs::is_directory(installed, error)) return installed;
    const bool source = fs::exists(folder / "src/study/study_plan.h", error);
    if (source && fs::is_directory(folder / "studies", error)) return folder / "studies";
    error.clear();
  }
  return {};
}

bool is_path(const std::string& word) {
  return word.find('/') != std::string::npos || word.ends_with(ending) || word.ends_with(".yml");
}

}  // namespace

std::vector<std::string> study_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(shipped_studies(), error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ending) names.push_back(entry->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<fs::path> find_study(const std::string& word) {
  if (is_path(word)) return fs::path(word);
  const auto names = study_names();
  if (std::find(names.begin(), names.end(), word) != names.end()) {
    return shipped_studies() / (word + std::string(ending));
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::error_code ignored;
  std::string hint =
      known.empty() ? "name a file, as in ./my-study.yaml" : values_hint(word, known);
  if (fs::exists(word, ignored)) hint = fmt::format("for the file write ./{}", printable(word));
  return fail({.attempt = "find the study",
               .subject = fmt::format("'{}'", printable(word)),
               .reason = "no study of that name is shipped",
               .hint = std::move(hint),
               .exit = Exit::usage});
}

}  // namespace radosload::study
