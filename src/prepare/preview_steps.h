// What a series would do: its steps with the same objects are previewed once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "prepare/preview.h"
#include "record/series.h"

namespace radosload::prepare {

// Steps with the same objects, by their places in the series, and what is the same for them.
struct StepsPreview {
  Preview preview;
  std::vector<std::size_t> steps;
};

Result<std::vector<StepsPreview>> preview_steps(const record::Series& series,
                                                const std::string& program);

}  // namespace radosload::prepare
