// The store of studies on this machine: of each the document, as it was when it began, and beside
// it the lines of what has happened since. What is in them is known to the room of studies.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "radosload/result.h"

#include "record/document_store.h"

namespace radosload::record {

// Whether the file exists and its schema is that of a study.
bool holds_study(const std::filesystem::path& path);

// The document and its lines, as text.
struct StudyText {
  std::string document;
  std::string lines;
};
Result<StudyText> load_study(const std::filesystem::path& path);
// The lines of the study with this document.
std::filesystem::path lines_of_study(const std::filesystem::path& document);

class StudyStore : public DocumentStore {
 public:
  static Result<StudyStore> beside(const Store& runs);

 private:
  explicit StudyStore(std::filesystem::path folder) : DocumentStore(std::move(folder), "study") {}
};

}  // namespace radosload::record
