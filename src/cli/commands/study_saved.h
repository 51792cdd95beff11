// Saved studies: finds them by the names that users type, and prints them with their verdicts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "radosload/result.h"

#include "study/document.h"

namespace radosload::cli {

// The document of the study of that name; empty if the name may be that of another document. "last"
// is a run.
std::optional<std::filesystem::path> study_named(const std::string& name);
// "last" is a study here.
Result<std::filesystem::path> find_saved_study(const std::string& name);
Result<study::StudyDocument> load_study_document(const std::filesystem::path& path);

// `format`: text, json, markdown or go-bench. With `fail_if` as in compare.
Result<Exit> print_study(study::StudyDocument document, const std::string& saved_as,
                         const std::string& format, const std::string& fail_if, Exit exit);

}  // namespace radosload::cli
