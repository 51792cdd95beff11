// What is known of a study before it begins, for --dry-run and --pilot: schedule, length, space,
// what is missing, which verdicts are impossible, and what it could find. Pure.
#pragma once

#include <string>
#include <vector>

#include "study/study_draft.h"

namespace radosload::views {

using study::StudyOutlook;
using study::StudySpace;

std::string outlook_text(const StudyOutlook& outlook);
// {schema: "radosload.study-preview/1", ...}
std::string outlook_json(const StudyOutlook& outlook);
// The lines on what it could find alone, as they are shown before a study begins.
std::vector<std::string> findable_lines(const study::Outlook& findable);

}  // namespace radosload::views
