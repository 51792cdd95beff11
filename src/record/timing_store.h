// The store of timings on this machine: the document of each `radosload time`. What is in a
// document is known to the room that prints timings; here it is a text with a schema.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "radosload/result.h"

#include "record/document_store.h"

namespace radosload::record {

inline constexpr std::string_view timing_schema = "radosload.time/1";

// Whether the file exists and its schema is that of a timing.
bool holds_timing(const std::filesystem::path& path);
Result<std::string> load_timing(const std::filesystem::path& path);

class TimingStore : public DocumentStore {
 public:
  static Result<TimingStore> beside(const Store& runs);

 private:
  explicit TimingStore(std::filesystem::path folder) : DocumentStore(std::move(folder), "timing") {}
};

}  // namespace radosload::record
