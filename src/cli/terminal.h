// What a person sees of a run while it goes on, on stderr: a frame that is redrawn on a terminal,
// rows like those of rados bench elsewhere, nothing at all with --no-progress (but notes).
#pragma once

#include <memory>

#include "record/progress.h"

namespace radosload::cli {

enum class ProgressStyle { automatic, none };

// Looks at stderr itself to choose between frame and rows.
std::unique_ptr<record::ProgressListener> make_terminal(ProgressStyle style);

}  // namespace radosload::cli
