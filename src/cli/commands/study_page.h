// The HTML page of a study: its verdicts, and those of its runs that the store still has.
#pragma once

#include <string>

#include "radosload/result.h"

#include "cli/commands/html_file.h"
#include "study/document.h"

namespace radosload::cli {

// Fails when the study has no verdict yet. `name` is what the user calls it by.
Status write_study_page(study::StudyDocument document, const std::string& name,
                        const HtmlFile& page);

}  // namespace radosload::cli
