// Shows the progress of a run on stderr: a frame that is redrawn on a terminal, otherwise rows like
// those of rados bench, or a line for each step; only notes with --no-progress.
#pragma once

#include <memory>

#include "record/progress.h"

namespace radosload::cli {

enum class ProgressStyle {
  automatic,
  steps,  // without a terminal: no rows, because they would fill the log of a long study
  none,
};

// Checks stderr to choose between frame and rows.
std::unique_ptr<record::ProgressListener> make_terminal(ProgressStyle style);

}  // namespace radosload::cli
