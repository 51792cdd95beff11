// The progress of a run on stderr: a frame that is redrawn on a terminal, rows like those of rados
// bench elsewhere, or a line for each step; only notes with --no-progress.
#pragma once

#include <memory>

#include "record/progress.h"

namespace radosload::cli {

enum class ProgressStyle {
  automatic,
  steps,  // where there is no terminal: no rows, which fill the log of a study of hours
  none,
};

// Looks at stderr itself to choose between frame and rows.
std::unique_ptr<record::ProgressListener> make_terminal(ProgressStyle style);

}  // namespace radosload::cli
