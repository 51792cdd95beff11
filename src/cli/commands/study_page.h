// The HTML page of a study: its verdicts, and the verdicts on those of its runs that are in the
// store.
#pragma once

#include <string>

#include "radosload/result.h"

#include "cli/commands/html_file.h"
#include "study/document.h"

namespace radosload::cli {

// Fails when the study has no verdict yet. `name`: the name that the user gave.
Status write_study_page(study::StudyDocument document, const std::string& name,
                        const HtmlFile& page);

}  // namespace radosload::cli
