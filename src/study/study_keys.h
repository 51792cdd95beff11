// The keys of a study's file, in one table: `radosload help studies` and docs show it, the reader
// is made of it, and schema/study-file.json has the same keys.
#pragma once

#include <span>
#include <string_view>

namespace radosload::study {

struct StudyKey {
  std::string_view key;
  std::string_view values;   // "N", "shuffled|abba|listed"
  std::string_view summary;  // what it means, with its default
};

// In the order in which a file is written. Lives as long as the program.
std::span<const StudyKey> study_keys();

}  // namespace radosload::study
