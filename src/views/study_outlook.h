// What is known of a study before it begins, for --dry-run and --pilot: schedule, length, space,
// what is missing, which verdicts are impossible, and what it could find. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "study/document.h"
#include "study/outlook.h"

namespace radosload::views {

// What the objects of one arm under one load take, when those of all its units are there.
struct StudySpace {
  std::string arm;
  std::string load;
  std::string pool;
  std::uint64_t objects = 0;
  Bytes data = {};
  Bytes raw = {};  // with replicas
};

struct StudyOutlook {
  study::StudyDocument document;
  std::optional<Time> length;         // of all cells; nothing: not limited in time
  std::vector<StudySpace> space;      // empty without a cluster
  std::vector<std::string> missing;   // why it would not start, or not get through
  std::vector<std::string> warnings;  // what would bend its figures
  study::Outlook findable;
};

std::string outlook_text(const StudyOutlook& outlook);
// {schema: "radosload.study-preview/1", ...}
std::string outlook_json(const StudyOutlook& outlook);
// The lines on what it could find alone, as they are shown before a study begins.
std::vector<std::string> findable_lines(const study::Outlook& findable);

}  // namespace radosload::views
